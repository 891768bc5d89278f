/** What speaks for and against each outcome of an uncertain withdrawal, from what is stored. Pure. */
import type { OutcomeEvidence, EvidenceCode } from '#lib/contract/operate/decide.ts'
import type { ClockOffset } from '../../ledger/gateway-time.ts'
import { hasTransactionEnded } from '../../ledger/transaction-statuses.ts'
import type { ListReads, PayoutRow, QuarantineRow, TransactionRow, WithdrawalRow } from '../../store/types.ts'
import { comparePayout, differencesIn } from './compare-payout.ts'

/** One message about the withdrawal's own transaction: a webhook, or a record of the list. */
export interface ToldStatus {
  readonly source: 'webhook' | 'reconciliation'
  readonly status: TransactionRow['status']
  readonly recorded_ms: number
}

export interface Known {
  readonly withdrawal: WithdrawalRow
  /** The user's payouts that nobody owns. */
  readonly open: readonly PayoutRow[]
  /** The payouts of the user's list that another user has. */
  readonly taken: readonly string[]
  /** The open events, not applied, that may tell of its payout. */
  readonly unread: readonly Pick<QuarantineRow, 'transaction_uuid' | 'received_ms'>[]
  /** What was told about the withdrawal's own transaction. */
  readonly told: readonly ToldStatus[]
  readonly list: ListReads
  /** Webhook and list disagree about its transaction, or one of them took its word back. */
  readonly disputed_ms: number | null
  /** When a backup was last restored; null: never. */
  readonly restored_ms: number | null
  readonly clockOffset: ClockOffset
  /** `WITHDRAWAL_ABSENCE_S`, in milliseconds. */
  readonly absenceMs: number
  readonly nowMs: number
}

type Side = OutcomeEvidence['speaks_for']
type More = Partial<Pick<OutcomeEvidence, 'transaction_uuid' | 'amount' | 'count' | 'compared'>> & {
  readonly atMs?: number | null
}

const evidence = (code: EvidenceCode, speaks_for: Side, { atMs = null, ...more }: More = {}): OutcomeEvidence => ({
  code,
  speaks_for,
  at: atMs === null ? null : new Date(atMs).toISOString(),
  transaction_uuid: null,
  amount: null,
  count: null,
  compared: [],
  ...more,
})

/** What the gateway answered to our call. */
function ofReply({ withdrawal }: Known): readonly OutcomeEvidence[] {
  const { called_ms, call_ended_ms, reply_amount, reply_transaction_uuid } = withdrawal
  if (call_ended_ms === null) return [evidence('call_under_way', 'neither', { atMs: called_ms })]
  const atMs = call_ended_ms
  const named = { atMs, transaction_uuid: reply_transaction_uuid }
  if (reply_amount !== null) return [evidence('reply_accepted', 'sent', { ...named, amount: reply_amount })]
  return [
    reply_transaction_uuid === null
      ? evidence('no_reply', 'neither', { atMs })
      : evidence('reply_named', 'sent', named),
  ]
}

const TOLD: Readonly<Record<ToldStatus['source'], Readonly<Record<'succeeded' | 'failed' | 'open', EvidenceCode>>>> = {
  webhook: { succeeded: 'webhook_succeeded', failed: 'webhook_failed', open: 'webhook_open' },
  reconciliation: { succeeded: 'record_succeeded', failed: 'record_failed', open: 'record_open' },
}

/** What webhooks and the list said about its own transaction, oldest first. */
const ofMessages = ({ withdrawal, told }: Known): readonly OutcomeEvidence[] =>
  told
    .toSorted((a, b) => a.recorded_ms - b.recorded_ms)
    .map(({ source, status, recorded_ms }) => {
      const state = status === 'succeeded' || status === 'failed' ? status : 'open'
      const more = { atMs: recorded_ms, transaction_uuid: withdrawal.transaction_uuid }
      return evidence(
        TOLD[source][state],
        hasTransactionEnded(status) && state === 'failed' ? 'not_sent' : 'sent',
        more,
      )
    })

