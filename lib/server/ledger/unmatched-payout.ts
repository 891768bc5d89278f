import { asPayout, type ListedRecord } from './facts.ts'
import { calledAtEarliest, type ClockOffset } from './gateway-time.ts'
import type { WithdrawalRow } from './rows.ts'
import { isSameCurrency } from './same-currency.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { isNamedByErrorAlone } from './withdrawal-states.ts'

/**
 * A payout in the list may belong to this withdrawal though nothing links them: the gateway may spell the address
 * otherwise, deduct a fee, truncate or round the amount, and clocks differ. A payout counts from this long before the
 * call.
 */
const BEFORE_CALL_MS = 900_000
const DAY_MS = 86_400_000

/** The payouts of a scan that may belong to this withdrawal, including records of unknown types. */
export function nearPayouts(
  row: WithdrawalRow,
  records: readonly ListedRecord[],
  offset: ClockOffset,
): readonly ListedRecord[] {
  const called = calledAtEarliest(row, offset)
  if (called === null) return []
  return records.filter((record) => {
    const payout = asPayout(record)
    return (
      payout !== null &&
      isSameCurrency(row, payout) &&
      record.user_reference_id === row.user_reference_id &&
      // An unreadable time, or one that cannot be compared, proves nothing, so the record counts.
      !(row.clock_offset_ms !== null && Date.parse(record.inserted_at) < called - BEFORE_CALL_MS)
    )
  })
}

/** True for a record of an unknown type that has the uuid of a deposit or a purchase. */
export const isKnownAsOther = (unit: UnitOfWork, { fact, transaction_uuid }: ListedRecord): boolean =>
  fact === null && (['deposit', 'onramp'] as const).some((kind) => unit.transaction(kind, transaction_uuid) !== null)

/**
 * A payout of a scan that belongs to no withdrawal. While there is one, this withdrawal cannot count as absent
 * (docs/explanation/money.md, "Absence"). The unit has loaded the transactions and withdrawals of `nearPayouts`.
 */
export function unmatchedPayout(
  unit: UnitOfWork,
  row: WithdrawalRow,
  records: readonly ListedRecord[],
  offset: ClockOffset,
): ListedRecord | null {
  const isLinked = ({ transaction_uuid }: ListedRecord): boolean =>
    unit.withdrawalOf(transaction_uuid) !== null ||
    (unit.transaction('payout', transaction_uuid)?.withdrawal_id ?? null) !== null
  return nearPayouts(row, records, offset).find((payout) => !isLinked(payout) && !isKnownAsOther(unit, payout)) ?? null
}

/**
 * Looks for the payout of a withdrawal that the gateway accepted long ago: if a payout near its call belongs to no
 * withdrawal, a person is asked whether it is this withdrawal's. A payout from over a day before the call does not
 * count, even if clocks differ. A `broken` scan may lack the payout that a person was asked about, so it ends no
 * question.
 */
export function reviewAccepted(
  unit: UnitOfWork,
  row: WithdrawalRow,
  records: readonly ListedRecord[],
  { offset, broken }: { readonly offset: ClockOffset; readonly broken: boolean },
): void {
  const since = (row.called_ms ?? row.created_ms) - DAY_MS
  const recent = records.filter(({ inserted_at }) => !(Date.parse(inserted_at) < since))
  const payout = unmatchedPayout(unit, row, recent, offset)
  if (payout !== null) askForPerson(unit, row, payout)
  else if (!broken) endAttention(unit, row)
}

/**
 * An error reply named a transaction long ago, and the list does not have it: the gateway may have dropped it, or paid
 * under another uuid. A person is asked: about a payout that may be the withdrawal's, or else about that transaction.
 */
export function reviewNamed(
  unit: UnitOfWork,
  row: WithdrawalRow,
  records: readonly ListedRecord[],
  offset: ClockOffset,
): void {
  if (!isNamedByErrorAlone(row) || row.transaction_uuid === null) return
  const { id: withdrawal_id, transaction_uuid } = row
  const named = { transaction_uuid, record: JSON.stringify({ withdrawal_id, transaction_uuid }) }
  askForPerson(unit, row, unmatchedPayout(unit, row, records, offset) ?? named)
}

/** Asks a person to settle the withdrawal; one quarantine line stays open until then. Returns the changed row. */
export function askForPerson(
  unit: UnitOfWork,
  row: WithdrawalRow,
  payout: Pick<ListedRecord, 'transaction_uuid' | 'record'>,
): WithdrawalRow {
  if (row.attention !== null) return row
  const asked: WithdrawalRow = { ...row, attention: 'unmatched_payout' }
  unit.putWithdrawal(asked)
  unit.quarantine({
    reason: 'unmatched_payout',
    event_name: 'User Payout',
    user_reference_id: row.user_reference_id,
    transaction_uuid: payout.transaction_uuid,
    event: payout.record,
  })
  return asked
}

/** The withdrawal no longer waits for a person. With the user's last such withdrawal its reports are settled. */
export function endAttention(unit: UnitOfWork, row: WithdrawalRow): WithdrawalRow {
  if (row.attention === null) return row
  const ended: WithdrawalRow = { ...row, attention: null }
  unit.putWithdrawal(ended)
  unit.endAttention(row.user_reference_id)
  return ended
}
