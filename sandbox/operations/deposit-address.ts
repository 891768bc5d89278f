import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Currency } from '../currencies/catalogue.ts'
import { enabledCurrency } from '../currencies/find-currency.ts'
import { getOrCreateAddress } from '../state/addresses.ts'
import { userReference, uuid } from './fields.ts'
import type { Invocation } from './operation.ts'
import { fieldErrors, okReply, validationErrorReply } from './reply.ts'
import type { Reply } from './reply.ts'

export const depositAddressRequest = z.object({ currency_id: uuid, user_reference: userReference })

function addressReply(
  { body, merchant }: Invocation,
  context: Context,
  bodyOf: (address: string, currency: Currency) => object,
): Reply {
  const request = depositAddressRequest.safeParse(body)
  if (!request.success) return validationErrorReply(fieldErrors(request.error))
  const currency = enabledCurrency(request.data.currency_id, context.modes.read().currency_list)
  if (!currency) return validationErrorReply({ currency_id: ['is not enabled for the merchant'] })
  const owner = { merchantId: merchant.id, userReference: request.data.user_reference }
  const { address, created } = getOrCreateAddress(context.database, owner, currency, context.now())
  return okReply(bodyOf(address, currency), { committed: created })
}

/** POST /v1/user/deposit/address. The same user and currency always get the same address. */
export const createDepositAddress = (invocation: Invocation, context: Context): Reply =>
  addressReply(invocation, context, (address, { code, network }) => ({ address, currency: code, network }))

/**
 * POST /v1/user/deposit/link_external_wallet. The spec does not show its shapes: the sandbox takes and returns the
 * fields of a deposit address, and adds a `link`.
 */
export const linkExternalWallet = (invocation: Invocation, context: Context): Reply =>
  addressReply(invocation, context, (address, { code, network }) => ({
    link: `${context.origin}/wallet/${encodeURIComponent(address)}`,
    address,
    currency: code,
    network,
  }))
