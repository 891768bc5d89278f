import type { Context } from '../context.ts'
import { listedCurrencies } from '../currencies/find-currency.ts'
import { listedForm } from '../currencies/present-currency.ts'
import type { Invocation } from './operation.ts'
import { answered } from './reply.ts'
import type { Reply } from './reply.ts'

/** GET /v1/merchant/currencies, in either form of the spec. */
export function listCurrencies(_: Invocation, context: Context): Reply {
  const { currency_list, currencies_form } = context.modes.read()
  const currencies = listedCurrencies(currency_list).map((currency) => listedForm(currency, context.origin))
  return answered(currencies_form === 'array' ? currencies : { currencies })
}
