import type { Context } from '../context.ts'
import type { Currency } from '../currencies/catalogue.ts'
import { currencyById } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { deterministicBytes } from '../currencies/deterministic-ids.ts'
import { STATUS, changeTransaction, findTransaction, insertTransaction } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { emitTransfer } from '../webhooks/emit.ts'
import { HttpError } from '../http/http-error.ts'

export interface PayoutOrder {
  readonly merchantId: string
  readonly userReference: string
  readonly currency: Currency
  readonly amount: string
  readonly walletAddress: string
  readonly requiresApproval: boolean
}

/** Creates a payout. No event is sent until the payout completes. */
export function createPayout(context: Context, order: PayoutOrder): Transaction {
  const payout = insertTransaction(context.database, {
    uuid: context.uuid(),
    merchant_id: order.merchantId,
    user_reference: order.userReference,
    type: 'Payout',
    status: order.requiresApproval ? STATUS.awaitingApproval : STATUS.requireProcessing,
    amount: order.amount,
    currency_id: order.currency.id,
    from_address: null,
    to_address: order.walletAddress,
    tx_hash: null,
    provider_transaction_id: null,
    requires_approval: order.requiresApproval,
    inserted_at: context.now(),
  })
  if (!order.requiresApproval) scheduleCompletion(context, payout)
  return payout
}

function scheduleCompletion(context: Context, payout: Transaction): void {
  const after = context.modes.read().payouts_complete_after_ms
  if (after !== null) context.schedule('complete_payout', payout.uuid, after)
}

function requirePayout(context: Context, uuid: string, allowed: readonly string[]): Transaction {
  const payout = findTransaction(context.database, uuid)
  if (!payout || payout.type !== 'Payout') throw new HttpError(404, `no payout ${uuid}`)
  if (!allowed.includes(payout.status)) throw new HttpError(409, `the payout is ${payout.status}`)
  return payout
}

/** Approves a payout that awaits approval. */
export function approvePayout(context: Context, uuid: string): Transaction {
  const waiting = requirePayout(context, uuid, [STATUS.awaitingApproval])
  const approved = changeTransaction(context.database, waiting, { status: STATUS.requireProcessing }, context.now())
  scheduleCompletion(context, approved)
  return approved
}

/** The funds were sent: the record gets its hash, and `User Payout` succeeded is sent. */
export function completePayout(context: Context, uuid: string): Transaction {
  const payout = requirePayout(context, uuid, [STATUS.requireProcessing])
  const { encoding } = NETWORKS[currencyById(payout.currency_id).network]
  const now = context.now()
  const completed = changeTransaction(
    context.database,
    payout,
    {
      status: STATUS.succeeded,
      from_address: encoding.write(deterministicBytes('hot wallet', payout.merchant_id)),
      tx_hash: encoding.hash(deterministicBytes('hash', uuid)),
      provider_transaction_id: `prv_${uuid.slice(0, 13)}`,
      completed_at: now,
    },
    now,
  )
  emitTransfer(context, completed, 'succeeded')
  return completed
}

/** The payout was declined or failed. An event is sent only when `failure_webhooks` is on. */
export function failPayout(context: Context, uuid: string, reason: string): Transaction {
  const payout = requirePayout(context, uuid, [STATUS.requireProcessing, STATUS.awaitingApproval])
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
