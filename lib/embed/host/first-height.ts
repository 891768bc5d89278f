/**
 * The height of a frame before its content reports one: a later change moves what is below it on the merchant's page.
 */

const KEY = 'cashier-height'
/** Heights of the deposit page in CSS pixels, by the minimum width: in a wider frame texts need fewer lines. */
const HEIGHTS = [
  { from: 440, height: 934 },
  { from: 400, height: 953 },
  { from: 340, height: 973 },
  { from: 0, height: 1017 },
] as const

const usual = (width: number) => HEIGHTS.find(({ from }) => width >= from) ?? HEIGHTS[0]

/** The last height in a frame of similar width, otherwise the usual height of a first page. Both in CSS pixels. */
export function firstHeight(width: number): number {
  const { from, height } = usual(width)
  try {
    const kept = Number(localStorage.getItem(`${KEY}-${from}`))
    if (Number.isInteger(kept) && kept >= 100 && kept <= 5000) return kept
  } catch {
    // Storage is denied.
  }
  return height
}

/** Keeps the height of a session's first page for the next time. */
export function rememberHeight(width: number, height: number): void {
  try {
    localStorage.setItem(`${KEY}-${usual(width).from}`, String(height))
  } catch {
    // Storage is denied or full.
  }
}
