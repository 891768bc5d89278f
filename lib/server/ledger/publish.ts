import type { TransactionEvent, TransactionKind } from '#lib/contract/stream.ts'
import { merchantReferenceOf } from './facts.ts'
import type { Source, TransactionRow, WithdrawalRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

/** The gateway's name for the merchant of this transaction, if the unit has loaded facts that give it. */
function merchantOf(
  unit: UnitOfWork,
  kind: TransactionKind,
  uuid: string | null,
): { readonly merchant_reference?: string } {
  const reference = uuid === null ? null : merchantReferenceOf(unit.loadedFacts(kind, uuid))
  return reference === null ? {} : { merchant_reference: reference }
}

/** Publishes a withdrawal's state: the stream's `transaction` event of kind payout, under the withdrawal's id. */
export function publishWithdrawal(unit: UnitOfWork, row: WithdrawalRow, txHash: string | null, source: Source): void {
  const event: TransactionEvent = {
    transaction_uuid: row.transaction_uuid,
    kind: 'payout',
    status: row.status,
    amount: row.amount,
    currency_code: row.currency_code,
    network: row.network,
    tx_hash: txHash,
    updated_at: iso(row.updated_ms),
    withdrawal_id: row.id,
  }
  unit.outbox.addTransaction({
    entity: `withdrawal:${row.id}`,
    user: row.user_reference_id,
    streamUser: row.user_reference_id,
    source,
    event,
    ...merchantOf(unit, 'payout', row.transaction_uuid),
  })
}

/** Publishes the state of a deposit, an on-ramp, or a payout that is not one of our withdrawals. */
export function publishTransaction(
  unit: UnitOfWork,
  row: TransactionRow,
  sessionUser: string | null,
  source: Source,
): void {
  const reference = row.onramp_session_id ?? row.session_reference
  const event: TransactionEvent = {
    transaction_uuid: row.transaction_uuid,
    kind: row.kind,
    status: row.status,
    amount: row.amount,
    currency_code: row.currency_code,
    network: row.network,
    tx_hash: row.tx_hash,
    updated_at: iso(row.updated_ms),
    ...(row.kind === 'onramp' && reference !== null ? { session_reference: reference } : {}),
  }
  const metadata = row.kind === 'onramp' ? unit.onramp(null, row.onramp_session_id)?.metadata : null
  unit.outbox.addTransaction({
    entity: `${row.kind}:${row.transaction_uuid}`,
    user: row.user_reference_id,
    streamUser: row.user_reference_id ?? sessionUser,
    source,
    event,
    ...merchantOf(unit, row.kind, row.transaction_uuid),
    ...(typeof metadata === 'string' && { metadata: JSON.parse(metadata) as unknown }),
    ...(row.kind === 'onramp' && row.payment_method !== null && { payment_method: row.payment_method }),
  })
}
