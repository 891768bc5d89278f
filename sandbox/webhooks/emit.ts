import type { Context } from '../context.ts'
import { webhookPlan } from '../faults/webhook-faults.ts'
import { mutateEvent } from '../faults/mutations.ts'
import { takeFault } from '../state/faults.ts'
import { sessionWithHash } from '../state/sessions.ts'
import type { OnrampSession } from '../state/sessions.ts'
import { setMerchantStatus } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { insertWebhook } from '../state/webhooks.ts'
import { onrampEvent } from './onramp-event.ts'
import { transferEvent } from './transfer-event.ts'
import type { TransferStatus } from './transfer-event.ts'

interface Event {
  readonly event: string
  readonly transaction: { readonly status: string }
  readonly transaction_uuid: string
  readonly user_reference: string | null
}

/** Queues an event in the current database transaction. The next webhook fault decides how it is delivered. */
function emit(context: Context, merchantId: string, orderingKey: string, event: Event): void {
  const { status } = event.transaction
  const about = {
    event: event.event,
    status,
    user_reference: event.user_reference,
    transaction_uuid: event.transaction_uuid,
  }
  const plan = webhookPlan(takeFault(context.database, 'webhooks', about))
  const reachable = context.modes.read().webhooks === 'on' && context.merchants.byId(merchantId)?.webhook_url
  const realNow = Date.now()
  const exact = JSON.stringify(event)
  const body = mutateEvent(context.mutations, plan.rounded ? JSON.stringify(JSON.parse(exact)) : exact)
  for (let copy = 0; copy < plan.copies; copy += 1) {
    insertWebhook(context.database, {
      merchant_id: merchantId,
      event: event.event,
      transaction_uuid: event.transaction_uuid,
      status,
      ordering_key: orderingKey,
      body,
      signing: plan.signing,
      state: plan.state === 'queued' && !reachable ? 'unsent' : plan.state,
      due_at: realNow + plan.delayMs,
      created_at: context.now(),
    })
  }
  context.wakeDeliveryWorker()
}

/** A deposit from an on-ramp uses its session's ordering key, so that it is delivered after the session's events. */
export function emitTransfer(context: Context, transaction: Transaction, status: TransferStatus): void {
  const { database } = context
  setMerchantStatus(database, transaction.uuid, 'CALLBACK_PENDING')
  const orderingKey = sessionWithHash(database, transaction.tx_hash) ?? transaction.uuid
  emit(context, transaction.merchant_id, orderingKey, transferEvent(transaction, status, context.origin))
}

/** Spec, Event kinds: only sessions made through POST /v1/user/payments send on-ramp events. */
export const emitOnramp = (context: Context, session: OnrampSession): void => {
  if (session.kind === 'payment') emit(context, session.merchant_id, session.uuid, onrampEvent(session))
}
