import type { Context } from '../context.ts'
import { HttpError } from '../http/http-error.ts'
import type { Merchant } from '../state/merchants.ts'

/** The merchant with this id, or the first one. */
export function requireMerchant(context: Context, id: string | undefined): Merchant {
  const merchant = id === undefined ? context.merchants.all()[0] : context.merchants.byId(id)
  if (!merchant) throw new HttpError(404, `no merchant ${id ?? ''}`)
  return merchant
}
