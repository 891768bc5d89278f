import type { Currency } from '../currencies/catalogue.ts'
import { findCurrency } from '../currencies/find-currency.ts'
import { HttpError } from '../http/http-error.ts'

/** The currency with this id, or with this code on this network; 422 if there is no currency, or several. */
export function requireCurrency(name: Parameters<typeof findCurrency>[0]): Currency {
  const currency = findCurrency(name)
  if (!currency) throw new HttpError(422, 'currency_id, or currency with its network, must name a currency')
  return currency
}
