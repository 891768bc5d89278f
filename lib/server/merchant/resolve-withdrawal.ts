import type { MerchantWithdrawal, WithdrawalResolutionRequest } from '#lib/contract/merchant-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import { applyRecords } from '../ledger/apply-records.ts'
import { asPayout, possibleFacts, type ListedRecord } from '../ledger/facts.ts'
import { isPayout, settleByPayout } from '../ledger/follow-payout.ts'
import type { ClockOffset } from '../ledger/gateway-time.ts'
import { matchPayout } from '../ledger/match-payout.ts'
import { payoutCandidates } from '../ledger/payout-candidates.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import { hasWithdrawalEnded } from '../ledger/withdrawal-statuses.ts'
import { isSameCurrency } from '../ledger/same-currency.ts'
import { isKnownAsOther } from '../ledger/unmatched-payout.ts'
import { merchantWithdrawalView } from '../ledger/withdrawal-view.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { isNamedByErrorAlone } from '../ledger/withdrawal-states.ts'
import type { Store, WithdrawalRow } from '../store/types.ts'

export interface ResolveWithdrawalOptions {
  readonly store: Store
  readonly ledgerMode: LedgerMode
  /** Reads the gateway's whole list of a user. Throws a `Problem` if it cannot be read. */
  readonly readList: (user: string) => Promise<readonly ListedRecord[]>
  readonly clockOffset: () => ClockOffset
}

const conflict = ({ status }: WithdrawalRow, why: string): Problem =>
  new Problem('conflict', `${why}: it is ${status}.`, { withdrawal_status: status })

const noSuchPayout = (): Problem =>
  new Problem('invalid_request', 'Not valid: transaction_uuid.', {
    errors: {
      transaction_uuid: [
        "must be a payout of this user and currency in the gateway's list that no other withdrawal has",
      ],
    },
  })

/**
 * The withdrawal, if this outcome may settle it: it is `unknown`, or needs a person for its payout. A withdrawal that
 * the gateway accepted is never `not_sent`.
 */
function settleable(row: WithdrawalRow | null, outcome: WithdrawalResolutionRequest['outcome']): WithdrawalRow {
  if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
  if (row.status === 'unknown') return row
  if (row.attention === null) throw conflict(row, 'This withdrawal is not unknown, or no longer')
  if (outcome === 'not_sent' && !isNamedByErrorAlone(row)) throw conflict(row, 'The gateway accepted this withdrawal')
  return row
}

/**
 * True if the payout belongs to another withdrawal: an accepted one with its details and no payout yet, or an uncertain
 * one with its details if this withdrawal has other details.
 */
function fitsAnother(unit: UnitOfWork, row: WithdrawalRow, listed: ListedRecord, clockOffset: ClockOffset): boolean {
  const fact = asPayout(listed)
  const insertedMs = Date.parse(listed.inserted_at)
  const found = fact && payoutCandidates(unit, fact, { insertedMs, listedMs: null, clockOffset })
  if (found === null) return false
  const { candidates, payout } = found
  const other = matchPayout(
    candidates.filter(({ id }) => id !== row.id),
    payout,
  )
  if (other === null || other.status === 'failed') return false
  return other.status !== 'unknown' || !candidates.some(({ id }) => id === row.id)
}

/**
 * Links the withdrawal with this payout of the list. If a webhook contradicts the list, the person's decision counts.
 */
function follow(
  unit: UnitOfWork,
  row: WithdrawalRow,
  listed: ListedRecord,
  { ledgerMode, clockOffset }: { readonly ledgerMode: LedgerMode; readonly clockOffset: ClockOffset },
): void {
  const { transaction_uuid } = listed
  const fact = asPayout(listed)
  const known = unit.transaction('payout', transaction_uuid)
  const owner = unit.withdrawalOf(transaction_uuid)
  if ((owner ?? row).id !== row.id || (known?.withdrawal_id ?? row.id) !== row.id) throw noSuchPayout()
  const isNamed = owner !== null
  if (isKnownAsOther(unit, listed) || (!isNamed && fitsAnother(unit, row, listed, clockOffset))) throw noSuchPayout()
  unit.putWithdrawal({ ...row, transaction_uuid })
  applyRecords(unit, [listed], () => true, { ledgerMode })
  const linked = unit.withdrawal(row.id)
  if (linked === null || hasWithdrawalEnded(linked.status)) return
  if (fact === null || !isPayout(fact)) return
  const stored = unit.transaction('payout', transaction_uuid)
  if (stored !== null) unit.putTransaction({ ...stored, withdrawal_id: row.id })
  settleByPayout(unit, linked, fact, 'reconciliation')
}

/**
 * `POST /api/merchant/withdrawals/{id}/resolution` (docs/reference/merchant-api.md, "Settle an unknown withdrawal by
 * hand"): a person settles a withdrawal that is `unknown` or needs a person for its payout. Throws `not_found`,
 * `conflict` if it is neither, and `invalid_request` for a payout that cannot belong to it.
 */
export function createResolveWithdrawal({ store, ledgerMode, readList, clockOffset }: ResolveWithdrawalOptions) {
  const findPayout = async (row: WithdrawalRow, uuid: string): Promise<ListedRecord> => {
    const records = await readList(row.user_reference_id)
    const found = records.find((listed) => {
      const payout = asPayout(listed)
      return (
        listed.transaction_uuid.toLowerCase() === uuid.toLowerCase() &&
        listed.user_reference_id === row.user_reference_id &&
        payout !== null &&
        isSameCurrency(row, payout)
      )
    })
    if (found === undefined) throw noSuchPayout()
    return found
  }

  return async (id: string, resolution: WithdrawalResolutionRequest): Promise<MerchantWithdrawal> => {
    const first = settleable(await store.withdrawals.find(id), resolution.outcome)
    const payout = resolution.outcome === 'sent' ? await findPayout(first, resolution.transaction_uuid) : null
    return store.transaction(async (tx) => {
      const unit = await tx.load({
        users: [first.user_reference_id],
        withdrawals: [id],
        transactions: payout === null ? [] : possibleFacts(payout),
      })
      if (payout !== null) await tx.loadRelated(unit, possibleFacts(payout))
      const present = settleable(unit.withdrawal(id), resolution.outcome)
      const resolved_at = new Date(tx.now).toISOString()
      const row = { ...present, resolution: JSON.stringify({ ...resolution, resolved_at }) }
      unit.putWithdrawal(row)
      if (payout === null) settleWithdrawal(unit, row, { evidence: { kind: 'absent' }, source: 'cashier' })
      else follow(unit, row, payout, { ledgerMode, clockOffset: clockOffset() })
      await tx.save(unit)
      return merchantWithdrawalView(unit.withdrawal(id) ?? row)
    })
  }
}
