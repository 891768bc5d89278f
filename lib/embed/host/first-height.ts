/** How high a frame is before its content says so: a height that comes later moves what is below it on the merchant's page. */

const KEY = 'cashier-height'
/** The deposit page's heights in CSS pixels, for frames that are at least as wide: its texts break into fewer lines. */
const HEIGHTS = [
  { from: 440, height: 934 },
  { from: 400, height: 953 },
  { from: 340, height: 973 },
  { from: 0, height: 1017 },
] as const

const usual = (width: number) => HEIGHTS.find(({ from }) => width >= from) ?? HEIGHTS[0]

/** The height of last time in a frame about as wide, else that of most first pages. In CSS pixels, as `width`. */
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
