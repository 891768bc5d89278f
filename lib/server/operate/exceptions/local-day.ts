const DAY_MS = 86_400_000
const SLOT_MS = 900_000

interface LocalDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

function localDate(format: Intl.DateTimeFormat, ms: number): LocalDate {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  return { year: parts.get('year') ?? 0, month: parts.get('month') ?? 0, day: parts.get('day') ?? 0 }
}

const isBefore = (one: LocalDate, other: LocalDate): boolean =>
  Date.UTC(one.year, one.month - 1, one.day) < Date.UTC(other.year, other.month - 1, other.day)

/**
 * When the day of `nowMs` begins and ends in a time zone (IANA), in milliseconds since 1970. Days begin at a quarter of
 * an hour, also where the clock is set forward at midnight.
 */
export function localDay(nowMs: number, timeZone: string): { readonly fromMs: number; readonly untilMs: number } {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' })
  const today = localDate(format, nowMs)
  /** The first quarter of an hour whose date is not before this one: no zone is a day ahead of UTC. */
  const startOf = (date: LocalDate): number => {
    const inUtc = Date.UTC(date.year, date.month - 1, date.day)
    let [low, high] = [inUtc - DAY_MS, inUtc + DAY_MS]
    while (high - low > SLOT_MS) {
      const middle = low + Math.floor((high - low) / SLOT_MS / 2) * SLOT_MS
      if (isBefore(localDate(format, middle), date)) low = middle
      else high = middle
    }
    return high
  }
  const fromMs = startOf(today)
  const next = new Date(Date.UTC(today.year, today.month - 1, today.day) + DAY_MS)
  return {
    fromMs,
    untilMs: startOf({ year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() }),
  }
}
