import * as z from 'zod/mini'
import { subtract } from '#lib/contract/money.ts'
import { WITHDRAWAL_STATUSES } from '#lib/contract/cashier.ts'
import { moveFunds } from './withdrawal-funds.ts'
import { correctionOf } from './credits.ts'
import { contradicted, disputeLine, EVENT_NAMES, reportDispute, reportLostSuccess } from './disputes.ts'
import { exactlySince, laterThan } from './long-ago.ts'
import { parseWithdrawal } from './parse-withdrawal.ts'
import { mayReplace } from './payouts/match-payout.ts'
import { publishWithdrawal } from './publish.ts'
import type { Source, WithdrawalColumns, WithdrawalRow } from './rows.ts'
import { scheduleReconciliation } from './schedule-reconciliation.ts'
import { hasWithdrawalEnded, isOpenWithdrawal } from './withdrawal-statuses.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { readStates, withState } from './withdrawal-history.ts'
import { settle, type Evidence } from './withdrawal-states.ts'

/** How long after the end of its call an uncertain withdrawal is first checked. */
const FIRST_CHECK_MS = 2000

const firstResultSchema = z.object({
  status: z.enum(WITHDRAWAL_STATUSES),
  early_decision: z.nullable(z.enum(['approve', 'decline'])),
  requires_approval: z.literal([0, 1]),
  transaction_uuid: z.nullable(z.string()),
  failure_reason: z.nullable(z.string()),
  user_message: z.nullable(z.string()),
})

/** The answer to the first request. Its replays get the same answer, even if the withdrawal has changed since. */
export type FirstResult = z.infer<typeof firstResultSchema>

/** Reads a stored first result. */
export const parseFirstResult = (text: string): FirstResult => firstResultSchema.parse(JSON.parse(text))

/** The row's first result as JSON; null until the steps have produced one. */
export function firstResultOf(row: WithdrawalColumns): string | null {
  if (row.step !== 'ended' && row.step !== 'pending') return null
  const { status, early_decision, requires_approval, transaction_uuid, failure_reason, user_message } = row
  const result: FirstResult = {
    ...{ status, early_decision, requires_approval, transaction_uuid, failure_reason, user_message },
  }
  return JSON.stringify(result)
}

export interface Settlement {
  readonly evidence: Evidence
  readonly source: Source
  readonly txHash?: string | null
  /** The message that told it, as text, if it was the gateway's; it is kept if a person must see it. */
  readonly message?: string
  /** Other columns that change with it, such as the step. */
  readonly also?: Partial<WithdrawalColumns>
}

/** What the gateway's own reply said. It is kept in every case: payouts are matched by it. */
function repliedIn(evidence: Evidence): Partial<WithdrawalColumns> {
  if (evidence.kind !== 'accepted' && evidence.kind !== 'error_reply') return {}
  const { transaction_uuid } = evidence
  return {
    ...(evidence.kind === 'accepted' && { reply_amount: evidence.amount }),
    ...(transaction_uuid !== null && { reply_transaction_uuid: transaction_uuid }),
  }
}

/** What told it, as text. */
const messageOf = (row: WithdrawalRow, { evidence, message }: Settlement): string =>
  message ?? JSON.stringify({ withdrawal_id: row.id, ...evidence })

/** Its money was given back, and is held or paid after all. */
const reportLate = (unit: UnitOfWork, row: WithdrawalRow, settlement: Settlement): void =>
  unit.quarantine({
    reason: 'late_payout',
    event_name: EVENT_NAMES.payout,
    user_reference_id: row.user_reference_id,
    transaction_uuid: row.transaction_uuid ?? row.id,
    event: messageOf(row, settlement),
  })

/**
 * Its own payout failed, or counts as failed, and a person said of another one that it is none of ours, which the gateway
 * may have made in its place: nobody could give that one to a withdrawal that had a payout.
 */
function reportAcknowledged(unit: UnitOfWork, row: WithdrawalRow, settlement: Settlement): void {
  const message = messageOf(row, settlement)
  for (const payout of unit.acknowledgedPayouts(row.user_reference_id))
    if (payout.status !== 'failed' && mayReplace(row, payout))
      reportDispute(unit, 'contradiction', { ...payout, kind: 'payout' }, contradicted(payout, message))
}

/** Since when a person may have credited its user by hand: since it was overdue, or nobody knew its outcome. */
function doubtedSince(unit: UnitOfWork, { overdue_ms, states }: WithdrawalRow): number | null {
  if (overdue_ms !== null) return overdue_ms
  const unknown = readStates(states).find(({ status }) => status === 'unknown')
  return unknown === undefined ? null : exactlySince(unknown.at_ms, unit.now)
}

