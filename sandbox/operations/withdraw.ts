import { z } from 'zod'
import type { Context } from '../context.ts'
import { enabledCurrency } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { createPayout, failPayout } from '../lifecycle/payouts.ts'
import { compareDecimals } from '../money/decimal.ts'
import { STATUS } from '../state/transactions.ts'
import { amount, text, userReference, uuid } from './fields.ts'
import type { Invocation } from './operation.ts'
import { okReply, fieldErrors, validationErrorReply, errorReply } from './reply.ts'
import type { Reply } from './reply.ts'

export const withdrawalRequest = z.object({
  currency_id: uuid,
  amount,
  wallet_address: text.regex(/^[\x21-\x7e]+$/, 'may hold only visible ASCII characters'),
  user_reference_id: userReference,
})

/** POST /v1/user/withdraw. The reply has the five fields of the spec and no reference to the transaction. */
export function withdraw({ body, merchant, payout: effects, requestId }: Invocation, context: Context): Reply {
  const parsed = withdrawalRequest.safeParse(body)
  if (!parsed.success) return validationErrorReply(fieldErrors(parsed.error))
  const request = parsed.data
  const modes = context.modes.read()
  const currency = enabledCurrency(request.currency_id, modes.currency_list)
  if (!currency) return validationErrorReply({ currency_id: ['is not enabled for the merchant'] })
  if (modes.check_wallet_addresses && !NETWORKS[currency.network].encoding.isValid(request.wallet_address)) {
    return validationErrorReply({ wallet_address: [`is not a valid ${currency.network} address`] })
  }
  if (effects.tooSmall) return validationErrorReply({ amount: ['is below the minimum'] })

  const overLimit = modes.approval_above !== null && compareDecimals(request.amount, modes.approval_above) > 0
  const payout = createPayout(context, {
    merchantId: merchant.id,
    userReference: request.user_reference_id,
    currency,
    amount: request.amount,
    walletAddress: request.wallet_address,
    requiresApproval: effects.needsApproval || overLimit,
  })
  if (effects.failure) {
    const { httpStatus, message, failed } = effects.failure
    const after = failed ? failPayout(context, payout.uuid, message) : payout
    return errorReply(httpStatus, message, requestId, after)
  }
  if (effects.later) context.schedule(effects.later.action, payout.uuid, effects.later.afterMs)
  const reply = {
    amount: request.amount,
    currency: currency.code,
    requires_approval: payout.requires_approval,
    status: payout.status === STATUS.awaitingApproval ? 'AwaitingApproval' : 'Processing',
    wallet_address: request.wallet_address,
  }
  return okReply(reply, { committed: true, transactionUuid: payout.uuid })
}
