/** Options of IntersectionObserver v2, which only some browsers have. */
interface VisibilityOptions extends IntersectionObserverInit {
  readonly trackVisibility: boolean
  readonly delay: number
}

/**
 * Runs in the page. Resolves when the browser reports that the whole element is visible and uncovered, or after 1.5 s.
 * The cashier requires this report before it accepts a press that moves money. Chromium also drops a press on a frame
 * that moved within the last half second. A person is slower than both limits.
 */
export function untilSeen(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const isReported = 'IntersectionObserverEntry' in window && 'isVisible' in IntersectionObserverEntry.prototype
    if (!isReported) {
      resolve()
      return
    }
    // The browser reports every 100 ms, and the cashier's own observer may get its report later.
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
      // A page scrolls by whole pixels, so an element at the edge may lack part of a pixel.
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
