/**
 * Calls `found` with the element, at once or when it appears. Returns a function that stops waiting.
 * @throws DOMException for an invalid selector
 */
export function findTarget(target: Element | string, found: (element: Element) => void): () => void {
  const existing = typeof target === 'string' ? document.querySelector(target) : target
  if (existing) {
    found(existing)
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
