import { isZero } from '#lib/contract/money.ts'
import type { LedgerMode } from './accounts.ts'
import { reportDispute } from './disputes.ts'
import { fold } from './facts.ts'
import type { TransactionRow } from './rows.ts'
import { TRANSACTION_KINDS } from './transaction-statuses.ts'
import type { TransactionKey, UnitOfWork } from './unit-of-work.ts'

/** The transactions that a record with this uuid may be. */
export const possibleTransactions = (transaction_uuid: string): readonly TransactionKey[] =>
  TRANSACTION_KINDS.map((kind) => ({ kind, transaction_uuid }))

/** Whether money was booked for it, here or by the merchant. */
function isBooked(unit: UnitOfWork, row: TransactionRow, ledgerMode: LedgerMode): boolean {
  if (row.kind === 'payout') return unit.withdrawalOf(row.transaction_uuid)?.status === 'succeeded'
  const isMerchants = ledgerMode === 'merchant' && row.kind === 'deposit' && row.standing === 'confirmed'
  return !isZero(row.credited) || (isMerchants && row.status === 'succeeded')
}

/**
 * Reports, once for each transaction, that a complete scan of the whole list did not have the record of money that was
 * booked. Nothing is booked. What is still open becomes overdue instead.
 */
export function reportVanished(unit: UnitOfWork, uuids: readonly string[], ledgerMode: LedgerMode): void {
  for (const { kind, transaction_uuid } of uuids.flatMap(possibleTransactions)) {
    const row = unit.transaction(kind, transaction_uuid)
    if (row === null || row.vanished_ms !== null || !isBooked(unit, row, ledgerMode)) continue
    unit.putTransaction({ ...row, vanished_ms: unit.now })
    const stands = fold(unit.facts(kind, transaction_uuid))
    reportDispute(unit, 'contradiction', row, JSON.stringify({ stands, message: null, missing: true }))
  }
}
