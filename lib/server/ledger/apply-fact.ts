import type { LedgerMode } from './accounts.ts'
import { comparableAddress } from '#lib/addresses/index.ts'
import { canonical, ZERO } from '#lib/contract/money.ts'
import type { OnrampRow, TransactionRow, Tx, WithdrawalRow } from '../store/port.ts'
import { settleCredits } from './credits.ts'
import { bookable, classifyFact, fold, hashKey, parseFact, type Fact } from './facts.ts'
import {
  isOpenTransaction,
  isStatusOf,
  rankOf,
  UNCONFIRMED_STANDINGS,
  type Standing,
  type StatusOf,
} from './transaction-states.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { publishTransaction } from './publish.ts'
import { reconcileAtOnce, scheduleReconciliation } from './schedule-reconciliation.ts'
import type { ClockOffset } from './gateway-time.ts'
import { matchPayout } from './match-payout.ts'

export interface ApplyOptions {
  /** In mode `merchant` nothing is posted. */
  readonly ledgerMode: LedgerMode
  /** For a record of the list: its time, to be compared with that of a matching withdrawal. */
  readonly insertedMs?: number
  /** What is known of the gateway's clock, for that comparison. */
  readonly clockOffset?: ClockOffset
  /** The webhook's body or the record as JSON, stored if it must be reported. */
  readonly evidence: string
}

/** The stored row of a transaction: its folded facts, and what only we know about it. */
function rowOf(folded: Fact, before: TransactionRow | null, now: number): TransactionRow {
  const { source: _, unconfirmed: __, erased: ___, ...details } = folded
  return {
    ...details,
    tx_hash_key: hashKey(folded.tx_hash),
    withdrawal_id: before?.withdrawal_id ?? null,
    onramp_session_id: before?.onramp_session_id ?? null,
    standing: before?.standing ?? 'confirmed',
    credited: before?.credited ?? ZERO,
    created_ms: before?.created_ms ?? now,
    updated_ms: before?.status === folded.status ? before.updated_ms : now,
  }
}

/** The on-ramp session of ours that an event belongs to: by its key, else by our own reference; never another user's. */
async function sessionOf(tx: Tx, fact: Fact): Promise<OnrampRow | null> {
  const byKey = fact.correlation_key === null ? null : await tx.onramps.byCorrelation(fact.correlation_key)
  const found = byKey ?? (fact.session_reference === null ? null : await tx.onramps.find(fact.session_reference))
  if (found === null) return null
  return fact.user_reference_id === null || fact.user_reference_id === found.user_reference_id ? found : null
}

async function withdrawalOf(
  tx: Tx,
  fact: Fact,
  { insertedMs, clockOffset }: ApplyOptions,
): Promise<WithdrawalRow | null> {
  const named = await tx.withdrawals.byTransaction(fact.transaction_uuid)
  if (named !== null) return named.user_reference_id === fact.user_reference_id ? named : null
  if (fact.user_reference_id === null || fact.amount === null || fact.to_address === null) return null
  const amount_key = canonical(fact.amount)
  const candidates = await tx.withdrawals.matching({
    user_reference_id: fact.user_reference_id,
    currency_id: fact.currency_id,
    amount_key,
    address_key: comparableAddress(fact.network, fact.to_address),
  })
  return matchPayout(candidates, {
    amount_key,
    insertedMs: insertedMs ?? null,
    clockOffset: clockOffset ?? null,
    nowMs: tx.now,
  })
}

/** A payout as a fact: its status is one of a payout's. */
type PayoutFact = Fact & { readonly status: StatusOf<'payout'> }

const isPayout = (fact: Fact): fact is PayoutFact => fact.kind === 'payout' && isStatusOf('payout', fact.status)

