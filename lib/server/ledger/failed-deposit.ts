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

/** The same, before this deposit succeeded, or was known to be its. */
function wasCreditedAlone(unit: UnitOfWork, row: TransactionRow, deposit: TransactionRow, mode: LedgerMode): boolean {
  const isCredited = mode === 'embedded' ? row.postings > 0 : row.onramp_session_id !== null
  if (row.kind !== 'onramp' || row.status !== 'succeeded' || !isCredited) return false
  const deposits = unit.transfers.same(row).filter(({ kind, status }) => kind === 'deposit' && status === 'succeeded')
  return deposits.every(({ transaction_uuid }) => transaction_uuid === deposit.transaction_uuid)
}

const isFailedDeposit = ({ kind, status }: TransactionRow): boolean => kind === 'deposit' && status === 'failed'

const failedOf = (unit: UnitOfWork, purchase: TransactionRow): TransactionRow | undefined =>
  unit.transfers.same(purchase).find(isFailedDeposit)

export interface FailedDepositOptions {
  readonly ledgerMode: LedgerMode
  /** The message as text. */
  readonly evidence: string
  /** What the success of this transaction was known to bring before this message. */
  readonly known: readonly TransactionRow[]
}

/**
 * Reports a purchase that was credited and whose deposit failed, whichever came second. Nothing is booked. If this deposit
 * or another one brings its coins after all, a person may have taken the coins back, and is told again.
 * @param before the transaction before this message
 */
export function reportFailedDeposit(
  unit: UnitOfWork,
  before: TransactionRow | null,
  after: TransactionRow,
  { ledgerMode, evidence, known }: FailedDepositOptions,
): void {
  const report = (purchase: TransactionRow, stands: TransactionRow | undefined): void => {
    if (stands !== undefined) reportDispute(unit, 'contradiction', purchase, contradicted(stands, evidence))
  }
  if (isFailedDeposit(after) && before?.status !== 'failed') {
    for (const purchase of unit.transfers.same(after))
      if (isCreditedAlone(unit, purchase, ledgerMode)) report(purchase, purchase)
  } else if (after.kind === 'deposit' && after.status === 'succeeded') {
    const uuids = new Set(known.map(({ transaction_uuid }) => transaction_uuid))
    for (const purchase of unit.transfers.same(after))
      if (!uuids.has(purchase.transaction_uuid) && wasCreditedAlone(unit, purchase, after, ledgerMode))
        report(purchase, before !== null && isFailedDeposit(before) ? before : failedOf(unit, purchase))
  } else {
    const wasAlone = before !== null && isCreditedAlone(unit, before, ledgerMode)
    if (wasAlone === isCreditedAlone(unit, after, ledgerMode)) return
    report(after, failedOf(unit, wasAlone ? before : after))
  }
}
