export const TIME_RANGES = ['today', 'yesterday', 'this_week', 'this_month', 'last_month', 'last_24hrs'] as const
export type TimeRange = (typeof TIME_RANGES)[number]

/** `from` is included, `to` is not; milliseconds of the gateway's clock. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

const DAY = 86_400_000

/** Days are UTC, weeks begin on Monday. The ranges today, this week and this month end with the current day. */
export function timeSpanOf(range: TimeRange, now: number): TimeSpan {
  const date = new Date(now)
  const today = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  const tomorrow = today + DAY
  const month = (offset: number): number => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
  const sinceMonday = (date.getUTCDay() + 6) % 7
  const spans: Readonly<Record<TimeRange, TimeSpan>> = {
    today: { from: today, to: tomorrow },
    yesterday: { from: today - DAY, to: today },
    this_week: { from: today - sinceMonday * DAY, to: tomorrow },
    this_month: { from: month(0), to: tomorrow },
    last_month: { from: month(-1), to: month(0) },
    last_24hrs: { from: now - DAY, to: now + 1 },
  }
  return spans[range]
}
