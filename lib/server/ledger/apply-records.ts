import { payoutState, RECORD_KINDS, recordState } from './states.ts'
import type { TransactionRecord, TransactionsList } from '../gateway/port.ts'
import type { Tx } from '../store/port.ts'
import { applyFact } from './apply-fact.ts'
import type { Fact } from './facts.ts'

/** A record of the list as a fact; null for a type that nothing is known of. */
function factOfRecord(record: TransactionRecord): Fact | null {
  const kind = Object.hasOwn(RECORD_KINDS, record.type) ? RECORD_KINDS[record.type] : undefined
  if (kind === undefined) return null
  return {
    kind,
    transaction_uuid: record.transaction_uuid,
    status: kind === 'payout' ? payoutState(record.status) : recordState(record.status),
    source: 'reconciliation',
    user_reference_id: record.user_ref_id,
    currency_id: record.currency.id,
    currency_code: record.currency.code,
    network: record.currency.network,
    amount: record.amount,
    amount_usd: record.amount_usd,
    to_address: record.to_address,
    from_address: record.from_address,
    tx_hash: record.tx_hash,
    payment_method: null,
    provider_transaction_id: record.provider_transaction_id,
    from_amount: null,
    from_currency: null,
    correlation_key: record.correlation_key,
    session_reference: null,
    occurred_at: record.updated_at ?? record.inserted_at,
  }
}

const millis = (iso: string): number | null => {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? null : ms
}

/**
 * Takes records of a user's list into the store and the books as if webhooks had told them, oldest first; those that
 * stand in the store unchanged cost one read. The transaction must have locked the user. Gives how many were news.
 */
export async function applyRecords(
  tx: Tx,
  user: string,
  edges: TransactionsList['edges'],
  options: { readonly books: boolean },
): Promise<number> {
  const own = edges.filter(({ node }) => node.user_ref_id === user)
  const stored = await tx.records.byUuids(
    user,
    own.map(({ node }) => node.transaction_uuid),
  )
  const known = new Map(stored.map((row) => [row.transaction_uuid, row.record]))
  let news = 0
  for (const { node: record, cursor } of own.toReversed()) {
    const text = JSON.stringify(record)
    const unchanged = known.get(record.transaction_uuid) === text
    const insertedMs = millis(record.inserted_at) ?? tx.now
    if (!unchanged) {
      await tx.records.put({
        user_reference_id: user,
        transaction_uuid: record.transaction_uuid,
        type: record.type,
        status: record.status,
        inserted_ms: insertedMs,
        inserted_at: record.inserted_at,
        cursor,
        record: text,
        seen_ms: tx.now,
      })
      await tx.currencies.learn(
        {
          id: record.currency.id,
          name: record.currency.name,
          currency_code: record.currency.code,
          symbol: record.currency.symbol,
          network: record.currency.network,
        },
        tx.now,
      )
    }
    const fact = factOfRecord(record)
    if (fact === null) continue
    // An unchanged payout may still name a withdrawal that is newer than our first sight of it.
    if (unchanged && fact.kind !== 'payout') continue
    if ((await applyFact(tx, fact, { books: options.books, insertedMs, evidence: text })) === 'applied') news += 1
  }
  return news
}