const standsOf = ({ id, status, amount, currency_code, network }: WithdrawalRow) => ({
  withdrawal_id: id,
  ...{ status, amount, currency_code, network },
})

const aboutOf = ({ id, transaction_uuid, user_reference_id }: WithdrawalRow) =>
  ({ kind: 'payout', transaction_uuid: transaction_uuid ?? id, user_reference_id }) as const

/**
 * Settles the report about a withdrawal that has ended; it has the transaction's uuid if that was known then. A person may
 * have credited the user by hand, who is now debited, or gets the hold back. A dismissal alone tells nothing: the
 * withdrawal itself waited on.
 */
function endDoubt(unit: UnitOfWork, row: WithdrawalRow, after: WithdrawalRow): void {
  const sinceMs = doubtedSince(unit, row)
  if (sinceMs === null) return
  const { id, transaction_uuid } = after
  const overdue = row.overdue_ms === null ? null : new Date(row.overdue_ms).toISOString()
  const line = disputeLine('contradiction', aboutOf(after), () =>
    JSON.stringify({ stands: standsOf(after), message: null, overdue }),
  )
  const booked = correctionOf(row, [row.amount])
  unit.settleReport('overdue', id, '', { line, booked, adjustedSinceMs: sinceMs })
  for (const key of new Set([row.transaction_uuid, transaction_uuid]))
    if (key !== null) unit.settleReport('overdue', key)
}

/** Its money moves, and a person who was told of it before has corrected the balance. */
function reportCorrected(unit: UnitOfWork, row: WithdrawalRow, after: WithdrawalRow, settlement: Settlement): void {
  const { id, amount, transaction_uuid, reply_transaction_uuid, reply_amount, paid_amount } = after
  const others = [reply_amount, paid_amount].flatMap((other) => other ?? [])
  unit.quarantineIfCorrected({
    about: [id, row.transaction_uuid, transaction_uuid, reply_transaction_uuid].flatMap((name) => name ?? []),
    line: disputeLine('contradiction', aboutOf(after), () =>
      contradicted(standsOf(after), messageOf(after, settlement)),
    ),
    booked: correctionOf(after, [amount, ...others, ...others.map((other) => subtract(other, amount))]),
  })
}

/**
 * Applies evidence to a withdrawal whose user is locked: changes its status and funds, and publishes an event if users
 * or merchants can see a change. Returns the changed row.
 */
export function settleWithdrawal(unit: UnitOfWork, row: WithdrawalRow, settlement: Settlement): WithdrawalRow {
  const { requires_approval, ...outcome } = settle(row, settlement.evidence)
  const firstCheckMs = row.status === 'unknown' ? row.next_check_ms : unit.now + FIRST_CHECK_MS
  const settled: WithdrawalColumns = {
    ...row,
    ...outcome,
    requires_approval: requires_approval ? 1 : 0,
    next_check_ms: outcome.status === 'unknown' ? firstCheckMs : null,
    updated_ms: laterThan(row.updated_ms, unit.now),
    ...repliedIn(settlement.evidence),
    ...settlement.also,
    ...moveFunds(unit, row, outcome.status),
    states: withState(row, {
      status: outcome.status,
      at_ms: unit.now,
      cause: settlement.evidence.kind,
      source: settlement.source,
    }),
  }
  const ended = hasWithdrawalEnded(settled.status)
  const after = parseWithdrawal({
    ...settled,
    first_result: row.first_result ?? firstResultOf(settled),
    overdue_ms: ended ? null : row.overdue_ms,
  })
  unit.putWithdrawal(after)
  if (ended && !hasWithdrawalEnded(row.status)) endDoubt(unit, row, after)
  if (after.funds !== row.funds) reportCorrected(unit, row, after, settlement)
  scheduleReconciliation(unit, row.user_reference_id, isOpenWithdrawal(after.status))
  if (row.status === 'failed' && after.status !== 'failed') reportLate(unit, after, settlement)
  if (row.status !== 'failed' && after.failure === 'record') reportAcknowledged(unit, after, settlement)
  const { kind } = settlement.evidence
  if (kind === 'payout' && row.status !== 'failed' && after.status === 'failed' && after.funds === 'none')
    reportLostSuccess(unit, aboutOf(after), contradicted(standsOf(after), messageOf(row, settlement)))
  const changed = after.status !== row.status || after.transaction_uuid !== row.transaction_uuid
  // An acceptance is published once, even if it is stored again because its commit was not confirmed.
  const told = row.transaction_uuid !== null || row.reply_amount !== null
  const first = kind === 'postponed' || (kind === 'accepted' && !told)
  if (changed || first) publishWithdrawal(unit, after, settlement.txHash ?? null, settlement.source)
  return after
}
