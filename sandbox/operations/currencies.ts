import type { Context } from '../context.ts'
import { listedCurrencies } from '../currencies/find-currency.ts'
import { presentListedCurrency } from '../currencies/present-currency.ts'
import type { Invocation } from './operation.ts'
import { okReply } from './reply.ts'
import type { Reply } from './reply.ts'

/** GET /v1/merchant/currencies, in either form of the spec. */
export function listCurrencies(_invocation: Invocation, context: Context): Reply {
  const { currency_list, currencies_form } = context.modes.read()
  const currencies = listedCurrencies(currency_list).map((currency) => presentListedCurrency(currency, context.origin))
  return okReply(currencies_form === 'array' ? currencies : { currencies })
}
