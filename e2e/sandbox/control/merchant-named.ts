import type { Context } from '../context.ts'
import { Refusal } from '../lifecycle/refusal.ts'
import type { Merchant } from '../state/merchants.ts'

/** The merchant with this id, or the first one. */
export function merchantNamed(context: Context, id: string | undefined): Merchant {
  const merchant = id === undefined ? context.merchants.all()[0] : context.merchants.byId(id)
  if (!merchant) throw new Refusal(404, `no merchant ${id ?? ''}`)
  return merchant
}
