/** Grouping and search of the currency picker. */
import { networkSpellings } from '#lib/addresses/networks.ts'
import type { Currency } from '#lib/contract/cashier.ts'

export interface PickerItem {
  readonly currency: Currency
  /** Normalised text that the search matches. */
  readonly searchText: string
}

export interface PickerGroup {
  readonly key: string
  /** `own`: currencies of which the user has a balance. */
  readonly kind: 'own' | 'recent' | 'ticker'
  /** The currency's name; shown for a ticker. */
  readonly name: string
  readonly items: readonly PickerItem[]
}

const normalise = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const itemOf = (currency: Currency): PickerItem => ({
  currency,
  searchText: normalise(
    [currency.currency_code, currency.name, currency.network, currency.symbol, networkSpellings(currency.network)].join(
      ' ',
    ),
  ),
})

/** First currencies with a balance, then recently used ones, then by ticker in the order of the list; each once. */
export function groupCurrencies(
  currencies: readonly Currency[],
  { ownIds, recentIds }: { readonly ownIds: ReadonlySet<string>; readonly recentIds: readonly string[] },
): PickerGroup[] {
  const own = currencies.filter(({ id }) => ownIds.has(id))
  const recent = recentIds.flatMap((recentId) => currencies.find(({ id }) => id === recentId && !ownIds.has(id)) ?? [])
  const shownFirst = new Set([...own, ...recent])
  const byTicker = new Map<string, Currency[]>()
  for (const currency of currencies) {
    if (shownFirst.has(currency)) continue
    const members = byTicker.get(currency.currency_code)
    if (members) members.push(currency)
    else byTicker.set(currency.currency_code, [currency])
  }
  const group = (kind: PickerGroup['kind'], key: string, members: readonly Currency[]): PickerGroup => ({
    key,
    kind,
    name: members[0]?.name ?? '',
    items: members.map(itemOf),
  })
  return [
    group('own', 'own', own),
    group('recent', 'recent', recent),
    ...[...byTicker].map(([ticker, members]) => group('ticker', `ticker ${ticker}`, members)),
  ].filter(({ items }) => items.length > 0)
}

/** True if the name, the ticker or the network contains each word of the query; `TRC-20` also matches `trc20`. */
export const matchesQuery = ({ searchText }: PickerItem, query: string): boolean =>
  normalise(query)
    .split(/\s+/)
    .every((word) => {
      const parts = word.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')
      return searchText.includes(word) || (parts.length > 0 && parts.every((part) => searchText.includes(part)))
    })
