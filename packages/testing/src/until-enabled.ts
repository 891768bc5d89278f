/**
 * Runs in the page. Resolves once the button takes presses, or after 5 s. Until then the page may still change its height,
 * and Chromium drops a press on a frame that has just moved.
 */
export function untilEnabled(button: Element): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const timer = setInterval(() => {
      if (button.ariaDisabled === 'true' && performance.now() - startedAt < 5000) return
      clearInterval(timer)
      resolve()
    }, 50)
  })
}
