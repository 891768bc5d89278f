/** Moves the focus in a list by `j` and `k`. A row is an element with `data-row`. */

const PRESSABLE = 'a[href], button'

/** What Enter shall press: the row itself if it takes the focus, or its first link or button. */
const placeIn = (row: Element): HTMLElement | null => {
  const place = row.matches(`${PRESSABLE}, [tabindex]`) ? row : (row.querySelector(PRESSABLE) ?? row)
  return place instanceof HTMLElement ? place : null
}

/** Focuses the row after or before the one with the focus; without one, the first. */
export function moveRowFocus(root: ParentNode, active: Element | null, step: 1 | -1): void {
  const rows = [...root.querySelectorAll('[data-row]')]
  const current = rows.findIndex((row) => row.contains(active))
  const row = rows[current < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, current + step))]
  if (row === undefined) return
  placeIn(row)?.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}
