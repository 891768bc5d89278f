/** What a person's resolution of a withdrawal changes, as rules without a database. */
import type { WithdrawalResolutionRequest } from '#lib/contract/withdrawal-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { compareTexts } from '../ledger/compare.ts'
import { reportTaken, takenDetail } from '../ledger/disputes.ts'
import { applyRecords, isKnownAsOther, type ListOptions } from '../ledger/apply-records.ts'
import { asPayout, type Fact, type ListedRecord } from '../ledger/facts.ts'
import { attentionOf } from '../ledger/payouts/attention.ts'
import { followNamed, freeOther, givePayout, openAwaited } from '../ledger/payouts/payout-owners.ts'
import type { TakenPayout } from '../ledger/rows.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { hasWithdrawalEnded } from '../ledger/withdrawal-statuses.ts'
import type { PayoutRow, CalledWithdrawal, Decider, WithdrawalRow } from '../store/types.ts'

const conflict = ({ status }: WithdrawalRow, why: string): Problem =>
  new Problem('conflict', `${why}: it is ${status}.`, { withdrawal_status: status })

export const noSuchPayout = (): Problem =>
  new Problem('invalid_request', 'Not valid: transaction_uuid.', {
    errors: {
      transaction_uuid: ["must be a payout of this user in the gateway's list that no other withdrawal has"],
    },
  })

/**
 * The withdrawal, if a person may settle it: it is `unknown`, or has `attention`.
 * @throws `Problem` `not_found` or `conflict`
 */
export function settleable(row: WithdrawalRow | null, open: readonly PayoutRow[], nowMs: number): WithdrawalRow {
  if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
  if (row.status === 'unknown' || attentionOf(row, open, nowMs) !== null) return row
  throw conflict(row, 'This withdrawal is not unknown, or no longer')
}

/** Ends a withdrawal that nobody has decided, and that was never sent. */
const endUndecided = (unit: UnitOfWork, row: WithdrawalRow, resolution: string): void =>
  void settleWithdrawal(unit, row, {
    evidence: { kind: 'not_sent' },
    source: 'cashier',
    also: { step: 'ended', early_decision: null, resolution },
  })

/** What says that the withdrawal's own payout succeeded, although it could not be followed. */
const successesOf = (unit: UnitOfWork, { transaction_uuid }: WithdrawalRow): readonly Fact[] =>
  transaction_uuid === null ? [] : unit.facts('payout', transaction_uuid).filter(({ status }) => status === 'succeeded')

/** Whether one of these messages is about this user, or may be. */
const isAbout = (user: string, facts: readonly Fact[]): boolean =>
  facts.some(({ user_reference_id }) => compareTexts(user_reference_id, user) !== 'differ')

/** While payouts belong to nothing, they may be this withdrawal's. */
const unowned = (open: readonly PayoutRow[]): Problem =>
  new Problem('conflict', 'Payouts of this user belong to nothing yet. Say first whose they are.', {
    unowned: open.map(({ transaction_uuid }) => transaction_uuid),
  })

/** The withdrawal has waited too long for its own payout. */
export const waitsFor = (row: WithdrawalRow, transaction_uuid: string): boolean =>
  row.overdue_ms !== null && compareTexts(row.transaction_uuid, transaction_uuid.toLowerCase()) === 'agree'

/** The same, and the list has shown that payout, or a message told of its success: a person's word ends it. */
const isStuck = (unit: UnitOfWork, row: WithdrawalRow, transaction_uuid: string): boolean =>
  waitsFor(row, transaction_uuid) && (row.record_status !== null || successesOf(unit, row).length > 0)

