/** Countries in a language, by `Intl`, and the money that they pay with. */
import type { Locale } from '#lib/contract/cashier.ts'
import { COUNTRIES } from '#lib/contract/countries.ts'

export interface Named {
  readonly code: string
  readonly name: string
}

/** All of ISO 3166, by name. */
export function countryNames(locale: Locale): readonly Named[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    a.name.localeCompare(b.name, locale),
  )
}

/** Money of today that providers take somewhere; ISO 4217. */
export const FIAT: readonly string[] =
  'AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KES KRW KZT MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN RON RUB SAR SEK SGD THB TRY TWD UAH USD UYU VND ZAR'.split(
    ' ',
  )

const EURO = new Set('AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' '))

/** Where the money is not the euro and not named after its country's code. */
const OTHERS: Readonly<Record<string, string>> = { LI: 'CHF', GL: 'DKK', FO: 'DKK', GG: 'GBP', JE: 'GBP', IM: 'GBP' }

/** The money that people of a country most likely pay with; US dollars where we do not know. */
export function fiatOf(country: string): string {
  if (EURO.has(country)) return 'EUR'
  return OTHERS[country] ?? FIAT.find((code) => code.startsWith(country)) ?? 'USD'
}
