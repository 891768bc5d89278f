const DAY = 86_400_000

/** Whether a time is in each `time_range`: UTC days, weeks from Monday. */
export const SPANS: Readonly<Record<string, (at: number, now: number) => boolean>> = {
  today: (at, now) => day(at) === day(now),
  yesterday: (at, now) => day(at) === day(now) - 1,
  // 1970-01-01 was a Thursday: three days more put the change of weeks on Mondays.
  this_week: (at, now) => Math.floor((day(at) + 3) / 7) === Math.floor((day(now) + 3) / 7),
  this_month: (at, now) => month(at) === month(now),
  last_month: (at, now) => month(at) === month(now) - 1,
  last_24hrs: (at, now) => now - at <= DAY,
}

const day = (at: number): number => Math.floor(at / DAY)
const month = (at: number): number => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()
