import type { MerchantPayout, PayoutOwnerRequest } from '#lib/contract/withdrawal-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { compareTexts } from '../ledger/compare.ts'
import { hasPayout } from '../ledger/payouts/attempts.ts'
import { anyPayout, type MayDecide } from '../ledger/payouts/may-decide.ts'
import { payoutView } from '../ledger/payouts/payout-view.ts'
import { followNamed, freeNamed, givePayout, setOwner } from '../ledger/payouts/payout-owners.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { PayoutRow, Decider, Store, UnitKeys, WithdrawalRow } from '../store/types.ts'

/** The payout, if nobody owns it. */
function openPayout(payout: PayoutRow | null): PayoutRow {
  if (payout === null) throw new Problem('not_found', 'There is no such payout.')
  if (payout.owner !== null) throw new Problem('conflict', `This payout has an owner: ${payout.owner}.`)
  return payout
}

/** @throws `Problem` `conflict` if the payout has paid a withdrawal */
function assertUnpaid(unit: UnitOfWork, { transaction_uuid }: PayoutRow): void {
  if (unit.withdrawalOf(transaction_uuid)?.status === 'succeeded')
    throw new Problem('conflict', 'A withdrawal was paid by this payout.')
}

/** The withdrawal, if a person may give it this payout. */
function payableBy(row: WithdrawalRow | undefined): WithdrawalRow {
  if (row === undefined)
    throw new Problem('invalid_request', 'Not valid: withdrawal_id.', {
      errors: { withdrawal_id: ["must be a withdrawal of the payout's user"] },
    })
  const conflict = (why: string) => new Problem('conflict', why, { withdrawal_status: row.status })
  if (row.called_ms === null) throw conflict('This withdrawal was not sent to the gateway.')
  if (hasPayout(row)) throw conflict('This withdrawal has a payout.')
  return row
}

/** Gives the payout the owner that a person names. @throws `Problem` `invalid_request` or `conflict` */
export function applyOwner(unit: UnitOfWork, payout: PayoutRow, request: PayoutOwnerRequest): void {
  const note = request.note ?? null
  if ('acknowledged' in request) {
    setOwner(unit, payout, 'acknowledged', { note })
    return
  }
  const own = unit.withdrawalsOf(payout.user_reference_id).find(({ id }) => id === request.withdrawal_id)
  const row = payableBy(own)
  givePayout(unit, { ...payout, note }, row, JSON.stringify(payout))
  // A person's word proves that events of the payout are this merchant's.
  followNamed(unit, unit.withdrawal(row.id) ?? row, payout.transaction_uuid)
}

/**
 * `POST /api/merchant/payouts/{transaction_uuid}/owner` (docs/reference/merchant-api.md, "Say whose a payout is"): a
 * person gives a payout that nobody owns to a withdrawal, or acknowledges it as none of ours.
 * @throws Problem `not_found`, `conflict` if the payout has an owner or the withdrawal has a payout, and
 * `invalid_request` for a withdrawal of another user
 */
export const createSetPayoutOwner =
  (store: Pick<Store, 'payouts' | 'transaction' | 'withdrawals'>) =>
  async (
    transaction_uuid: string,
    request: PayoutOwnerRequest,
    by: Decider = 'merchant',
    mayDecide: MayDecide = anyPayout,
  ): Promise<MerchantPayout> => {
    const { user_reference_id } = openPayout(await store.payouts.find(transaction_uuid))
    const named = 'withdrawal_id' in request ? await store.withdrawals.find(request.withdrawal_id) : null
    const uuids = [transaction_uuid, named?.transaction_uuid ?? null]
    return store.transaction(async (tx) => {
      const keys: UnitKeys = {
        users: [user_reference_id],
        transactions: uuids.flatMap((uuid) => (uuid === null ? [] : [{ kind: 'payout', transaction_uuid: uuid }])),
        withdrawals: 'withdrawal_id' in request ? [request.withdrawal_id] : [],
      }
      let unit = await tx.load(keys)
      const holder = unit.withdrawalOf(transaction_uuid)?.user_reference_id ?? user_reference_id
      if (compareTexts(holder, user_reference_id) === 'differ')
        unit = await tx.load({ ...keys, users: [user_reference_id, holder] })
      const payout = openPayout(unit.payout(transaction_uuid))
      mayDecide(payout)
      if ('withdrawal_id' in request) assertUnpaid(unit, payout)
      if ('withdrawal_id' in request && freeNamed(unit, payout, request.withdrawal_id)) {
        await tx.save(unit)
        unit = await tx.load(keys)
      }
      unit.actsFor(by)
      applyOwner(unit, payout, request)
      await tx.save(unit)
      return payoutView(unit.payout(transaction_uuid) ?? payout)
    })
  }
