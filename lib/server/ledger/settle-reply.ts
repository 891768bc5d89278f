/** What the gateway's reply to a withdrawal's call settles (docs/explanation/money.md, "What a withdraw call says"). */
import { compareTexts } from './compare.ts'
import { reportDispute } from './disputes.ts'
import { followNamed, matchOpenPayouts } from './payouts/payout-owners.ts'
import { replyDifferences, type StatedWithdrawal } from './reply-differences.ts'
import type { CalledWithdrawal, TransactionKey, WithdrawalRow } from './rows.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { withState } from './withdrawal-history.ts'
import type { Evidence } from './withdrawal-states.ts'

export function withdrawalIn(unit: UnitOfWork, id: string): WithdrawalRow {
  const row = unit.withdrawal(id)
  if (row === null) throw new Error(`withdrawal ${id} is gone`)
  return row
}

/** The withdrawal, whose call has begun: the store may have lost that, and the merchant may have declined it since. */
function calledIn(unit: UnitOfWork, { id, called_ms }: CalledWithdrawal): WithdrawalRow {
  const row = withdrawalIn(unit, id)
  if (row.called_ms !== null) return row
  const called: CalledWithdrawal =
    row.step === 'ended'
      ? { ...row, called_ms, call_ended_ms: unit.now }
      : {
          ...row,
          step: 'calling',
          driver: null,
          early_decision: null,
          status: 'processing',
          called_ms,
          states: withState(row, {
            status: 'processing',
            at_ms: called_ms,
            cause: 'found_again',
            source: 'cashier',
          }),
        }
  unit.putWithdrawal(called)
  return called
}

/** Asks a person about a reply that contradicts what was asked, or an earlier reply. */
const report = (unit: UnitOfWork, row: WithdrawalRow, uuid: string | null, evidence: object): void => {
  const { user_reference_id } = row
  const about = { kind: 'payout', transaction_uuid: uuid ?? row.id, user_reference_id } as const
  reportDispute(unit, 'contradiction', about, JSON.stringify(evidence))
}

/** The gateway accepted another amount, currency or address than was asked for. It is followed all the same. */
function reportDifferences(unit: UnitOfWork, row: WithdrawalRow, uuid: string | null, reply: StatedWithdrawal): void {
  const differs = replyDifferences(row, reply)
  if (differs.length === 0) return
  const { amount, currency_code: currency, network, wallet_address } = row
  const asked = { amount, currency, network, wallet_address }
  report(unit, row, uuid, { withdrawal_id: row.id, asked, replied: reply, differs })
}

/**
 * Whose the transaction is that a reply names, if it is not this withdrawal's: another withdrawal's or another user's, or
 * it is a payout from before the start, or one that a person has called none of ours and may have debited by hand.
 */
function otherOwner(unit: UnitOfWork, { id, user_reference_id }: WithdrawalRow, uuid: string): string | null {
  const holder = unit.withdrawalOf(uuid)
  if (holder !== null && holder.id !== id) return holder.id
  const user = unit.transaction('payout', uuid)?.user_reference_id ?? null
  if (compareTexts(user, user_reference_id) === 'differ') return user
  const { owner = null, withdrawal_id = null } = unit.payout(uuid) ?? {}
  return owner === null || withdrawal_id === id ? null : (withdrawal_id ?? owner)
}

/**
 * A transaction that belongs to another withdrawal, or to nobody of ours, is not this withdrawal's, whatever the reply
 * says. An error reply that names such a transaction leaves this withdrawal's outcome open. A person is told.
 */
function withOwnTransaction(unit: UnitOfWork, row: WithdrawalRow, evidence: Evidence): Evidence {
  if (evidence.kind !== 'accepted' && evidence.kind !== 'error_reply') return evidence
  const { transaction_uuid } = evidence
  const belongs_to = transaction_uuid === null ? null : otherOwner(unit, row, transaction_uuid)
  if (belongs_to === null) return evidence
  report(unit, row, transaction_uuid, { withdrawal_id: row.id, transaction_uuid, belongs_to })
  return evidence.kind === 'accepted' ? { ...evidence, transaction_uuid: null } : { kind: 'uncertain' }
}

/**
 * The gateway accepted a withdrawal under another transaction than the record that it has. An acceptance of what has
 * failed since is no contradiction: the list may tell the failure before the reply is stored.
 */
function reportOtherTransaction(
  unit: UnitOfWork,
  { id, status, transaction_uuid }: WithdrawalRow,
  own: Evidence,
): void {
  if (own.kind !== 'accepted' || own.status === 'failed') return
  if (compareTexts(own.transaction_uuid, transaction_uuid) !== 'differ') return
  report(unit, withdrawalIn(unit, id), transaction_uuid, { withdrawal_id: id, status, transaction_uuid, replied: own })
}

/** The transaction that the reply names. */
export const namedBy = (evidence: Evidence): readonly TransactionKey[] =>
  'transaction_uuid' in evidence && evidence.transaction_uuid !== null
    ? [{ kind: 'payout', transaction_uuid: evidence.transaction_uuid }]
    : []

/** The columns of a withdrawal whose call ends now. Earlier scans of the list prove no absence. */
export const callEnded = ({ now }: UnitOfWork, clockOffsetMs: number | null) =>
  ({
    step: 'ended',
    driver: null,
    call_ended_ms: now,
    clock_offset_ms: clockOffsetMs,
    absent_scans: 0,
    // An earlier check used another end of the call (`reconcile/check-unknown-withdrawals.ts`).
    checked_ms: null,
  }) as const

export interface ReplyOptions {
  /** The reply of a gateway that has accepted the withdrawal; null without one. */
  readonly reply: StatedWithdrawal | null
  readonly clockOffsetMs: number | null
}

/**
 * Settles a withdrawal whose call has ended. The reply counts, even if another instance has settled the withdrawal without
 * it. The unit has loaded the user's attempts and the transaction that the reply names.
 * @throws Error if the withdrawal is gone
 */
export function settleReply(
  unit: UnitOfWork,
  row: CalledWithdrawal,
  evidence: Evidence,
  { reply, clockOffsetMs }: ReplyOptions,
): WithdrawalRow {
  const own = withOwnTransaction(unit, row, evidence)
  reportOtherTransaction(unit, calledIn(unit, row), own)
  // What a webhook or the list has said about the transaction outranks the reply.
  for (const { transaction_uuid } of namedBy(own))
    followNamed(unit, withdrawalIn(unit, row.id), transaction_uuid, { isReply: true })
  const also = callEnded(unit, clockOffsetMs)
  settleWithdrawal(unit, withdrawalIn(unit, row.id), { evidence: own, source: 'cashier', also })
  if (reply !== null && own.kind === 'accepted') reportDifferences(unit, row, own.transaction_uuid, reply)
  // A payout that was open may be this withdrawal's now: its reply may tell another amount.
  matchOpenPayouts(unit, row.user_reference_id, clockOffsetMs)
  return withdrawalIn(unit, row.id)
}
