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

const FIELDS = { deposit: 'deposits', payout: 'withdrawals', onramp: 'purchases' } as const satisfies Record<
  TallySum['kind'],
  keyof CurrencyDays
>

/** The last days in a time zone, the oldest first: each ends where the next begins. */
function lastDays(nowMs: number, timeZone: string): readonly { readonly fromMs: number; readonly untilMs: number }[] {
  const days = [localDay(nowMs, timeZone)]
  while (days.length < SHOWN_DAYS) days.unshift(localDay((days[0]?.fromMs ?? 0) - 1, timeZone))
  return days
}

const noDays = (): Counted[] => Array.from({ length: SHOWN_DAYS }, () => ({ count: 0, sum: ZERO }))

const keyOf = ({ currency_code, network }: Pick<TallySum, 'currency_code' | 'network'>): string =>
  JSON.stringify([currency_code, network])

/** What succeeded on each of the last days, by currency. What was told within the last seconds may be missing. */
export function createLastDays({ store, clock }: LastDaysOptions): (query: DayQuery) => Promise<DaysReply> {
  return async ({ time_zone }) => {
    const days = lastDays(clock(), time_zone)
    const sums = await Promise.all(days.map(({ fromMs, untilMs }) => store.tallies.sums(fromMs, untilMs)))
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
