/** Grouping and search of the currency picker. */
import type { Currency } from '#lib/contract/cashier.ts'

export interface PickerItem {
  /** A currency can be in "recent" and in its ticker's group. */
  readonly key: string
  readonly currency: Currency
  /** Normalised text that the search matches. */
  readonly searchText: string
}

export interface PickerGroup {
  readonly key: string
  /** Null for the recently used. */
  readonly ticker: string | null
  readonly name: string
  readonly items: readonly PickerItem[]
}

const normalise = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const itemOf = (prefix: string, currency: Currency): PickerItem => ({
  key: `${prefix} ${currency.id}`,
  currency,
  searchText: normalise([currency.currency_code, currency.name, currency.network, currency.symbol].join(' ')),
})

/** Recently used first, then one group a ticker with its networks, in the order of the list. */
export function groupCurrencies(currencies: readonly Currency[], recentIds: readonly string[]): PickerGroup[] {
  const recent = recentIds.flatMap((id) => currencies.find((currency) => currency.id === id) ?? [])
  const byTicker = new Map<string, Currency[]>()
  for (const currency of currencies) {
    const members = byTicker.get(currency.currency_code)
    if (members) members.push(currency)
    else byTicker.set(currency.currency_code, [currency])
  }
  const tickers = [...byTicker].map(([ticker, members]) => ({
    key: `ticker ${ticker}`,
    ticker,
    name: members[0]?.name ?? ticker,
    items: members.map((currency) => itemOf('all', currency)),
  }))
  if (recent.length === 0) return tickers
  return [
    { key: 'recent', ticker: null, name: '', items: recent.map((currency) => itemOf('recent', currency)) },
    ...tickers,
  ]
}

/** True where every word of the query occurs in the name, the ticker or the network. */
export const matchesQuery = ({ searchText }: PickerItem, query: string): boolean =>
  normalise(query)
    .split(/\s+/)
    .every((word) => searchText.includes(word))
