/** The key of the row around an element; empty if the panel has no rows. */
const rowOf = (found: Element): string => {
  const row = found.closest('[data-key], details[id]')
  return row?.getAttribute('data-key') ?? row?.id ?? ''
}

const FOCUSABLE = 'button, a[href], summary, input, select'

/** Whether two elements are the same control. The summary of a row may change its text. */
const sameAs = (before: Element) => (now: Element) =>
  now.tagName === before.tagName &&
  rowOf(now) === rowOf(before) &&
  (now.tagName === 'SUMMARY' || now.textContent === before.textContent)

/**
 * Replaces the content of a panel. Open rows stay open. The focus stays on the same button or row, or else moves to the
 * panel's heading, so that a keyboard user never returns to the start of the page.
 */
export function replaceContent(panel: HTMLElement, content: Node): void {
  const opened = new Set(Array.from(panel.querySelectorAll('details[open]'), (details) => details.id))
  const focused = panel.contains(document.activeElement) ? document.activeElement : null
  panel.replaceChildren(content)
  for (const details of panel.querySelectorAll('details')) details.open = opened.has(details.id)
  if (!focused) return
  const same = Array.from(panel.querySelectorAll<HTMLElement>(FOCUSABLE)).find(sameAs(focused))
  const heading = panel.parentElement?.querySelector<HTMLElement>('summary, h2')
  ;(same ?? heading)?.focus({ preventScroll: true })
}
