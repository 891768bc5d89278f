import type { MerchantWithdrawal, WithdrawalDecisionRequest } from '#lib/contract/withdrawal-requests.ts'
import type { DecisionRequest } from '#lib/contract/operate/decide.ts'
import { Problem } from '#lib/contract/problems.ts'
import { merchantWithdrawalView } from '../../ledger/withdrawal-view.ts'
import type { Decider, Store, WithdrawalRow } from '../../store/types.ts'
import { orTellWinner, settledByOf, type Actor, type Audited, type Settled } from './act.ts'

export interface DecidePendingOptions {
  readonly store: Pick<Store, 'withdrawals' | 'payouts'>
  readonly clock: () => number
  readonly audited: Audited
  /** The merchant's use case. */
  readonly decide: (id: string, decision: WithdrawalDecisionRequest, by: Decider) => Promise<WithdrawalRow>
}

/** Who approved or declined a withdrawal in a call of its own, and when; null if nobody did. */
export function deciderOf(row: WithdrawalRow): Settled | null {
  if (row.decided_by === null) return null
  return { settled_by: row.decided_by, settled_at: new Date(row.called_ms ?? row.updated_ms).toISOString() }
}

/** What a person decided about it: only what was approved is called, or waits to be. */
export const decisionOn = ({ status, failure, early_decision }: WithdrawalRow): 'approved' | 'declined' =>
  (status === 'failed' && failure === 'declined') || early_decision === 'decline' ? 'declined' : 'approved'

/** @throws Problem `not_found` */
export async function findWithdrawal(store: Pick<Store, 'withdrawals'>, id: string): Promise<WithdrawalRow> {
  const row = await store.withdrawals.find(id)
  if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
  return row
}

/** Of several persons whose decisions were kept, only the first one's counts. */
function asDecidedBy(row: WithdrawalRow, by: Decider): WithdrawalRow {
  if (row.decided_by === by) return row
  throw new Problem('conflict', 'This withdrawal was decided already.', { withdrawal_status: row.status })
}

/**
 * `POST /api/operate/withdrawals/{id}/approval` and `…/decline`: a person decides a withdrawal that waits for it, once.
 * @throws Problem as the merchant's call does; `conflict` says who was faster
 */
export const createDecidePending =
  ({ store, clock, audited, decide }: DecidePendingOptions) =>
  async (
    actor: Actor,
    id: string,
    decision: 'approve' | 'decline',
    { reason, user_message = null }: DecisionRequest,
  ): Promise<MerchantWithdrawal> => {
    const { user_reference_id } = await findWithdrawal(store, id)
    const about = { kind: 'withdrawal', id, user_reference_id }
    const entry = { operator: actor, action: `withdrawal.${decision}`, about, reason, detail: { user_message } }
    const by = settledByOf(actor)
    return audited(entry, () =>
      orTellWinner(
        async () => {
          const row = asDecidedBy(await decide(id, { decision, user_message }, by), by)
          return merchantWithdrawalView(row, await store.payouts.openOf([row.user_reference_id]), clock())
        },
        async () => deciderOf(await findWithdrawal(store, id)),
      ),
    )
  }
