import type { Currency } from './catalogue.ts'

const iconOf = (origin: string, currency: Currency): string =>
  `${origin}/icons/${encodeURIComponent(currency.code)}.svg`
const networkIconOf = (origin: string, currency: Currency): string => `${origin}/icons/network/${currency.network}.svg`

/** Currency of the list (spec, Resources). */
export const presentListedCurrency = (currency: Currency, origin: string) => ({
  id: currency.id,
  name: currency.name,
  currency_code: currency.code,
  symbol: currency.symbol,
  network: currency.network,
  ...(currency.listsIcon ? { currency_icon: iconOf(origin, currency) } : {}),
})

/** Currency nested in a transaction record. */
export const presentRecordCurrency = (currency: Currency, origin: string) => ({
  code: currency.code,
  currency_icon: iconOf(origin, currency),
  id: currency.id,
  name: currency.name,
  network: currency.network,
  network_icon: networkIconOf(origin, currency),
  symbol: currency.symbol,
  token_address: currency.tokenAddress,
})

/** Currency in a deposit or payout webhook. */
export const presentEventCurrency = (currency: Currency, origin: string) => ({
  id: currency.id,
  name: currency.name,
  symbol: currency.symbol,
  network: currency.network,
  token_address: currency.tokenAddress,
  currency_icon: iconOf(origin, currency),
  network_icon: networkIconOf(origin, currency),
  currency_code: currency.code,
})
