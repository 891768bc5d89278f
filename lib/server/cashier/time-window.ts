import type { TimeRange } from '#lib/contract/cashier.ts'

/** `fromMs` is inclusive, `untilMs` exclusive, both in milliseconds; without `untilMs` the window has no end. */
export interface TimeWindow {
  readonly fromMs: number
  readonly untilMs?: number
}

const DAY_MS = 86_400_000

/** The gateway's time ranges: days are UTC, weeks begin on Monday (docs/explanation/page-api.md, "Transactions"). */
export function timeWindow(range: TimeRange, nowMs: number): TimeWindow {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const today = Date.UTC(year, month, now.getUTCDate())
  const sinceMonday = (now.getUTCDay() + 6) % 7
  const windows: Record<TimeRange, TimeWindow> = {
    today: { fromMs: today },
    yesterday: { fromMs: today - DAY_MS, untilMs: today },
    this_week: { fromMs: today - sinceMonday * DAY_MS },
    this_month: { fromMs: Date.UTC(year, month, 1) },
    last_month: { fromMs: Date.UTC(year, month - 1, 1), untilMs: Date.UTC(year, month, 1) },
    last_24hrs: { fromMs: nowMs - DAY_MS },
  }
  return windows[range]
}

/** Whether a time is in the window; null is all times. */
export const inWindow = (window: TimeWindow | null, ms: number): boolean =>
  window === null || (ms >= window.fromMs && (window.untilMs === undefined || ms < window.untilMs))
