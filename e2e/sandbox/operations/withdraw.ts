import { z } from 'zod'
import type { Context } from '../context.ts'
import { enabledCurrency } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { createPayout, failPayout } from '../lifecycle/payouts.ts'
import { compareDecimals } from '../money/decimal.ts'
import { STATUS } from '../state/transactions.ts'
import { amount, text, userReference, uuid } from './fields.ts'
import type { Invocation } from './operation.ts'
import { answered, fieldErrors, invalid, refused } from './reply.ts'
import type { Reply } from './reply.ts'

const requestSchema = z.object({
  currency_id: uuid,
  amount,
  wallet_address: text.regex(/^[\x21-\x7e]+$/, 'may hold only visible ASCII characters'),
  user_reference_id: userReference,
})

/** POST /v1/user/withdraw. The reply has the five fields of the spec and does not name the transaction. */
export function withdraw({ body, merchant, payout: twist, requestId }: Invocation, context: Context): Reply {
  const parsed = requestSchema.safeParse(body)
  if (!parsed.success) return invalid(fieldErrors(parsed.error))
  const request = parsed.data
  const modes = context.modes.read()
  const currency = enabledCurrency(request.currency_id, modes.currency_list)
  if (!currency) return invalid({ currency_id: ['is not enabled for the merchant'] })
  if (modes.check_wallet_addresses && !NETWORKS[currency.network].encoding.isValid(request.wallet_address)) {
    return invalid({ wallet_address: [`is not a valid ${currency.network} address`] })
  }
  if (twist.tooSmall) return invalid({ amount: ['is below the minimum'] })

  const overLimit = modes.approval_above !== null && compareDecimals(request.amount, modes.approval_above) > 0
  const payout = createPayout(context, {
    merchantId: merchant.id,
    userReference: request.user_reference_id,
    currency,
    amount: request.amount,
    walletAddress: request.wallet_address,
    requiresApproval: twist.needsApproval || overLimit,
  })
  if (twist.refusal) {
    const { httpStatus, message, failed } = twist.refusal
    const after = failed ? failPayout(context, payout.uuid, message) : payout
    return refused(httpStatus, message, requestId, after)
  }
  if (twist.later) context.setAlarm(twist.later.action, payout.uuid, twist.later.afterMs)
  const reply = {
    amount: request.amount,
    currency: currency.code,
    requires_approval: payout.requires_approval,
    status: payout.status === STATUS.awaitingApproval ? 'AwaitingApproval' : 'Processing',
    wallet_address: request.wallet_address,
  }
  return answered(reply, { committed: true, transactionUuid: payout.uuid })
}
