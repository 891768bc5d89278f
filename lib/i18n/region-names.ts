/** Names of countries in a language, and their currencies. */
import type { Locale } from '#lib/contract/locales.ts'
import { COUNTRIES } from '#lib/contract/countries.ts'

export interface CountryName {
  readonly code: string
  readonly name: string
}

/** All countries of ISO 3166, sorted by name. */
export function countryNames(locale: Locale): readonly CountryName[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    a.name.localeCompare(b.name, locale),
  )
}

/** The country of a browser's language; empty if it has none. */
export function countryOfLanguage(tag: string): string {
  try {
    return new Intl.Locale(tag).maximize().region ?? ''
  } catch {
    // Not every browser reports a language tag: on a system without a language, WebKitGTK reports `C`.
    return ''
  }
}

/** Fiat currencies that providers may accept; ISO 4217. */
export const FIAT_CURRENCIES: readonly string[] =
  'AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KES KRW KZT MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN RON RUB SAR SEK SGD THB TRY TWD UAH USD UYU VND ZAR'.split(
    ' ',
  )

const EURO = new Set('AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' '))

/** Currencies that are neither the euro nor start with the country's code. */
const OTHERS: Readonly<Record<string, string>> = { LI: 'CHF', GL: 'DKK', FO: 'DKK', GG: 'GBP', JE: 'GBP', IM: 'GBP' }

/** The most likely currency of a country; US dollars if unknown. */
export function fiatCurrencyOf(country: string): string {
  if (EURO.has(country)) return 'EUR'
  return OTHERS[country] ?? FIAT_CURRENCIES.find((code) => code.startsWith(country)) ?? 'USD'
}
