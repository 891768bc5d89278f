/** Decides which entries of the gateway's list are offered, when some ids mean another currency than before. */
import type { Currency } from '#lib/contract/cashier.ts'
import { isSameNetwork } from '#lib/addresses/index.ts'
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
  /** Currencies that the list has under another id: their balances stay under the old one. */
  readonly renamed: readonly ChangedMeaning[]
  /** Ids whose stored deposit addresses are those of another code or network: what is sent there would be lost. */
  readonly readdressed: readonly string[]
}

type Verdict = 'offered' | 'taken' | 'waiting' | 'changed'

const named = ({ id, currency_code, network }: Currency) => ({ currency_id: id, currency_code, network })

const isSame = (a: Currency, b: Currency): boolean => agrees(compareCurrencies(named(a), named(b)))

/** Whether both have one code and one network, whatever their ids. */
export const haveSameNames = (a: Currency, b: Currency): boolean =>
  agrees(compareCurrencies({ ...named(a), currency_id: null }, { ...named(b), currency_id: null }))

/** Whether a deposit address of the one is none of the other, whatever the spelling of their network. */
const hasOtherAddresses = (a: Currency, b: Currency): boolean =>
  !haveSameNames(a, { ...b, network: a.network }) || !isSameNetwork(a.network, b.network)

/** Whether an entry of the list is the currency that has its id. With the names of another currency it is that one. */
const isStill = (before: Currency, listed: Currency, all: readonly StoredCurrency[]): boolean =>
  haveSameNames(before, listed) ||
  (isSame(before, listed) &&
    !all.some((one) => one.id !== listed.id && (one.listed || one.listed_as !== null) && haveSameNames(one, listed)))

/**
 * While the report is open the currency waits, even if the list goes back to the stored meaning. What is held for
 * withdrawals of the old currency may come back: it is reported again.
 */
function verdictOn(
  listed: Currency,
  stored: StoredCurrency | undefined,
  { all, isHeld }: { readonly all: readonly StoredCurrency[]; readonly isHeld: boolean },
): Verdict {
  if (stored === undefined) return 'offered'
  const asReported = stored.listed_as !== null && isStill(stored.listed_as, listed, all)
  const asStored = isStill(stored, listed, all)
  if (stored.report !== null) return asStored || asReported ? 'waiting' : 'changed'
  if (haveSameNames(stored, listed) || (asStored && !asReported)) return 'offered'
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
    return { listed, stored: before, verdict: verdictOn(listed, before, { all: stored, isHeld: held.has(listed.id) }) }
  })
  const isListed = new Set(list.map(({ id }) => id))
  const left = stored.filter(({ id }) => !isListed.has(id))
  const isOffered = ({ verdict }: { readonly verdict: Verdict }): boolean =>
    verdict === 'offered' || verdict === 'taken'
  return {
    renamed: left.flatMap((before) => {
      const listed = list.find((one) => isSame(before, one))
      return listed === undefined ? [] : [{ stored: before, listed }]
    }),
    offered: entries.filter(isOffered).map(({ listed }) => listed),
    changed: entries.flatMap(({ listed, stored, verdict }) =>
      verdict === 'changed' && stored !== undefined ? [{ listed, stored }] : [],
    ),
    readdressed: entries.flatMap((entry) =>
      isOffered(entry) && entry.stored !== undefined && hasOtherAddresses(entry.stored, entry.listed)
        ? [entry.listed.id]
        : [],
    ),
  }
}

/** Whether the id of a withdrawal's currency means another currency than when the withdrawal was recorded. */
export async function hasChangedCurrency(tx: Pick<Tx, 'currencies'>, row: WithdrawalRow): Promise<boolean> {
  const all = await tx.currencies.withReports()
  const known = all.find(({ id }) => id === row.currency_id)
  const recorded: Currency = { ...row, id: row.currency_id, name: '', symbol: '' }
  if (known === undefined || (known.listed_as === null && haveSameNames(known, recorded))) return false
  return (
    known.listed_as !== null ||
    !isSame(known, recorded) ||
    // The address was given for another network.
    !isSameNetwork(known.network, recorded.network) ||
    all.some((one) => one !== known && haveSameNames(one, recorded))
  )
}
