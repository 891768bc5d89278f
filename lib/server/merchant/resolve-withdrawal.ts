import type { MerchantWithdrawal, WithdrawalResolutionRequest } from '#lib/contract/merchant-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import { applyRecords, isKnownAsOther, type ListOptions } from '../ledger/apply-records.ts'
import { compareTexts } from '../ledger/compare.ts'
import { asPayout, possibleFacts, type ListedRecord } from '../ledger/facts.ts'
import type { ClockOffset } from '../ledger/gateway-time.ts'
import { attentionOf } from '../ledger/payouts/attention.ts'
import { freeOther, givePayout, openAwaited } from '../ledger/payouts/payout-owners.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import { merchantWithdrawalView } from '../ledger/withdrawal-view.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { PayoutRow, Store, WithdrawalRow } from '../store/types.ts'

export interface ResolveWithdrawalOptions {
  readonly store: Store
  readonly ledgerMode: LedgerMode
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  readonly clock: () => number
  /** Reads the gateway's whole list of a user. Throws a `Problem` if it cannot be read. */
  readonly readList: (user: string) => Promise<readonly ListedRecord[]>
  readonly clockOffset: () => ClockOffset
}

const conflict = ({ status }: WithdrawalRow, why: string): Problem =>
  new Problem('conflict', `${why}: it is ${status}.`, { withdrawal_status: status })

const noSuchPayout = (): Problem =>
  new Problem('invalid_request', 'Not valid: transaction_uuid.', {
    errors: {
      transaction_uuid: ["must be a payout of this user in the gateway's list that no other withdrawal has"],
    },
  })

/** The withdrawal, if a person may settle it: it is `unknown`, or has `attention`. */
function settleable(row: WithdrawalRow | null, open: readonly PayoutRow[], nowMs: number): WithdrawalRow {
  if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
  if (row.status === 'unknown' || attentionOf(row, open, nowMs) !== null) return row
  throw conflict(row, 'This withdrawal is not unknown, or no longer')
}

/** While payouts belong to nothing, they may be this withdrawal's. */
const unowned = (open: readonly PayoutRow[]): Problem =>
  new Problem('conflict', 'Payouts of this user belong to nothing yet. Say first whose they are.', {
    unowned: open.map(({ transaction_uuid }) => transaction_uuid),
  })

/** Links the withdrawal with this payout of the list. If a webhook contradicts the list, the person's decision counts. */
function follow(unit: UnitOfWork, row: WithdrawalRow, listed: ListedRecord, options: ListOptions): void {
  const { transaction_uuid } = listed
  const owner = unit.withdrawalOf(transaction_uuid)
  const known = unit.payout(transaction_uuid)
  if ((owner ?? row).id !== row.id || (known?.withdrawal_id ?? row.id) !== row.id) throw noSuchPayout()
  if (asPayout(listed) === null || isKnownAsOther(unit, transaction_uuid)) throw noSuchPayout()
  freeOther(unit, row, transaction_uuid)
  // The failure of another record counts no more.
  const isOther = row.failure === 'record' && row.transaction_uuid !== transaction_uuid
  unit.putWithdrawal({ ...row, transaction_uuid, ...(isOther && { failure: 'absent' }) })
  applyRecords(unit, [listed], () => true, options)
  const linked = unit.withdrawal(row.id)
  const payout = unit.payout(transaction_uuid)
  if (linked !== null && payout !== null && payout.withdrawal_id === null)
    givePayout(unit, payout, linked, listed.record)
}

/**
 * `POST /api/merchant/withdrawals/{id}/resolution` (docs/reference/merchant-api.md, "Settle an unknown withdrawal by
 * hand"): a person settles a withdrawal that is `unknown` or needs a person for its payout. Throws `not_found`,
 * `conflict` if it is neither, and `invalid_request` for a payout that cannot belong to it.
 */
export function createResolveWithdrawal(options: ResolveWithdrawalOptions) {
  const { store, ledgerMode, ledgerStartMs, clock, readList, clockOffset } = options
  const findPayout = async (row: WithdrawalRow, uuid: string): Promise<ListedRecord> => {
    const records = await readList(row.user_reference_id)
    const found = records.find(
      (listed) =>
        listed.transaction_uuid.toLowerCase() === uuid.toLowerCase() &&
        compareTexts(listed.user_reference_id, row.user_reference_id) === 'agree' &&
        asPayout(listed) !== null,
    )
    if (found === undefined) throw noSuchPayout()
    return found
  }

  return async (id: string, resolution: WithdrawalResolutionRequest): Promise<MerchantWithdrawal> => {
    const first = await store.withdrawals.find(id)
    const user = first?.user_reference_id ?? ''
    const asked = settleable(first, await store.payouts.openOf([user]), clock())
    const payout = resolution.outcome === 'sent' ? await findPayout(asked, resolution.transaction_uuid) : null
    const own = asked.transaction_uuid
    const answer = await store.transaction(async (tx): Promise<MerchantWithdrawal | Problem> => {
      const unit = await tx.load({
        users: [user],
        withdrawals: [id],
        attemptsOf: [user],
        transactions: [
          ...(payout === null ? [] : possibleFacts(payout)),
          ...(own === null ? [] : [{ kind: 'payout', transaction_uuid: own } as const]),
        ],
      })
      if (payout !== null) await tx.loadRelated(unit, possibleFacts(payout))
      const present = settleable(unit.withdrawal(id), unit.openPayouts(user), tx.now)
      if (payout === null && unit.openPayouts(user).length > 0) {
        openAwaited(unit, user)
        await tx.save(unit)
        return unowned(unit.openPayouts(user))
      }
      const resolved_at = new Date(tx.now).toISOString()
      const row = { ...present, resolution: JSON.stringify({ ...resolution, resolved_at }) }
      unit.putWithdrawal(row)
      if (payout === null) settleWithdrawal(unit, row, { evidence: { kind: 'not_sent' }, source: 'cashier' })
      else follow(unit, row, payout, { ledgerMode, ledgerStartMs, clockOffset: clockOffset() })
      await tx.save(unit)
      return merchantWithdrawalView(unit.withdrawal(id) ?? row, unit.openPayouts(user), tx.now)
    })
    if (answer instanceof Problem) throw answer
    return answer
  }
}
