import { Problem } from '#lib/contract/problems.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import {
  endedDifferences,
  followDismissed,
  raiseTotals,
  reportUnbooked,
  settledKeys,
  untoldUnbooked,
} from '../ledger/report-totals.ts'
import { openAwaited } from '../ledger/payouts/payout-owners.ts'
import { reconcileAtOnce } from '../ledger/schedule-reconciliation.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { Tx } from '../store/types.ts'

type CheckTx = Pick<Tx, 'controlTotals' | 'ledger' | 'quarantine' | 'users' | 'now'>

/** The user is due at once. */
function refusal(unit: UnitOfWork, user: string, reason: string): Problem {
  reconcileAtOnce(unit, user)
  return new Problem(
    'outcome_unknown',
    `The database was restored from a backup, or lost commits. Withdrawals wait until ${reason}.`,
  )
}

/**
 * Whether a payout was acknowledged since the last comparison: the next one tells a person that no booking has it. Where
 * none comes, since the list cannot be read, a person is told now.
 */
async function hasUntold(tx: CheckTx, unit: UnitOfWork, user: string): Promise<boolean> {
  const payouts = await tx.controlTotals.unbooked(user)
  if (payouts.length === 0) return false
  const before = await tx.controlTotals.of(user)
  const untold = untoldUnbooked(payouts, before)
  if (untold.length === 0 || unit.sinceRestore(user) !== 'unread') return untold.length > 0
  const report = reportUnbooked(user, before, untold)
  const open = await tx.quarantine.settleReports('totals_differ', settledKeys(user, report), tx.now)
  const corrected = await tx.ledger.adjustedBy(user, endedDifferences(user, before, open), tx.now)
  await tx.controlTotals.replace(user, followDismissed(user, { before, report, open, corrected }).rows, tx.now)
  raiseTotals(unit, user, report)
  return true
}

/**
 * After a backup was restored, payouts since that backup may be missing from the books: a user's withdrawals wait until
 * the gateway's list was compared with the books and every difference is settled (docs/guides/back-up.md, "Restore a
 * backup"). The unit has loaded the user's attempts; it is to be saved, whatever is returned.
 * @returns the problem `outcome_unknown`; null if withdrawals are allowed
 */
export async function refuseUnchecked(
  tx: CheckTx,
  unit: UnitOfWork,
  user: string,
  ledgerMode: LedgerMode,
): Promise<Problem | null> {
  const state = unit.sinceRestore(user)
  if (state === null) return null
  if (state === 'unchecked' || (ledgerMode === 'embedded' && (await hasUntold(tx, unit, user))))
    return refusal(unit, user, "the gateway's list of your transactions shows what was lost, and was read")
  openAwaited(unit, user)
  if (unit.openPayouts(user).length > 0 || (await tx.quarantine.hasOpen(user, 'totals_differ')))
    return refusal(unit, user, "a difference from the gateway's list is settled")
  await tx.users.clearRestored(user)
  return null
}
