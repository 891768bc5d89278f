/** Decides which entries of the gateway's list are offered, when some ids mean another currency than before. */
import type { Currency } from '#lib/contract/cashier.ts'
import { agrees, compareCurrencies } from '../ledger/compare.ts'
import type { StoredCurrency, Tx, WithdrawalRow } from '../store/types.ts'

/** A stored currency, and what the list has in its place. */
export interface ChangedMeaning {
  readonly stored: StoredCurrency
  readonly listed: Currency
}

export interface CurrencyList {
  readonly offered: readonly Currency[]
  /** Not reported before: a person is asked, and the stored names stay. */
  readonly changed: readonly ChangedMeaning[]
  /** Currencies that the list has under another id than before: their balances stay under the old one. */
  readonly renamed: readonly ChangedMeaning[]
  /** Ids whose new meaning holds from now on, since a person has dismissed the report. */
  readonly taken: readonly string[]
}

type Verdict = 'offered' | 'taken' | 'waiting' | 'changed'

const named = ({ id, currency_code, network }: Currency) => ({ currency_id: id, currency_code, network })

/** Whether both are one currency, by id or by names. */
export const isSameCurrency = (a: Currency, b: Currency): boolean => agrees(compareCurrencies(named(a), named(b)))

/**
 * While the report is open the currency waits, even if the list goes back to the stored meaning. What is held for
 * withdrawals of the old currency may come back: it is reported again.
 */
function verdictOn(stored: StoredCurrency | undefined, listed: Currency, isHeld: boolean): Verdict {
  if (stored === undefined) return 'offered'
  const asStored = isSameCurrency(stored, listed)
  const asReported = stored.listed_as !== null && isSameCurrency(stored.listed_as, listed)
  if (stored.report !== null) return asStored || asReported ? 'waiting' : 'changed'
  if (asStored) return 'offered'
  return asReported && !isHeld ? 'taken' : 'changed'
}

/**
 * @param stored every stored currency
 * @param held the ids under which money is held for withdrawals
 */
export function readCurrencyList(
  list: readonly Currency[],
  stored: readonly StoredCurrency[],
  held: ReadonlySet<string> = new Set(),
): CurrencyList {
  const byId = new Map(stored.map((currency) => [currency.id, currency]))
  const entries = list.map((listed) => {
    const before = byId.get(listed.id)
    return { listed, stored: before, verdict: verdictOn(before, listed, held.has(listed.id)) }
  })
  const isListed = new Set(list.map(({ id }) => id))
  const left = stored.filter((one) => one.listed && !isListed.has(one.id))
  return {
    renamed: left.flatMap((before) => {
      const listed = list.find((one) => isSameCurrency(before, one))
      return listed === undefined ? [] : [{ stored: before, listed }]
    }),
    offered: entries.filter(({ verdict }) => verdict === 'offered' || verdict === 'taken').map(({ listed }) => listed),
    changed: entries.flatMap(({ listed, stored, verdict }) =>
      verdict === 'changed' && stored !== undefined ? [{ listed, stored }] : [],
    ),
    taken: entries.filter(({ verdict }) => verdict === 'taken').map(({ listed }) => listed.id),
  }
}

/** Whether the id of a withdrawal's currency means another currency than when the withdrawal was recorded. */
export async function hasChangedCurrency(tx: Pick<Tx, 'currencies'>, row: WithdrawalRow): Promise<boolean> {
  const known = (await tx.currencies.withReports()).find(({ id }) => id === row.currency_id)
  return known !== undefined && (known.listed_as !== null || !agrees(compareCurrencies(row, named(known))))
}
