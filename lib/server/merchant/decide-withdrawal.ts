import { Problem } from '#lib/contract/problems.ts'
import type { Store, WithdrawalRow } from '../store/port.ts'
import { cleanUserMessage } from './user-message.ts'

/** What drives a withdrawal on, each null where somebody else has; the composition gives the cashier's driver. */
export interface WithdrawalDriver {
  approve(row: WithdrawalRow, from: 'pending'): Promise<WithdrawalRow | null>
  decline(row: WithdrawalRow, user_message: string | null, during_request: boolean): Promise<WithdrawalRow | null>
}

export interface Decision {
  readonly decision: 'approve' | 'decline'
  readonly user_message?: string
}

const over = (): Problem => new Problem('conflict', 'This withdrawal is not waiting for an authorization (any more).')

/**
 * `POST /api/merchant/withdrawals/{id}/authorization`: decides a postponed withdrawal, once. Throws `not_found`, or
 * `conflict` when it is no longer pending.
 */
export function createDecideWithdrawal(store: Store, driver: WithdrawalDriver) {
  return async (id: string, { decision, user_message }: Decision): Promise<WithdrawalRow> => {
    const row = await store.withdrawals.find(id)
    if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
    if (row.step !== 'pending') throw over()
    const decided =
      decision === 'approve'
        ? await driver.approve(row, 'pending')
        : await driver.decline(row, cleanUserMessage(user_message) ?? row.user_message, false)
    if (decided === null) throw over()
    return decided
  }
}
