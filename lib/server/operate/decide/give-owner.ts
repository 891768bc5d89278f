import type { MerchantPayout, PayoutOwnerRequest } from '#lib/contract/withdrawal-requests.ts'
import type { OwnershipRequest, Proposal } from '#lib/contract/operate/decide.ts'
import { Problem } from '#lib/contract/problems.ts'
import { compareTexts } from '../../ledger/compare.ts'
import { hasPayout } from '../../ledger/payouts/attempts.ts'
import type { MayDecide } from '../../ledger/payouts/may-decide.ts'
import type { PayoutRow, Decider, Store, WithdrawalRow } from '../../store/types.ts'
import { conflictWith, orTellWinner, settledByOf, type Actor, type Audited, type Settled } from './act.ts'
import type { Proposals } from './proposals.ts'
import { byOnePerson, needsTwoPersons, type AmountsByCode } from './two-persons.ts'

export interface GiveOwnerOptions {
  readonly store: Pick<Store, 'withdrawals' | 'payouts' | 'quarantine'>
  readonly audited: Audited
  /** `TWO_PERSONS_ABOVE`. */
  readonly twoPersonsAbove: AmountsByCode
  readonly proposals: Pick<Proposals, 'propose'>
  /** The merchant's use case. */
  readonly setOwner: (
    uuid: string,
    request: PayoutOwnerRequest,
    by: Decider,
    mayDecide: MayDecide,
  ) => Promise<MerchantPayout>
}

/** @throws Problem `not_found` */
export async function findPayout(store: Pick<Store, 'payouts'>, uuid: string): Promise<PayoutRow> {
  const row = await store.payouts.find(uuid)
  if (row === null) throw new Problem('not_found', 'There is no such payout.')
  return row
}

/** Who gave a payout its owner, and when; null if it has none, or if nobody was asked. */
export async function ownerGiver(store: Pick<Store, 'quarantine'>, payout: PayoutRow): Promise<Settled | null> {
  if (payout.owner === null) return null
  const { user_reference_id, transaction_uuid } = payout
  const line = await store.quarantine.lastSettled(user_reference_id, 'unmatched_payout', transaction_uuid)
  if (line?.settled_by == null || line.settled_ms === null) return null
  return { settled_by: line.settled_by, settled_at: new Date(line.settled_ms).toISOString() }
}

/** Whether a person may give this withdrawal a payout of its user. */
export const canTakePayout = (row: WithdrawalRow): boolean => row.called_ms !== null && !hasPayout(row)

type OwnerResult =
  | { readonly result: 'done'; readonly payout: MerchantPayout }
  | { readonly result: 'proposed'; readonly proposal: Proposal }

/**
 * `POST /api/operate/payouts/{uuid}/owner`: a person says whose a payout is, or proposes it to a second one.
 * @throws Problem as the merchant's call does; `conflict` says who was faster
 */
export function createGiveOwner({ store, audited, twoPersonsAbove, proposals, setOwner }: GiveOwnerOptions) {
  const winner = async (uuid: string) => ownerGiver(store, await findPayout(store, uuid))

  /** What the merchant's call would refuse is not proposed. */
  async function assertGivable(
    payout: PayoutRow,
    named: WithdrawalRow | null,
    request: OwnershipRequest,
  ): Promise<void> {
    if (payout.owner !== null) {
      const why = `This payout has an owner: ${payout.owner}.`
      const settled = await ownerGiver(store, payout)
      throw settled === null ? new Problem('conflict', why) : conflictWith(settled, why)
    }
    if ('acknowledged' in request) return
    if (named === null || compareTexts(named.user_reference_id, payout.user_reference_id) !== 'agree')
      throw new Problem('invalid_request', 'Not valid: withdrawal_id.', {
        errors: { withdrawal_id: ["must be a withdrawal of the payout's user"] },
      })
    if (!canTakePayout(named))
      throw new Problem('conflict', 'This withdrawal has a payout, or was not sent to the gateway.', {
        withdrawal_status: named.status,
      })
  }

  return async (actor: Actor, uuid: string, request: OwnershipRequest): Promise<OwnerResult> => {
    const payout = await findPayout(store, uuid)
    const { user_reference_id, transaction_uuid, currency_code, amount } = payout
    const { reason } = request
    const withdrawal_id = 'withdrawal_id' in request ? request.withdrawal_id : null
    const named = withdrawal_id === null ? null : await store.withdrawals.find(withdrawal_id)
    const withdrawals = named === null ? [] : [named]
    if (needsTwoPersons(twoPersonsAbove, payout, ...withdrawals)) {
      await assertGivable(payout, named, request)
      const content = { withdrawal_id, transaction_uuid, amount, currency_code }
      const draft = { kind: 'owner', subject: transaction_uuid, user_reference_id, content, reason } as const
      return { result: 'proposed', proposal: await proposals.propose(actor, draft) }
    }
    const about = { kind: 'payout', id: transaction_uuid, user_reference_id }
    const action = withdrawal_id === null ? 'payout.acknowledge' : 'payout.give'
    const entry = { operator: actor, action, about, reason, detail: { withdrawal_id } }
    const given: PayoutOwnerRequest =
      withdrawal_id === null ? { acknowledged: true, note: reason } : { withdrawal_id, note: reason }
    const owned = await audited(entry, () =>
      orTellWinner(
        () => setOwner(transaction_uuid, given, settledByOf(actor), byOnePerson(twoPersonsAbove, ...withdrawals)),
        () => winner(transaction_uuid),
      ),
    )
    return { result: 'done', payout: owned }
  }
}
