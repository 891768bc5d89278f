/** What its facts make of a transaction's row: its state, how far it counts, and whether it is published. */
import { isNegative, isZero, ZERO } from '#lib/contract/money.ts'
import type { LedgerMode } from './accounts.ts'
import { compareAmounts } from './compare.ts'
import { hashKey, type Fact } from './facts.ts'
import { millis } from './gateway-time.ts'
import { laterThan } from './long-ago.ts'
import type { PayoutMatch, PayoutOptions } from './payouts/payout-owners.ts'
import type { TransactionRow } from './rows.ts'
import type { Standing } from './transaction-statuses.ts'

/**
 * The stored row of a transaction: its folded facts, and what we alone know about it. `created_ms` is the time when we
 * learned of the transaction, or the list's time if that is earlier: a scan that looks for the end of the transaction
 * must reach its record.
 */
export function rowOf(
  folded: Fact,
  before: TransactionRow | null,
  { now, insertedMs = now }: { readonly now: number; readonly insertedMs: number | undefined },
): TransactionRow {
  const {
    source: _source,
    inexact: _inexact,
    unconfirmed: _unconfirmed,
    erased: _erased,
    merchant_reference: _merchant_reference,
    misplaced: _misplaced,
    taken_back: _taken_back,
    told: _told,
    ...details
  } = folded
  return {
    ...details,
    tx_hash_key: hashKey(folded),
    withdrawal_id: before?.withdrawal_id ?? null,
    onramp_session_id: before?.onramp_session_id ?? null,
    standing: before?.standing ?? 'confirmed',
    credited: before?.credited ?? ZERO,
    postings: before?.postings ?? 0,
    deposit_uuid: before?.deposit_uuid ?? null,
    overdue_ms: before?.overdue_ms ?? null,
    vanished_ms: before?.vanished_ms ?? null,
    // What was credited stays in its currency, whatever id the gateway gives to that currency later.
    ...(before !== null && !isZero(before.credited) && { currency_id: before.currency_id }),
    created_ms: Math.min(before?.created_ms ?? now, insertedMs),
    updated_ms: updatedMs(before, folded, now),
  }
}

/** The amount of a success is known with more digits: before, it had lost some as a JSON number. */
export const isCorrected = (before: TransactionRow, { status, amount }: Fact): boolean =>
  status === 'succeeded' && before.status === status && compareAmounts(before, { amount }) === 'differ'

/** Without its user, and of a purchase its session, nobody books a success. */
export const hasOwner = ({ kind, user_reference_id, onramp_session_id }: TransactionRow): boolean =>
  user_reference_id !== null && (kind !== 'onramp' || onramp_session_id !== null)

/**
 * A later message says whose this success is, or has the hash by which a purchase and its deposit are one: a merchant who
 * keeps the books, and was told of it without, is told again.
 */
export const isBetterKnown = (before: TransactionRow, row: TransactionRow, ledgerMode: LedgerMode): boolean =>
  ledgerMode === 'merchant' &&
  row.kind !== 'payout' &&
  row.status === 'succeeded' &&
  before.status === row.status &&
  ((hasOwner(row) && !hasOwner(before)) || (row.tx_hash !== null && before.tx_hash === null))

function updatedMs(before: TransactionRow | null, folded: Fact, now: number): number {
  if (before === null) return now
  const { status, updated_ms, overdue_ms } = before
  if (status === folded.status) return isCorrected(before, folded) ? laterThan(updated_ms, now) : updated_ms
  // What was reported is the status before.
  return laterThan(Math.max(updated_ms, overdue_ms ?? 0), now)
}

export function standingOf(
  before: TransactionRow | null,
  folded: Fact,
  sure: Fact | null,
  {
    match,
    isOld,
    ledgerMode,
  }: { readonly match: PayoutMatch | null; readonly isOld: boolean; readonly ledgerMode: LedgerMode },
): Standing {
  if (before?.standing === 'disputed') return 'disputed'
  if (isOld) return 'before'
  if (sure?.status === folded.status || match?.follow?.status === folded.status) return 'confirmed'
  if (ledgerMode === 'merchant' && folded.kind === 'deposit' && folded.status === 'succeeded') return 'withheld'
  return match === null ? 'unconfirmed' : 'withheld'
}

/** Only the list can say so: in an event it is unreadable. */
export const isNegativeDeposit = ({ kind, status, amount }: TransactionRow): boolean =>
  kind === 'deposit' && status === 'succeeded' && amount !== null && isNegative(amount)

/** The state is not published. Where the merchant keeps the books, this includes the success of a disputed deposit. */
export const isHeldBack = (row: TransactionRow, ledgerMode: LedgerMode): boolean =>
  row.standing === 'withheld' ||
  row.standing === 'before' ||
  isNegativeDeposit(row) ||
  (ledgerMode === 'merchant' && row.standing === 'disputed' && row.kind === 'deposit' && row.status === 'succeeded')

/** The merchant, who kept the books then, has been told of this success, and has booked it if it is a deposit. */
export const isMerchants = (before: TransactionRow | null): boolean =>
  before !== null &&
  before.status === 'succeeded' &&
  before.standing === 'confirmed' &&
  before.postings === 0 &&
  before.deposit_uuid === null &&
  before.user_reference_id !== null &&
  before.amount !== null &&
  !isZero(before.amount) &&
  (before.kind === 'deposit' || before.onramp_session_id !== null)

/**
 * A deposit's success that only a webhook had told while the ledger kept the books, which waited for the list. Nobody has
 * booked it: the merchant, who keeps the books since, is told again.
 */
export const isConfirmedLate = (before: TransactionRow, row: TransactionRow, ledgerMode: LedgerMode): boolean =>
  ledgerMode === 'merchant' &&
  row.kind === 'deposit' &&
  row.status === 'succeeded' &&
  before.standing === 'unconfirmed' &&
  row.standing === 'confirmed'

/**
 * Whether the list's record is from before the start, by its own time. Of an event: whether a record was before. A
 * purchase has no record, so the date of its event decides.
 */
export function isRecordOld(
  { kind, occurred_at }: Fact,
  before: TransactionRow | null,
  { insertedMs, ledgerStartMs }: PayoutOptions,
): boolean {
  if (kind === 'onramp') return (millis(occurred_at) ?? ledgerStartMs) < ledgerStartMs
  return insertedMs === undefined ? before?.standing === 'before' : insertedMs < ledgerStartMs
}
