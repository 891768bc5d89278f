import { addressKey } from '#lib/addresses/index.ts'
import { canonical } from '#lib/contract/money.ts'
import type { OnrampRow, TransactionRow, Tx, WithdrawalRow } from '../store/port.ts'
import { settleCredits } from './credits.ts'
import { fold, hashKey, weigh, type Fact } from './facts.ts'
import { rankOf } from './states.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { tellTransaction } from './tell.ts'
import { watchOpen } from './watch-open.ts'
import { matchPayout } from './withdrawal-states.ts'

export interface ApplyOptions {
  /** The embedded ledger keeps the books; else nothing is booked. */
  readonly books: boolean
  /** For a record of the list: its time, which a match is checked against. */
  readonly insertedMs?: number
  /** JSON text of what told it, kept where it must be reported. */
  readonly evidence: string
}

const parseFact = (content: string): Fact => JSON.parse(content) as Fact

const rowOf = (folded: Fact, before: TransactionRow | null, now: number): TransactionRow => ({
  kind: folded.kind,
  transaction_uuid: folded.transaction_uuid,
  user_reference_id: folded.user_reference_id,
  status: folded.status,
  amount: folded.amount,
  currency_id: folded.currency_id,
  currency_code: folded.currency_code,
  network: folded.network,
  to_address: folded.to_address,
  from_address: folded.from_address,
  tx_hash: folded.tx_hash,
  tx_hash_key: hashKey(folded.tx_hash),
  amount_usd: folded.amount_usd,
  payment_method: folded.payment_method,
  provider_transaction_id: folded.provider_transaction_id,
  from_amount: folded.from_amount,
  from_currency: folded.from_currency,
  correlation_key: folded.correlation_key,
  session_reference: folded.session_reference,
  withdrawal_id: before?.withdrawal_id ?? null,
  onramp_session_id: before?.onramp_session_id ?? null,
  credited: before?.credited ?? '0',
  occurred_at: folded.occurred_at,
  created_ms: before?.created_ms ?? now,
  updated_ms: before?.status === folded.status ? before.updated_ms : now,
})

/** The on-ramp session of ours that an event belongs to: by its key, else by our own reference; never another user's. */
async function sessionOf(tx: Tx, fact: Fact): Promise<OnrampRow | null> {
  const byKey = fact.correlation_key === null ? null : await tx.onramps.byCorrelation(fact.correlation_key)
  const found = byKey ?? (fact.session_reference === null ? null : await tx.onramps.find(fact.session_reference))
  if (found === null) return null
  return fact.user_reference_id === null || fact.user_reference_id === found.user_reference_id ? found : null
}

async function withdrawalOf(tx: Tx, fact: Fact, insertedMs: number | null): Promise<WithdrawalRow | null> {
  const named = await tx.withdrawals.byTransaction(fact.transaction_uuid)
  if (named !== null) return named.user_reference_id === fact.user_reference_id ? named : null
  if (fact.user_reference_id === null || fact.amount === null || fact.to_address === null) return null
  const candidates = await tx.withdrawals.matching({
    user_reference_id: fact.user_reference_id,
    currency_id: fact.currency_id,
    amount_key: canonical(fact.amount),
    address_key: addressKey(fact.network, fact.to_address),
  })
  return matchPayout(candidates, insertedMs)
}

/** Follows a payout on its withdrawal, and reports one that had been given up. */
async function followPayout(tx: Tx, row: WithdrawalRow, fact: Fact, folded: Fact, evidence: string): Promise<void> {
  const after = await settleWithdrawal(tx, row, {
    evidence: { kind: 'payout', transaction_uuid: folded.transaction_uuid, status: folded.status },
    source: fact.source,
    txHash: folded.tx_hash,
    also: { record_status: folded.status },
  })
  if (row.status === 'failed' && after.status !== 'failed') {
    await tx.inbox.quarantine({
      reason: 'late_payout',
      received_ms: tx.now,
      event_name: 'User Payout',
      user_reference_id: row.user_reference_id,
      transaction_uuid: folded.transaction_uuid,
      event: evidence,
    })
  }
}

/** A payout that was seen before may turn out to be a withdrawal whose call came to an uncertain end since. */
async function linkPayout(tx: Tx, fact: Fact, folded: Fact, options: ApplyOptions): Promise<void> {
  const row = await tx.transactions.find(fact.kind, fact.transaction_uuid)
  if (row === null || row.withdrawal_id !== null) return
  const withdrawal = await withdrawalOf(tx, folded, options.insertedMs ?? null)
  if (withdrawal === null) return
  await tx.transactions.put({ ...row, withdrawal_id: withdrawal.id })
  await followPayout(tx, withdrawal, fact, folded, options.evidence)
}

async function followOnramp(tx: Tx, session: OnrampRow, folded: Fact): Promise<void> {
  if ((rankOf('onramp', folded.status) ?? 0) < (rankOf('onramp', session.status) ?? -1)) return
  await tx.onramps.update(session.id, {
    status: folded.status,
    transaction_uuid: folded.transaction_uuid,
    correlation_key: session.correlation_key ?? folded.correlation_key,
    updated_ms: tx.now,
  })
}

/**
 * Takes one fact into the books, inside a transaction that has locked the fact's user (contract section 6): folds the
 * transaction's state, follows its withdrawal or on-ramp session, credits, and tells what has changed. `seen` and
 * `conflict` change nothing.
 */
export async function applyFact(tx: Tx, fact: Fact, options: ApplyOptions): Promise<'applied' | 'seen' | 'conflict'> {
  const known = (await tx.transactions.facts(fact.kind, fact.transaction_uuid)).map((row) => parseFact(row.content))
  const weight = weigh(fact, known)
  if (weight === 'conflict') return weight
  if (weight === 'seen') {
    if (fact.source === 'reconciliation' && fact.kind === 'payout') await linkPayout(tx, fact, fold(known), options)
    return weight
  }

  const others = known.filter((other) => other.status !== fact.status)
  await tx.transactions.putFact({
    kind: fact.kind,
    transaction_uuid: fact.transaction_uuid,
    status: fact.status,
    source: fact.source,
    content: JSON.stringify(fact),
    recorded_ms: tx.now,
  })

  const folded = fold([...others, fact])
  const before = await tx.transactions.find(fact.kind, fact.transaction_uuid)
  const session = fact.kind === 'onramp' ? await sessionOf(tx, folded) : null
  const withdrawal = fact.kind === 'payout' ? await withdrawalOf(tx, folded, options.insertedMs ?? null) : null
  const row: TransactionRow = {
    ...rowOf(folded, before, tx.now),
    withdrawal_id: withdrawal?.id ?? before?.withdrawal_id ?? null,
    onramp_session_id: session?.id ?? before?.onramp_session_id ?? null,
  }
  await tx.transactions.put(row)
  await watchOpen(tx, row.user_reference_id, row.status)

  if (session !== null) await followOnramp(tx, session, folded)
  if (withdrawal !== null) await followPayout(tx, withdrawal, fact, folded, options.evidence)
  else if (before?.status !== row.status) tellTransaction(tx, row, session?.user_reference_id ?? null, fact.source)
  if (options.books && row.user_reference_id !== null && row.currency_id !== null) await settleCredits(tx, row)
  return 'applied'
}
