import type { Withdrawal } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import { withdrawalView } from '../ledger/withdrawal-view.ts'
import type { CashierSession, Store, WithdrawalRow } from '../store/types.ts'
import type { WithdrawalSteps } from './withdrawal-steps.ts'

export interface CancelWithdrawalOptions {
  readonly store: Pick<Store, 'withdrawals'>
  readonly driver: Pick<WithdrawalSteps, 'cancel'>
  /** `USER_CANCELLATION`. */
  readonly enabled: boolean
  /** How long to wait for the merchant's answer, while the merchant is being asked. */
  readonly waitMs: number
  readonly sleep: (ms: number) => Promise<void>
}

const POLL_MS = 100

const noLongerPending = ({ status, step }: WithdrawalRow): Problem =>
  new Problem(
    'conflict',
    step === 'authorizing'
      ? 'The merchant is still being asked about this withdrawal.'
      : `This withdrawal no longer waits: it is ${status}.`,
    { withdrawal_status: status },
  )

/**
 * `POST /api/cashier/withdrawals/{id}/cancellation`: ends a withdrawal of the session's user that waits, before
 * anything is sent. While the merchant is being asked it waits for the answer, because the merchant reserves money with
 * it.
 * @throws Problem `not_available` if cancellation is off, `not_found`, and `conflict` with the status if the withdrawal
 * no longer waits: of a cancellation, a decision and the end of the wait one alone counts
 */
export function createCancelWithdrawal({ store, driver, enabled, waitMs, sleep }: CancelWithdrawalOptions) {
  return async ({ user_reference_id: user }: CashierSession, id: string): Promise<Withdrawal> => {
    if (!enabled) throw new Problem('not_available', 'Users cannot cancel withdrawals here.')
    const read = async (): Promise<WithdrawalRow> => {
      const row = await store.withdrawals.ofUserById(user, id)
      if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
      return row
    }
    let row = await read()
    for (let waited = 0; row.step === 'authorizing' && waited < waitMs; waited += POLL_MS) {
      await sleep(POLL_MS)
      row = await read()
    }
    const cancelled = row.step === 'pending' ? await driver.cancel(row) : null
    if (cancelled === null) throw noLongerPending(row.step === 'pending' ? await read() : row)
    return withdrawalView(cancelled)
  }
}
