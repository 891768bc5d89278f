/** How the picker arranges currencies and finds them. */
import type { Currency } from '#lib/contract/cashier.ts'

export interface PickerItem {
  /** A currency may stand under "recent" and under its ticker. */
  readonly key: string
  readonly currency: Currency
  /** What a search looks into. */
  readonly haystack: string
}

export interface PickerGroup {
  readonly key: string
  /** Null for the recently used. */
  readonly ticker: string | null
  readonly name: string
  readonly items: readonly PickerItem[]
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const itemOf = (prefix: string, currency: Currency): PickerItem => ({
  key: `${prefix} ${currency.id}`,
  currency,
  haystack: plain([currency.currency_code, currency.name, currency.network, currency.symbol].join(' ')),
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

/** Each word of the query is somewhere in the name, the ticker or the network. */
export const matchesQuery = ({ haystack }: PickerItem, query: string): boolean =>
  plain(query)
    .split(/\s+/)
    .every((word) => haystack.includes(word))
