import { isZero } from '#lib/contract/money.ts'
import type { LedgerMode } from './accounts.ts'
import { contradicted, reportDispute } from './disputes.ts'
import type { TransactionRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Whether the user, or the merchant who keeps the books, has the coins of this purchase by the purchase itself. */
function isCreditedAlone(unit: UnitOfWork, row: TransactionRow, ledgerMode: LedgerMode): boolean {
  if (row.kind !== 'onramp') return false
  if (ledgerMode === 'embedded') return !isZero(row.credited)
  if (row.status !== 'succeeded' || row.onramp_session_id === null) return false
  return !unit.transfers.same(row).some(({ kind, status }) => kind === 'deposit' && status === 'succeeded')
}

/** The same, before this deposit succeeded. */
function wasCreditedAlone(unit: UnitOfWork, row: TransactionRow, deposit: TransactionRow, mode: LedgerMode): boolean {
  const isCredited = mode === 'embedded' ? row.postings > 0 : row.onramp_session_id !== null
  if (row.kind !== 'onramp' || row.status !== 'succeeded' || !isCredited) return false
  const deposits = unit.transfers.same(row).filter(({ kind, status }) => kind === 'deposit' && status === 'succeeded')
  return deposits.every(({ transaction_uuid }) => transaction_uuid === deposit.transaction_uuid)
}

const isFailedDeposit = ({ kind, status }: TransactionRow): boolean => kind === 'deposit' && status === 'failed'

/**
 * Reports a purchase that was credited and whose deposit failed, whichever came second. Nothing is booked. If the deposit
 * succeeds after all, a person may have taken the coins back, and is told again.
 * @param before the transaction before this message
 * @param evidence the message as text
 */
export function reportFailedDeposit(
  unit: UnitOfWork,
  before: TransactionRow | null,
  after: TransactionRow,
  { ledgerMode, evidence }: { readonly ledgerMode: LedgerMode; readonly evidence: string },
): void {
  if (isFailedDeposit(after) && before?.status !== 'failed') {
    for (const purchase of unit.transfers.same(after))
      if (isCreditedAlone(unit, purchase, ledgerMode))
        reportDispute(unit, 'contradiction', purchase, contradicted(purchase, evidence))
    return
  }
  if (before !== null && isFailedDeposit(before) && after.status === 'succeeded') {
    for (const purchase of unit.transfers.same(after))
      if (wasCreditedAlone(unit, purchase, after, ledgerMode))
        reportDispute(unit, 'contradiction', purchase, contradicted(before, evidence))
    return
  }
  if (!isCreditedAlone(unit, after, ledgerMode) || (before !== null && isCreditedAlone(unit, before, ledgerMode)))
    return
  const failed = unit.transfers.same(after).find(isFailedDeposit)
  if (failed !== undefined) reportDispute(unit, 'contradiction', after, contradicted(failed, evidence))
}
