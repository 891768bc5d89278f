/**
 * Calls `found` with the element: at once where it is there, else when it appears. Gives what ends the waiting.
 * @throws DOMException where the selector is none
 */
export function findTarget(target: Element | string, found: (element: Element) => void): () => void {
  const here = typeof target === 'string' ? document.querySelector(target) : target
  if (here) {
    found(here)
    return () => undefined
  }
  const observer = new MutationObserver(() => {
    const element = document.querySelector(target as string)
    if (!element) return
    observer.disconnect()
    found(element)
  })
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['id', 'class'] })
  return () => observer.disconnect()
}
