import { canonical, ZERO } from '#lib/contract/money.ts'
import {
  SHOWN_DAYS,
  type Counted,
  type CurrencyDays,
  type DayQuery,
  type DaysReply,
} from '#lib/contract/operate/exceptions.ts'
import type { Store, TallySum } from '../../store/types.ts'
import type { DayNumbersOptions } from './day-numbers.ts'
import { localDay } from './local-day.ts'

export interface LastDaysOptions extends Pick<DayNumbersOptions, 'clock'> {
  readonly store: Pick<Store, 'tallies'>
}

type Day = ReturnType<typeof localDay>

const KEPT_MS = 10 * 60_000

const FIELDS = { deposit: 'deposits', payout: 'withdrawals', onramp: 'purchases' } as const satisfies Record<
  TallySum['kind'],
  keyof CurrencyDays
>

/** The last days in a time zone, the oldest first: each ends where the next begins. */
function lastDays(nowMs: number, timeZone: string): readonly Day[] {
  const days = [localDay(nowMs, timeZone)]
  while (days.length < SHOWN_DAYS) days.unshift(localDay((days[0]?.fromMs ?? 0) - 1, timeZone))
  return days
}

const noDays = (): Counted[] => Array.from({ length: SHOWN_DAYS }, () => ({ count: 0, sum: ZERO }))

const keyOf = ({ currency_code, network }: Pick<TallySum, 'currency_code' | 'network'>): string =>
  JSON.stringify([currency_code, network])

/** Reads the sums of a day; those of a past one are kept for a while, since they hardly change. */
function createSumsOf({ store, clock }: LastDaysOptions) {
  const kept = new Map<string, { readonly readMs: number; readonly sums: readonly TallySum[] }>()
  return async ({ fromMs, untilMs }: Day): Promise<readonly TallySum[]> => {
    const now = clock()
    for (const [key, { readMs }] of kept) if (now - readMs > KEPT_MS) kept.delete(key)
    const key = `${String(fromMs)} ${String(untilMs)}`
    const before = kept.get(key)
    if (before !== undefined) return before.sums
    const sums = await store.tallies.sums(fromMs, untilMs)
    if (untilMs <= now) kept.set(key, { readMs: now, sums })
    return sums
  }
}

/** What succeeded on each of the last days, by currency. What was told within the last seconds may be missing. */
export function createLastDays(options: LastDaysOptions): (query: DayQuery) => Promise<DaysReply> {
  const sumsOf = createSumsOf(options)
  return async ({ time_zone }) => {
    const days = lastDays(options.clock(), time_zone)
    const sums = await Promise.all(days.map(sumsOf))
    const found = new Map<string, CurrencyDays>()
    sums.forEach((ofDay, day) => {
      for (const { kind, count, amount, currency_code, network } of ofDay) {
        const key = keyOf({ currency_code, network })
        const none = { deposits: noDays(), withdrawals: noDays(), purchases: noDays() }
        const numbers = found.get(key) ?? { currency_code, network, ...none }
        numbers[FIELDS[kind]][day] = { count, sum: canonical(amount) }
        found.set(key, numbers)
      }
    })
    return {
      time_zone,
      days: days.map(({ fromMs }) => new Date(fromMs).toISOString()),
      currencies: [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, numbers]) => numbers),
    }
  }
}
