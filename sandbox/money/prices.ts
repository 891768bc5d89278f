import { divide, multiply, withoutTrailingZeros } from './decimal.ts'

/** US dollars for one unit. The prices are invented and fixed, so that tests can compute with them. */
const COIN_PRICES: Readonly<Record<string, string>> = {
  BTC: '64250.00',
  WBTC: '64180.00',
  ETH: '3120.50',
  SOL: '148.20',
  TRX: '0.125',
  POL: '0.52',
  LINK: '13.40',
}

const FIAT_PRICES: Readonly<Record<string, string>> = {
  EUR: '1.08',
  GBP: '1.27',
  CHF: '1.12',
  BRL: '0.18',
  TRY: '0.031',
  JPY: '0.0066',
  RUB: '0.011',
  CNY: '0.14',
  INR: '0.012',
  MXN: '0.055',
}

/** The share of a card payment that remains after the provider's fee. */
const SHARE_AFTER_FEE = '0.975'

const coinPrice = (code: string): string => COIN_PRICES[code] ?? '1'
const fiatPrice = (code: string): string => FIAT_PRICES[code] ?? '1'

/** The value of an amount in US dollars, at most 8 fractional digits. */
export const toUsd = (amount: string, currencyCode: string): string =>
  withoutTrailingZeros(multiply(amount, coinPrice(currencyCode), 8))

/** The crypto amount for a fiat amount, after the provider's fee. */
export function cryptoForFiat(fiatAmount: string, fiatCode: string, currencyCode: string, decimals: number): string {
  const dollars = multiply(multiply(fiatAmount, fiatPrice(fiatCode), 18), SHARE_AFTER_FEE, 18)
  return divide(dollars, coinPrice(currencyCode), decimals)
}
