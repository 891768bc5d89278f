/** Options of IntersectionObserver v2, which not every browser has. */
interface VisibilityOptions extends IntersectionObserverInit {
  readonly trackVisibility: boolean
  readonly delay: number
}

/**
 * Runs in the page. Resolves once the browser reports that all of the element is on the screen and nothing covers it, as
 * the cashier asks before it accepts a press that moves money, or after 1.5 s. Besides, Chromium drops a press on a frame
 * that moved within the last half second. A hand is slower than both.
 */
export function untilSeen(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const isReported = 'IntersectionObserverEntry' in window && 'isVisible' in IntersectionObserverEntry.prototype
    if (!isReported) {
      resolve()
      return
    }
    // The browser reports every 100 ms; the cashier's own report may be the later one.
    const restMs = window.parent === window ? 200 : 700
    const options: VisibilityOptions = {
      threshold: [0, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995, 1],
      trackVisibility: true,
      delay: 100,
    }
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1) as (IntersectionObserverEntry & { readonly isVisible: boolean }) | undefined
      if (!last) return
      const { boundingClientRect: whole, intersectionRect: shown } = last
      // A page scrolls by whole pixels, so an element at the edge may lack a part of one.
      const isWhole = whole.height - shown.height < 1 && whole.width - shown.width < 1
      if (isWhole && last.isVisible) setTimeout(end, restMs)
    }, options)
    const timer = setTimeout(end, 1500)
    function end(): void {
      observer.disconnect()
      clearTimeout(timer)
      resolve()
    }
    observer.observe(element)
  })
}