/** Applies a payout's state to its withdrawal, and reports a withdrawal that we had given up. */
async function followPayout(
  tx: Tx,
  row: WithdrawalRow,
  { source }: Fact,
  folded: PayoutFact,
  evidence: string,
): Promise<void> {
  const after = await settleWithdrawal(tx, row, {
    evidence: { kind: 'payout', transaction_uuid: folded.transaction_uuid, status: folded.status },
    source,
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

/** A payout that was seen before may belong to a withdrawal whose call has become uncertain since. */
async function linkPayout(tx: Tx, fact: Fact, sure: PayoutFact, options: ApplyOptions): Promise<void> {
  const row = await tx.transactions.find(fact.kind, fact.transaction_uuid)
  if (row === null || row.withdrawal_id !== null || row.standing === 'disputed') return
  const withdrawal = await withdrawalOf(tx, sure, options)
  if (withdrawal === null) return
  await tx.transactions.put({ ...row, withdrawal_id: withdrawal.id })
  await followPayout(tx, withdrawal, fact, sure, options.evidence)
}

async function followOnramp(tx: Tx, session: OnrampRow, folded: Fact): Promise<void> {
  if (!isStatusOf('onramp', folded.status)) return
  if ((rankOf('onramp', folded.status) ?? 0) < (rankOf('onramp', session.status) ?? -1)) return
  await tx.onramps.update(session.id, {
    status: folded.status,
    transaction_uuid: folded.transaction_uuid,
    correlation_key: session.correlation_key ?? folded.correlation_key,
    updated_ms: tx.now,
  })
}

/** Webhook and list disagree: nothing more is booked, and quarantine gets one line. */
async function dispute(tx: Tx, fact: Fact, evidence: string): Promise<void> {
  const row = await tx.transactions.find(fact.kind, fact.transaction_uuid)
  if (row === null || row.standing === 'disputed') return
  await tx.transactions.put({ ...row, standing: 'disputed' })
  await tx.inbox.quarantine({
    reason: 'list_conflict',
    received_ms: tx.now,
    event_name: fact.kind === 'deposit' ? 'User Deposit' : 'User Payout',
    user_reference_id: fact.user_reference_id,
    transaction_uuid: fact.transaction_uuid,
    event: evidence,
  })
}

/** The withdrawal that a payout fits, and the state that it may follow: null while only unconfirmed webhooks tell of it. */
interface PayoutMatch {
  readonly withdrawal: WithdrawalRow
  readonly follow: PayoutFact | null
}

async function payoutMatch(
  tx: Tx,
  folded: PayoutFact,
  sure: Fact | null,
  options: ApplyOptions,
): Promise<PayoutMatch | null> {
  const withdrawal = await withdrawalOf(tx, sure ?? folded, options)
  if (withdrawal === null) return null
  // What the gateway named to us under this id is ours, whoever else its key signs for.
  if (withdrawal.transaction_uuid === folded.transaction_uuid) return { withdrawal, follow: folded }
  return { withdrawal, follow: sure !== null && isPayout(sure) ? sure : null }
}

function standingOf(
  before: TransactionRow | null,
  folded: Fact,
  sure: Fact | null,
  match: PayoutMatch | null,
): Standing {
  if (before?.standing === 'disputed') return 'disputed'
  if (sure?.status === folded.status || match?.follow?.status === folded.status) return 'confirmed'
  return match !== null && match.follow === null ? 'withheld' : 'unconfirmed'
}

/**
 * Applies one fact, inside a transaction that has locked the fact's user (docs/api.md, "Duplicates and conflicts"):
 * folds the transaction's state, updates its withdrawal or on-ramp session, credits, and publishes what has changed.
 * `seen` and `conflict` change nothing; a `list_conflict` stops all further booking of the transaction.
 */
export async function applyFact(
  tx: Tx,
  fact: Fact,
  options: ApplyOptions,
): Promise<'applied' | 'seen' | 'conflict' | 'list_conflict'> {
  const rows = await tx.transactions.facts(fact.kind, fact.transaction_uuid)
  const stored = rows.map((row) => parseFact(row.content))
  const outcome = classifyFact(fact, stored)
  if (outcome === 'conflict') return outcome
  if (outcome === 'list_conflict') {
    await dispute(tx, fact, options.evidence)
    return outcome
  }
  if (outcome === 'seen') {
    const known = fact.source === 'reconciliation' ? fold(bookable(stored)) : null
    if (known !== null && isPayout(known)) await linkPayout(tx, fact, known, options)
    return outcome
  }

  await tx.transactions.putFact({
    kind: fact.kind,
    transaction_uuid: fact.transaction_uuid,
    status: fact.status,
    source: fact.source,
    content: JSON.stringify(fact),
    recorded_ms: tx.now,
  })

  const facts = [...stored, fact]
  const folded = fold(facts)
  const sureFacts = bookable(facts)
  const sure = sureFacts.length === 0 ? null : fold(sureFacts)
  const before = await tx.transactions.find(fact.kind, fact.transaction_uuid)
  const session = fact.kind === 'onramp' ? await sessionOf(tx, folded) : null
  const disputed = before?.standing === 'disputed'
  const match = isPayout(folded) && !disputed ? await payoutMatch(tx, folded, sure, options) : null
  const followed = match?.follow ? { withdrawal: match.withdrawal, payout: match.follow } : null
  const row: TransactionRow = {
    ...rowOf(folded, before, tx.now),
    standing: standingOf(before, folded, sure, match),
    withdrawal_id: followed?.withdrawal.id ?? before?.withdrawal_id ?? null,
    onramp_session_id: session?.id ?? before?.onramp_session_id ?? null,
  }
  await tx.transactions.put(row)
  await scheduleReconciliation(tx, row.user_reference_id, isOpenTransaction(row.status))
  if (fact.unconfirmed === true && UNCONFIRMED_STANDINGS.includes(row.standing))
    await reconcileAtOnce(tx, row.user_reference_id)

  if (session !== null) await followOnramp(tx, session, folded)
  if (followed !== null) await followPayout(tx, followed.withdrawal, fact, followed.payout, options.evidence)
  else if (row.standing !== 'withheld' && (before?.status !== row.status || before.standing === 'withheld'))
    publishTransaction(tx, row, session?.user_reference_id ?? null, fact.source)
  // One gateway key may sign for many merchants: a purchase is ours only through a session of ours.
  const settled = sure?.status === row.status && !disputed && (row.kind !== 'onramp' || session !== null)
  if (options.ledgerMode === 'embedded' && settled && row.user_reference_id !== null && row.currency_id !== null)
    await settleCredits(tx, row)
  // The list only confirms what a webhook had brought.
  return outcome === 'confirms' && fact.source === 'reconciliation' ? 'seen' : 'applied'
}
