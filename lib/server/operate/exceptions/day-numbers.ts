import { add, canonical, decimal, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { Counted, CurrencyNumbers, DayQuery, DayReply } from '#lib/contract/operate/exceptions.ts'
import type { BookTotal, Store, StoredCurrency, TallySum } from '../../store/types.ts'
import { localDay } from './local-day.ts'

export interface DayNumbersOptions {
  readonly store: Pick<Store, 'attention' | 'bookTotals' | 'currencies' | 'feedEpoch' | 'tallies'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

type Names = Pick<StoredCurrency, 'currency_code' | 'network'>

const NOTHING: Counted = { count: 0, sum: ZERO }
const FIELDS = { deposit: 'deposits', payout: 'withdrawals', onramp: 'purchases' } as const satisfies Record<
  TallySum['kind'],
  keyof CurrencyNumbers
>

const keyOf = ({ currency_code, network }: Names): string => JSON.stringify([currency_code, network])

/** The numbers by currency, in the order of their names. */
function numbersByCurrency(
  sums: readonly TallySum[],
  totals: readonly BookTotal[],
  currencies: readonly (Names & Pick<StoredCurrency, 'id'>)[],
): readonly CurrencyNumbers[] {
  const found = new Map<string, CurrencyNumbers>()
  const change = (names: Names, to: (numbers: CurrencyNumbers) => Partial<CurrencyNumbers>): void => {
    const { currency_code, network } = names
    const counts = { deposits: NOTHING, withdrawals: NOTHING, purchases: NOTHING, differing: 0 }
    const unknown = { balances: null, held: null, gateway: null, ledger: null }
    const numbers = found.get(keyOf(names)) ?? { currency_code, network, ...counts, ...unknown }
    found.set(keyOf(names), { ...numbers, ...to(numbers) })
  }
  for (const { kind, count, amount, ...names } of sums)
    change(names, () => ({ [FIELDS[kind]]: { count, sum: canonical(amount) } }))
  const byId = new Map(currencies.map((currency) => [currency.id, currency]))
  const plus = (before: string | null, value: Decimal): string => canonical(add(decimal(before ?? ZERO), value))
  for (const { currency_id, available, held, gateway, ledger, differing } of totals)
    change(byId.get(currency_id) ?? { currency_code: currency_id, network: '' }, (before) => ({
      balances: plus(before.balances, add(available, held)),
      held: plus(before.held, held),
      gateway: plus(before.gateway, gateway),
      ledger: plus(before.ledger, ledger),
      differing: before.differing + differing,
    }))
  return [...found.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

/** The numbers of the day in a time zone. What was told within the last seconds may not be counted yet. */
export function createDayNumbers({ store, clock }: DayNumbersOptions): (query: DayQuery) => Promise<DayReply> {
  return async ({ time_zone }) => {
    const { fromMs, untilMs } = localDay(clock(), time_zone)
    const [sums, totals, currencies, unchecked, { head }, cursor] = await Promise.all([
      store.tallies.sums(fromMs, untilMs),
      store.bookTotals.all(),
      store.currencies.all(),
      store.attention.uncheckedUsers(),
      store.feedEpoch.position(),
      store.tallies.cursor(),
    ])
    const takenMs = totals[0]?.taken_ms
    return {
      from: new Date(fromMs).toISOString(),
      until: new Date(untilMs).toISOString(),
      time_zone,
      currencies: [...numbersByCurrency(sums, totals, currencies)],
      uncounted: Math.max(0, head - cursor),
      totals_at: takenMs === undefined ? null : new Date(takenMs).toISOString(),
      uncompared: unchecked?.count ?? 0,
      uncompared_more: unchecked?.isMore ?? false,
    }
  }
}