/** Links the withdrawal with this payout of the list. If a webhook contradicts the list, the person's decision counts. */
function follow(unit: UnitOfWork, row: CalledWithdrawal, listed: ListedRecord, options: ListOptions): void {
  const { transaction_uuid } = listed
  const owner = unit.withdrawalOf(transaction_uuid)
  const known = unit.payout(transaction_uuid)
  if ((owner ?? row).id !== row.id || (known?.withdrawal_id ?? row.id) !== row.id) throw noSuchPayout()
  if (asPayout(listed) === null || isKnownAsOther(unit, transaction_uuid)) throw noSuchPayout()
  freeOther(unit, row, transaction_uuid)
  const other = row.transaction_uuid === transaction_uuid ? null : row.transaction_uuid
  // It has not waited for this payout: what was reported about it ends.
  if (other !== null && row.overdue_ms !== null) for (const key of [row.id, other]) unit.settleReport('overdue', key)
  const named = { transaction_uuid, ...(other !== null && { overdue_ms: null }) }
  // The failure of another record counts no more.
  const isOther = row.failure === 'record' && row.transaction_uuid !== transaction_uuid
  unit.putWithdrawal(isOther ? { ...row, ...named, failure: 'absent' } : { ...row, ...named })
  applyRecords(unit, [listed], () => unit.now, options)
  const linked = unit.withdrawal(row.id)
  // A person's word proves that events of the payout are this merchant's.
  const isLinked = unit.transaction('payout', transaction_uuid)?.withdrawal_id === row.id
  if (linked !== null && !(isLinked && hasWithdrawalEnded(linked.status))) followNamed(unit, linked, transaction_uuid)
  const payout = unit.payout(transaction_uuid)
  if (linked === null || payout === null || payout.withdrawal_id !== null) return
  // It may stand under another name: of the same user, before an erasure.
  const own = { ...payout, user_reference_id: row.user_reference_id }
  givePayout(unit, own, unit.withdrawal(row.id) ?? linked, listed.record)
}

interface PersonsWord {
  readonly resolution: WithdrawalResolutionRequest
  /** The payout in the gateway's list; null for `not_sent`, and if a stuck withdrawal's own is not shown now. */
  readonly listed: ListedRecord | null
  /** What another user has of the user's list, for `not_sent`. */
  readonly taken: readonly TakenPayout[]
  readonly by: Decider
}

/** What has changed since the person looked: it waited and has been sent, or what was not sent has got a payout. */
export function changedSince(
  seen: WithdrawalRow,
  present: WithdrawalRow | null,
  { outcome }: Pick<WithdrawalResolutionRequest, 'outcome'>,
): Problem | null {
  if (present === null) return null
  if (seen.called_ms !== present.called_ms) return conflict(present, 'This withdrawal waits no longer')
  return outcome === 'not_sent' && seen.transaction_uuid !== present.transaction_uuid
    ? conflict(present, 'The gateway has named another payout of this withdrawal meanwhile')
    : null
}

/**
 * Settles a withdrawal as a person says. The unit has loaded the user's attempts, and the payout with its related rows.
 * @returns the reason why it is refused, although what the unit has changed is to be saved; else null
 * @throws `Problem` `not_found`, `conflict`, or `invalid_request` for a payout that cannot belong to it
 */
export function applyResolution(
  unit: UnitOfWork,
  id: string,
  { resolution, listed, taken, by }: PersonsWord,
  options: ListOptions,
): Problem | null {
  const stored = unit.withdrawal(id)
  const user = stored?.user_reference_id ?? ''
  const present = settleable(stored, unit.openPayouts(user), unit.now)
  const isPaid = resolution.outcome === 'sent' && isStuck(unit, present, resolution.transaction_uuid)
  if (resolution.outcome === 'sent' && listed === null && !isPaid) throw noSuchPayout()
  if (resolution.outcome === 'not_sent' && unit.openPayouts(user).length > 0) {
    openAwaited(unit, user)
    return unowned(unit.openPayouts(user))
  }
  if (resolution.outcome === 'not_sent' && taken.length > 0) {
    reportTaken(unit, user, taken)
    return new Problem('conflict', takenDetail(taken))
  }
  if (resolution.outcome === 'not_sent' && isAbout(user, successesOf(unit, present)))
    throw conflict(present, 'A message says that it was paid')
  const resolved_at = new Date(unit.now).toISOString()
  const kept = JSON.stringify({ ...resolution, resolved_at, settled_by: by })
  if (present.called_ms === null) {
    if (resolution.outcome === 'sent') throw noSuchPayout()
    endUndecided(unit, present, kept)
    return null
  }
  const row = { ...present, resolution: kept }
  unit.putWithdrawal(row)
  if (listed !== null) follow(unit, row, listed, options)
  const linked = unit.withdrawal(id) ?? row
  if (isPaid && !hasWithdrawalEnded(linked.status)) {
    const transaction_uuid = linked.transaction_uuid ?? resolution.transaction_uuid
    settleWithdrawal(unit, linked, {
      evidence: { kind: 'payout', transaction_uuid, status: 'succeeded' },
      source: 'cashier',
    })
  } else if (resolution.outcome === 'not_sent')
    settleWithdrawal(unit, linked, { evidence: { kind: 'not_sent' }, source: 'cashier' })
  return null
}
