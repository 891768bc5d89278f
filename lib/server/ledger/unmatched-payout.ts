import type { Tx, WithdrawalRow } from '../store/port.ts'
import type { ListedRecord } from './facts.ts'
import { calledAt, type ClockOffset } from './gateway-time.ts'

/**
 * A payout of the list may be this withdrawal's though nothing links them: the gateway may spell the address otherwise,
 * take a fee off the amount, cut or round it, and clocks differ. It counts from this long before the call.
 */
const BEFORE_CALL_MS = 900_000

/** The unlinked payout of a scan that keeps this withdrawal from being taken as never made (docs/api.md, "Absence"). */
export async function unmatchedPayout(
  tx: Tx,
  row: WithdrawalRow,
  records: readonly ListedRecord[],
  offset: ClockOffset,
): Promise<ListedRecord | null> {
  const called = calledAt(row, offset)
  if (called === null) return null
  const near = records.filter(
    ({ fact, user_reference_id, inserted_at }) =>
      fact?.kind === 'payout' &&
      fact.currency_id === row.currency_id &&
      user_reference_id === row.user_reference_id &&
      // A time that cannot be read proves nothing, so its record counts.
      !(Date.parse(inserted_at) < called - BEFORE_CALL_MS),
  )
  const uuids = near.map(({ transaction_uuid }) => transaction_uuid)
  const linked = new Set([
    ...(await tx.withdrawals.byTransactions(uuids)).map((other) => other.transaction_uuid),
    ...(await tx.transactions.byUuids(uuids)).flatMap((known) =>
      known.withdrawal_id === null ? [] : [known.transaction_uuid],
    ),
  ])
  return near.find(({ transaction_uuid }) => !linked.has(transaction_uuid)) ?? null
}

/** Asks a person to settle the withdrawal: one line in quarantine, as long as it waits. */
export async function askForPerson(tx: Tx, row: WithdrawalRow, payout: ListedRecord): Promise<void> {
  if (row.attention !== null) return
  await tx.withdrawals.update(row.id, { attention: 'unmatched_payout' })
  await tx.inbox.quarantine({
    reason: 'unmatched_payout',
    received_ms: tx.now,
    event_name: 'User Payout',
    user_reference_id: row.user_reference_id,
    transaction_uuid: payout.transaction_uuid,
    event: payout.record,
  })
}

/** The withdrawal waits for no person any more. The reports go with the last of a user that did. */
export async function endAttention(tx: Tx, row: WithdrawalRow): Promise<void> {
  if (row.attention === null) return
  await tx.withdrawals.update(row.id, { attention: null })
  if ((await tx.withdrawals.countAttention(row.user_reference_id)) === 0)
    await tx.inbox.settleUnmatched(row.user_reference_id, tx.now)
}
