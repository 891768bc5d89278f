/** Moves the focus in a list by `j` and `k`. A row is an element with `data-row`. */

const FOCUSABLE = 'a[href], button, [tabindex]'

/** The row itself, or its first link or button. */
const placeIn = (row: Element): HTMLElement | null => {
  const place = row.matches(FOCUSABLE) ? row : row.querySelector(FOCUSABLE)
  return place instanceof HTMLElement ? place : null
}

/** Focuses the row after or before the one with the focus; without one, the first. False if there is no list. */
export function moveRowFocus(root: ParentNode, active: Element | null, step: 1 | -1): boolean {
  const rows = [...root.querySelectorAll('[data-row]')]
  const current = rows.findIndex((row) => row.contains(active))
  const row = rows[current < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, current + step))]
  if (row === undefined) return false
  const place = placeIn(row)
  place?.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
  return place !== null
}
