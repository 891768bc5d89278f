import type { Currency } from './catalogue.ts'
import { USUAL_CURRENCIES } from './catalogue.ts'
import { LONG_LIST } from './long-list.ts'

export type ListLength = 'usual' | 'long' | 'one' | 'empty'

const LISTS: Readonly<Record<ListLength, readonly Currency[]>> = {
  usual: USUAL_CURRENCIES,
  long: LONG_LIST,
  one: USUAL_CURRENCIES.slice(0, 1),
  empty: [],
}

const BY_ID = new Map(LONG_LIST.map((currency) => [currency.id, currency]))

/** The currencies that merchants have with this mode of the list. */
export const listedCurrencies = (length: ListLength): readonly Currency[] => LISTS[length]

export const enabledCurrency = (id: string, length: ListLength): Currency | null =>
  LISTS[length].find((currency) => currency.id === id) ?? null

/** Any currency of the sandbox, enabled or not. Older records may have a currency that is not enabled now. */
export function currencyById(id: string): Currency {
  const found = BY_ID.get(id)
  if (!found) throw new RangeError(`no currency ${id}`)
  return found
}

/** By id, or by code and network (`USDT`, `Tron`), or by code alone when it exists on one network only. */
export function findCurrency(name: {
  id?: string | undefined
  code?: string | undefined
  network?: string | undefined
}): Currency | null {
  if (name.id !== undefined) return BY_ID.get(name.id) ?? null
  const code = name.code?.toLowerCase()
  const network = name.network?.toLowerCase()
  const found = LONG_LIST.filter(
    (currency) =>
      currency.code.toLowerCase() === code && (network === undefined || currency.network.toLowerCase() === network),
  )
  return found.length === 1 ? (found[0] ?? null) : null
}
