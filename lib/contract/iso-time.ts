const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** An ISO time with its zone, or a date (its midnight in UTC), in milliseconds since 1970. */
export function isoTime(text: string): number | undefined {
  const [day = '', time, ...more] = text.toUpperCase().split('T')
  const [, year, month, date] = (DATE.exec(day) ?? []).map(Number)
  if (year === undefined || month === undefined || date === undefined || more.length > 0) return undefined
  // `Date.parse` takes the 31st of every month.
  if (new Date(Date.UTC(year, month - 1, date)).getUTCDate() !== date) return undefined
  if (time !== undefined && !TIME.test(time)) return undefined
  const ms = Date.parse(text.toUpperCase())
  return Number.isNaN(ms) ? undefined : ms
}
