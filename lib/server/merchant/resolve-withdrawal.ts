import type { MerchantWithdrawal, WithdrawalResolutionRequest } from '#lib/contract/withdrawal-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import { compareTexts } from '../ledger/compare.ts'
import { UNREAD_DETAIL } from '../ledger/disputes.ts'
import { asPayout, possibleFacts, type ListedRecord } from '../ledger/facts.ts'
import type { ClockOffset } from '../ledger/gateway-time.ts'
import { mayBeToldBy } from '../ledger/payouts/attempts.ts'
import { anyPayout, type MayDecide } from '../ledger/payouts/may-decide.ts'
import { asOwnRecord, foreignNames, spelledOtherwise } from '../ledger/record-owner.ts'
import { merchantWithdrawalView } from '../ledger/withdrawal-view.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { Store, WithdrawalRow } from '../store/types.ts'
import { applyResolution, changedSince, noSuchPayout, settleable, waitsFor } from './apply-resolution.ts'
import { MERCHANT_BACKEND, requireScope, type MerchantCaller } from './merchant-caller.ts'

export interface ResolveWithdrawalOptions {
  readonly store: Store
  readonly ledgerMode: LedgerMode
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  readonly clock: () => number
  /** Reads the gateway's whole list of a user. @throws `Problem` if it cannot be read */
  readonly readList: (user: string) => Promise<readonly ListedRecord[]>
  readonly clockOffset: () => ClockOffset
}

/** Whether the withdrawal has this payout already, so that naming it gives it no owner. */
const isOwn = (unit: UnitOfWork, { id, transaction_uuid }: WithdrawalRow, uuid: string): boolean =>
  compareTexts(transaction_uuid, uuid) === 'agree' || unit.payout(uuid)?.withdrawal_id === id

/**
 * `POST /api/merchant/withdrawals/{id}/resolution` (docs/reference/merchant-api.md, "Settle an unknown withdrawal by
 * hand"): a person settles a withdrawal that is `unknown` or needs a person for its payout.
 * @throws Problem `not_found`, `conflict` if it is neither, `invalid_request` for a payout that cannot belong to it,
 * and `scope_required` for a payout that it does not have yet and a caller who may not own payouts
 */
export function createResolveWithdrawal(options: ResolveWithdrawalOptions) {
  const { store, ledgerMode, ledgerStartMs, clock, readList, clockOffset } = options
  const findPayout = async (row: WithdrawalRow, uuid: string): Promise<ListedRecord | null> => {
    const { user_reference_id: user } = row
    const named = (await readList(user)).filter(
      (listed) => listed.transaction_uuid.toLowerCase() === uuid.toLowerCase() && asPayout(listed) !== null,
    )
    const names = named.map(({ user_reference_id }) => user_reference_id)
    const others = foreignNames(user, names, await store.users.knownAmong(spelledOtherwise(user, names)))
    const found = named.find(({ user_reference_id }) => !others.has(user_reference_id))
    if (found === undefined && !waitsFor(row, uuid)) throw noSuchPayout()
    return found === undefined ? null : asOwnRecord(user, found)
  }

  /**
   * Stores what the list shows now, since a payout in it may be the withdrawal's. While the gateway is away, a person
   * decides by what is stored.
   */
  const storeList = async (user: string): Promise<void> => {
    const records = await readList(user).catch((error: unknown) => {
      if (error instanceof Problem) return null
      throw error
    })
    if (records === null) return
    await store.applyRecords(user, records, { ledgerMode, ledgerStartMs, clockOffset: clockOffset() })
  }

  return async (
    id: string,
    resolution: WithdrawalResolutionRequest,
    caller: MerchantCaller = MERCHANT_BACKEND,
    mayDecide: MayDecide = anyPayout,
  ): Promise<MerchantWithdrawal> => {
    const first = await store.withdrawals.find(id)
    const user = first?.user_reference_id ?? ''
    const asked = settleable(first, await store.payouts.openOf([user]), clock())
    const listed = resolution.outcome === 'sent' ? await findPayout(asked, resolution.transaction_uuid) : null
    const payout = listed === null ? null : asPayout(listed)
    if (payout !== null) mayDecide(payout)
    if (resolution.outcome === 'not_sent' && asked.called_ms !== null) await storeList(user)
    const own = asked.transaction_uuid
    const answer = await store.transaction(async (tx): Promise<MerchantWithdrawal | Problem> => {
      const facts = listed === null ? [] : possibleFacts(listed)
      const named = own === null ? [] : [{ kind: 'payout', transaction_uuid: own } as const]
      const unit = await tx.load({
        users: [user],
        withdrawals: [id],
        attemptsOf: [user],
        transactions: [...facts, ...named],
      })
      await tx.loadRelated(unit, facts)
      unit.actsFor(caller.by)
      if (listed !== null && !isOwn(unit, unit.withdrawal(id) ?? asked, listed.transaction_uuid))
        requireScope(caller, 'payouts')
      const taken = resolution.outcome === 'not_sent' ? await tx.quarantine.takenPayouts(user) : []
      const rules = { ledgerMode, ledgerStartMs, clockOffset: clockOffset() }
      const isUnsent = resolution.outcome === 'not_sent' && asked.called_ms !== null
      const unread = isUnsent ? await tx.quarantine.unreadPayouts(user) : []
      const isUnread = unread.some((line) => mayBeToldBy(unit.withdrawal(id) ?? asked, line))
      const refused =
        changedSince(asked, unit.withdrawal(id), resolution) ??
        (isUnread ? new Problem('conflict', UNREAD_DETAIL) : null) ??
        applyResolution(unit, id, { resolution, listed, taken, by: caller.by }, rules)
      await tx.save(unit)
      return refused ?? merchantWithdrawalView(unit.withdrawal(id) ?? asked, unit.openPayouts(user), tx.now)
    })
    if (answer instanceof Problem) throw answer
    return answer
  }
}
