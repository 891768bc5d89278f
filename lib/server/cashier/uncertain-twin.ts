import { Problem } from '#lib/contract/problems.ts'
import type { PayoutKey } from '../ledger/unit-of-work.ts'
import type { Tx } from '../store/types.ts'

/**
 * True if a withdrawal of the same user, currency, amount and address is `unknown`: a second one might pay twice
 * (docs/explanation/money.md, "Same withdrawal again"). The user is locked.
 */
export const hasUncertainTwin = async (tx: Tx, withdrawal: PayoutKey): Promise<boolean> =>
  (await tx.withdrawals.matching(withdrawal)).some(({ status }) => status === 'unknown')

/** Throws `outcome_unknown` while there is such a withdrawal. */
export async function refuseUncertainTwin(tx: Tx, withdrawal: PayoutKey): Promise<void> {
  if (await hasUncertainTwin(tx, withdrawal))
    throw new Problem(
      'outcome_unknown',
      'The same withdrawal was requested before and is not confirmed yet. It is being checked.',
    )
}
