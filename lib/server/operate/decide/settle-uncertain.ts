import type { MerchantWithdrawal, WithdrawalResolutionRequest } from '#lib/contract/withdrawal-requests.ts'
import type { Proposal, SettlementRequest } from '#lib/contract/operate/decide.ts'
import { Problem } from '#lib/contract/problems.ts'
import { compareTexts } from '../../ledger/compare.ts'
import { takenDetail, UNREAD_DETAIL } from '../../ledger/disputes.ts'
import { attentionOf } from '../../ledger/payouts/attention.ts'
import { mayBeToldBy } from '../../ledger/payouts/attempts.ts'
import { merchantWithdrawalView } from '../../ledger/withdrawal-view.ts'
import type { MayDecide } from '../../ledger/payouts/may-decide.ts'
import type { PayoutRow, Decider, Store, WithdrawalRow } from '../../store/types.ts'
import { conflictWith, orTellWinner, settledByOf, type Actor, type Audited, type Settled } from './act.ts'
import { findWithdrawal } from './decide-pending.ts'
import type { Proposals } from './proposals.ts'
import { byOnePerson, needsTwoPersons, type AmountsByCode } from './two-persons.ts'

export interface SettleUncertainOptions {
  readonly store: Pick<Store, 'withdrawals' | 'payouts' | 'quarantine' | 'reportTaken'>
  readonly clock: () => number
  readonly audited: Audited
  /** `TWO_PERSONS_ABOVE`. */
  readonly twoPersonsAbove: AmountsByCode
  readonly proposals: Pick<Proposals, 'propose'>
  /** The merchant's use case. */
  readonly resolve: (
    id: string,
    resolution: WithdrawalResolutionRequest,
    by: Decider,
    mayDecide: MayDecide,
  ) => Promise<MerchantWithdrawal>
}

/** Whether a person may settle this withdrawal: it is `unknown`, or has `attention`. */
export const canSettle = (row: WithdrawalRow, open: readonly PayoutRow[], nowMs: number): boolean =>
  row.called_ms !== null && (row.status === 'unknown' || attentionOf(row, open, nowMs) !== null)

/** Who settled a withdrawal, and when; null if no person did. */
function settlerOf(row: WithdrawalRow, open: readonly PayoutRow[], nowMs: number): Settled | null {
  const { resolution } = merchantWithdrawalView(row, open, nowMs)
  return resolution === null ? null : { settled_by: resolution.settled_by, settled_at: resolution.resolved_at }
}

/**
 * Naming a payout gives it an owner, and a person's word that the withdrawal's own record was paid debits its user,
 * although the gateway does not say so.
 */
function needsTwoToName(above: AmountsByCode, row: WithdrawalRow, uuid: string, payout: PayoutRow | null): boolean {
  const isOwn = compareTexts(row.transaction_uuid, uuid) === 'agree'
  return isOwn && payout === null ? needsTwoPersons(above, row) : needsTwoPersons(above, row, payout)
}

type SettleResult =
  | { readonly result: 'done'; readonly withdrawal: MerchantWithdrawal }
  | { readonly result: 'proposed'; readonly proposal: Proposal }

/**
 * `POST /api/operate/withdrawals/{id}/resolution`: a person settles an uncertain withdrawal, or proposes it to a second
 * one.
 * @throws Problem as the merchant's call does; `conflict` says who was faster
 */
export function createSettleUncertain(options: SettleUncertainOptions) {
  const { store, clock, audited, twoPersonsAbove, proposals, resolve } = options

  /** What the merchant's call would refuse is not proposed. */
  function assertSettleable(row: WithdrawalRow, open: readonly PayoutRow[], isNotSent: boolean): void {
    if (!canSettle(row, open, clock())) {
      const settled = settlerOf(row, open, clock())
      const why = `This withdrawal is not unknown, or no longer: it is ${row.status}.`
      const extras = { withdrawal_status: row.status }
      throw settled === null ? new Problem('conflict', why, extras) : conflictWith(settled, why, extras)
    }
    if (isNotSent && open.length > 0)
      throw new Problem('conflict', 'Payouts of this user belong to nothing yet. Say first whose they are.', {
        unowned: open.map(({ transaction_uuid }) => transaction_uuid),
      })
  }

  return async (actor: Actor, id: string, request: SettlementRequest): Promise<SettleResult> => {
    const row = await findWithdrawal(store, id)
    const { user_reference_id, currency_code, amount } = row
    const { outcome, reason } = request
    const uuid = request.outcome === 'sent' ? request.transaction_uuid.toLowerCase() : null
    const payout = uuid === null ? null : await store.payouts.find(uuid)
    const isHeld =
      uuid === null ? needsTwoPersons(twoPersonsAbove, row) : needsTwoToName(twoPersonsAbove, row, uuid, payout)
    if (isHeld) {
      assertSettleable(row, await store.payouts.openOf([user_reference_id]), outcome === 'not_sent')
      const taken = outcome === 'not_sent' ? await store.reportTaken(user_reference_id) : []
      if (taken.length > 0) throw new Problem('conflict', takenDetail(taken))
      const unread = outcome === 'not_sent' ? await store.quarantine.unreadPayouts(user_reference_id) : []
      if (unread.some((line) => mayBeToldBy(row, line))) throw new Problem('conflict', UNREAD_DETAIL)
      const content = { withdrawal_id: id, transaction_uuid: uuid, amount, currency_code }
      const draft = { kind: outcome, subject: id, user_reference_id, content, reason }
      return { result: 'proposed', proposal: await proposals.propose(actor, draft) }
    }
    const about = { kind: 'withdrawal', id, user_reference_id }
    const entry = {
      operator: actor,
      action: `withdrawal.${outcome}`,
      about,
      reason,
      detail: { transaction_uuid: uuid },
    }
    const resolution: WithdrawalResolutionRequest =
      uuid === null ? { outcome: 'not_sent', note: reason } : { outcome: 'sent', transaction_uuid: uuid, note: reason }
    const withdrawal = await audited(entry, () =>
      orTellWinner(
        () => resolve(id, resolution, settledByOf(actor), byOnePerson(twoPersonsAbove, row)),
        async () => settlerOf(await findWithdrawal(store, id), [], clock()),
      ),
    )
    return { result: 'done', withdrawal }
  }
}
