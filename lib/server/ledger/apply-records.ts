import type { Tx } from '../store/port.ts'
import { applyFact, type ApplyOptions } from './apply-fact.ts'
import type { ListedRecord } from './facts.ts'

const millis = (iso: string): number | null => {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? null : ms
}

/**
 * Stores records of a user's list, newest first as the list gives them, and applies their facts like those of webhooks,
 * oldest first. A record that is stored unchanged costs one read. The transaction must have locked the user. Returns
 * how many states were new.
 */
export async function applyRecords(
  tx: Tx,
  user: string,
  records: readonly ListedRecord[],
  options: Pick<ApplyOptions, 'ledgerMode' | 'clockOffset'>,
): Promise<number> {
  const own = records.filter((listed) => listed.user_reference_id === user)
  const stored = await tx.records.byUuids(
    user,
    own.map(({ transaction_uuid }) => transaction_uuid),
  )
  const known = new Map(stored.map((row) => [row.transaction_uuid, row.record]))
  let applied = 0
  for (const { fact, currency, user_reference_id, ...listed } of own.toReversed()) {
    const unchanged = known.get(listed.transaction_uuid) === listed.record
    const insertedMs = millis(listed.inserted_at) ?? tx.now
    if (!unchanged) {
      await tx.records.put({ ...listed, user_reference_id, inserted_ms: insertedMs, seen_ms: tx.now })
      await tx.currencies.learn(currency, tx.now)
    }
    if (fact === null) continue
    // An unchanged payout may belong to a withdrawal that is newer than when we first saw the payout.
    if (unchanged && fact.kind !== 'payout') continue
    if ((await applyFact(tx, fact, { ...options, insertedMs, evidence: listed.record })) === 'applied') applied += 1
  }
  return applied
}
