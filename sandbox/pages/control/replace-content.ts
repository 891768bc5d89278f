/** The row that something in a panel belongs to; the panel itself where it has no rows. */
const rowOf = (found: Element): string => {
  const row = found.closest('[data-key], details[id]')
  return row?.getAttribute('data-key') ?? row?.id ?? ''
}

const FOCUSABLE = 'button, a[href], summary, input, select'

/** A row's summary changes its text, and stays the row's. */
const sameAs = (before: Element) => (now: Element) =>
  now.tagName === before.tagName &&
  rowOf(now) === rowOf(before) &&
  (now.tagName === 'SUMMARY' || now.textContent === before.textContent)

/**
 * Replaces the content of a panel. What was open stays open, and what has the focus keeps it: the same button or row,
 * else the panel's heading, so that the keyboard never falls back to the start of the page.
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
