import { Problem } from '#lib/contract/problems.ts'
import type { WithdrawalDecisionRequest } from '#lib/contract/withdrawal-requests.ts'
import type { Decider, Store, WithdrawalRow } from '../store/types.ts'
import { cleanUserMessage } from './user-message.ts'

/**
 * Continues a withdrawal; null if another call has done so, or has decided otherwise. The composition root supplies the
 * cashier's driver.
 */
export interface WithdrawalDriver {
  approve(row: WithdrawalRow, user_message: string | null, by: Decider): Promise<WithdrawalRow | null>
  decline(
    row: WithdrawalRow,
    user_message: string | null,
    during_request: boolean,
    by: Decider,
  ): Promise<WithdrawalRow | null>
  /** Keeps the decision for a withdrawal that is still being authorized, until the merchant's answer is stored. */
  decideEarly(
    row: WithdrawalRow,
    decision: 'approve' | 'decline',
    user_message: string | null,
    by: Decider,
  ): Promise<WithdrawalRow | null>
}

const notPending = ({ status, step, early_decision }: WithdrawalRow): Problem =>
  new Problem(
    'conflict',
    step === 'authorizing' && early_decision !== null
      ? `Another decision about this withdrawal is already kept: ${early_decision}.`
      : `This withdrawal is not waiting for an authorization: it is ${status}.`,
    { withdrawal_status: status },
  )

/**
 * `POST /api/merchant/withdrawals/{id}/authorization`: decides a withdrawal that was postponed, or caught by a rule,
 * once. A decision that comes before the merchant's answer to our question is stored is kept, and applied with that
 * answer; an approval before the end of the wait is kept until then, and may still be declined.
 * @throws Problem `not_found`, `conflict` with the status if the withdrawal is no longer pending, or `outcome_unknown`
 * for an approval while the same withdrawal is `unknown`
 */
export function createDecideWithdrawal(store: Store, driver: WithdrawalDriver) {
  return async (
    id: string,
    { decision, user_message }: WithdrawalDecisionRequest,
    by: Decider = 'merchant',
  ): Promise<WithdrawalRow> => {
    const read = async (): Promise<WithdrawalRow> => {
      const row = await store.withdrawals.find(id)
      if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
      return row
    }
    const message = cleanUserMessage(user_message)
    const first = await read()
    const kept = first.step === 'authorizing' ? await driver.decideEarly(first, decision, message, by) : null
    if (kept !== null) return kept
    // The answer to our question may have been stored meanwhile.
    const row = first.step === 'authorizing' ? await read() : first
    if (row.step !== 'pending') throw notPending(row)
    const decided =
      decision === 'approve'
        ? await driver.approve(row, message, by)
        : // The message of an approval that was kept no longer holds.
          await driver.decline(row, message ?? (row.early_decision === null ? row.user_message : null), false, by)
    if (decided === null) throw notPending(await read())
    return decided
  }
}
