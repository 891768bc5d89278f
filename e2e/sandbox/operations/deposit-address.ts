import { z } from 'zod'
import type { Context } from '../context.ts'
import { enabledCurrency } from '../currencies/find-currency.ts'
import { provideAddress } from '../state/addresses.ts'
import { userReference, uuid } from './fields.ts'
import type { Invocation } from './operation.ts'
import { answered, fieldErrors, invalid } from './reply.ts'
import type { Reply } from './reply.ts'

const requestSchema = z.object({ currency_id: uuid, user_reference: userReference })

/** POST /v1/user/deposit/address: the same address again for the same user and currency. */
export function createDepositAddress({ body, merchant }: Invocation, context: Context): Reply {
  const request = requestSchema.safeParse(body)
  if (!request.success) return invalid(fieldErrors(request.error))
  const currency = enabledCurrency(request.data.currency_id, context.modes.read().currency_list)
  if (!currency) return invalid({ currency_id: ['is not enabled for the merchant'] })
  const owner = { merchantId: merchant.id, userReference: request.data.user_reference }
  const { address, created } = provideAddress(context.database, owner, currency, context.now())
  return answered({ address, currency: currency.code, network: currency.network }, { committed: created })
}