/** Payouts of the user that nobody owns: while there is one, it may be this withdrawal's. */
function ofPayouts({ withdrawal, open, taken, unread, clockOffset }: Known): readonly OutcomeEvidence[] {
  const ofEvents = unread.map(({ transaction_uuid, received_ms }) =>
    evidence('event_unapplied', 'neither', { transaction_uuid, atMs: received_ms }),
  )
  if (open.length === 0 && taken.length === 0) return [evidence('no_open_payout', 'not_sent'), ...ofEvents]
  const ofOthers = taken.map((transaction_uuid) => evidence('payout_of_another', 'neither', { transaction_uuid }))
  const ofNobody = open
    .map((payout) => ({ payout, compared: comparePayout(payout, withdrawal, clockOffset) }))
    .toSorted((a, b) => differencesIn(a.compared) - differencesIn(b.compared))
    .map(({ payout, compared }) => {
      const fits = differencesIn(compared) === 0
      // A payout that failed paid nobody.
      const speaksFor = payout.status === 'failed' ? 'neither' : 'sent'
      return evidence(fits ? 'open_payout_fits' : 'open_payout_differs', speaksFor, {
        atMs: payout.inserted_ms ?? payout.first_seen_ms,
        transaction_uuid: payout.transaction_uuid,
        amount: payout.amount,
        compared: [...compared],
      })
    })
  return [...ofNobody, ...ofOthers, ...ofEvents]
}

/** Reads of the user's list after the call. */
function ofList({ withdrawal, taken, unread, list, absenceMs, nowMs }: Known): readonly OutcomeEvidence[] {
  const ended = withdrawal.call_ended_ms
  const dueMs = ended === null ? null : ended + absenceMs
  const found: OutcomeEvidence[] = []
  if (withdrawal.absent_scans > 0)
    found.push(evidence('absent_scans', 'not_sent', { count: withdrawal.absent_scans, atMs: list.whole_ms }))
  else if (ended !== null && list.whole_ms !== null && list.whole_ms > ended && withdrawal.record_status === null)
    found.push(
      evidence(
        'list_read_without',
        // Before its absence counts the list may lag, so that such a read says nothing.
        list.whole_ms < (dueMs ?? 0) || taken.length + unread.length > 0 ? 'neither' : 'not_sent',
        { atMs: list.whole_ms },
      ),
    )
  else if (ended !== null && (list.whole_ms ?? 0) <= ended)
    found.push(evidence('list_not_read_since', 'neither', { atMs: list.whole_ms }))
  if (list.unreadable_ms !== null) found.push(evidence('list_unreadable', 'neither', { atMs: list.unreadable_ms }))
  else if (list.incomplete_ms !== null)
    found.push(evidence('list_unreadable', 'neither', { atMs: list.incomplete_ms, count: list.incomplete_reads }))
  if (withdrawal.status === 'unknown' && dueMs !== null && nowMs < dueMs)
    found.push(evidence('absence_not_due', 'neither', { atMs: dueMs }))
  return found
}

function ofDoubts({ withdrawal, disputed_ms, restored_ms }: Known): readonly OutcomeEvidence[] {
  const found: OutcomeEvidence[] = []
  if (disputed_ms !== null) found.push(evidence('disputed', 'neither', { atMs: disputed_ms }))
  if (restored_ms !== null && restored_ms > withdrawal.created_ms)
    found.push(evidence('restored_since', 'neither', { atMs: restored_ms }))
  return found
}

/** Everything that a person should weigh, in the order: reply, messages, payouts, list, doubts. */
export const evidenceAbout = (known: Known): readonly OutcomeEvidence[] =>
  [ofReply, ofMessages, ofPayouts, ofList, ofDoubts].flatMap((part) => part(known))
