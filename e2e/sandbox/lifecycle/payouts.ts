import type { Context } from '../context.ts'
import type { Currency } from '../currencies/catalogue.ts'
import { knownCurrency } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { seedFrom } from '../currencies/stable-ids.ts'
import { STATUS, changeTransaction, findTransaction, insertTransaction } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { emitTransfer } from '../webhooks/emit.ts'
import { Refusal } from './refusal.ts'

export interface PayoutOrder {
  readonly merchantId: string
  readonly userReference: string
  readonly currency: Currency
  readonly amount: string
  readonly walletAddress: string
  readonly requiresApproval: boolean
}

/** Records a payout. Nothing is sent to the merchant before it completes. */
export function createPayout(context: Context, order: PayoutOrder): Transaction {
  const payout = insertTransaction(context.database, {
    uuid: context.uuid(),
    merchant_id: order.merchantId,
    user_reference: order.userReference,
    type: 'Payout',
    status: order.requiresApproval ? STATUS.awaitingApproval : STATUS.processing,
    amount: order.amount,
    currency_id: order.currency.id,
    from_address: null,
    to_address: order.walletAddress,
    tx_hash: null,
    provider_transaction_id: null,
    requires_approval: order.requiresApproval,
    inserted_at: context.now(),
  })
  if (!order.requiresApproval) progress(context, payout)
  return payout
}

function progress(context: Context, payout: Transaction): void {
  const after = context.modes.read().payouts_complete_after_ms
  if (after !== null) context.setAlarm('complete_payout', payout.uuid, after)
}

function payoutIn(context: Context, uuid: string, allowed: readonly string[]): Transaction {
  const payout = findTransaction(context.database, uuid)
  if (!payout || payout.type !== 'Payout') throw new Refusal(404, `no payout ${uuid}`)
  if (!allowed.includes(payout.status)) throw new Refusal(409, `the payout is ${payout.status}`)
  return payout
}

/** Lets a payout that waits for approval go on. */
export function approvePayout(context: Context, uuid: string): Transaction {
  const waiting = payoutIn(context, uuid, [STATUS.awaitingApproval])
  const approved = changeTransaction(context.database, waiting, { status: STATUS.processing }, context.now())
  progress(context, approved)
  return approved
}

/** The funds left: the record gets its hash, and `User Payout` succeeded goes out. */
export function completePayout(context: Context, uuid: string): Transaction {
  const payout = payoutIn(context, uuid, [STATUS.processing])
  const { encoding } = NETWORKS[knownCurrency(payout.currency_id).network]
  const now = context.now()
  const completed = changeTransaction(
    context.database,
    payout,
    {
      status: STATUS.succeeded,
      from_address: encoding.write(seedFrom('hot wallet', payout.merchant_id)),
      tx_hash: encoding.hash(seedFrom('hash', uuid)),
      provider_transaction_id: `prv_${uuid.slice(0, 13)}`,
      completed_at: now,
    },
    now,
  )
  emitTransfer(context, completed, 'succeeded')
  return completed
}

/** The payout was refused or did not go through. An event is sent only when `failure_webhooks` is on. */
export function failPayout(context: Context, uuid: string, reason: string): Transaction {
  const payout = payoutIn(context, uuid, [STATUS.processing, STATUS.awaitingApproval])
  const now = context.now()
  const failed = changeTransaction(
    context.database,
    payout,
    { status: STATUS.failed, failure_reason: reason, completed_at: now },
    now,
  )
  if (context.modes.read().failure_webhooks) emitTransfer(context, failed, 'failed')
  return failed
}
