import type { Source, Tx, WithdrawalChange, WithdrawalRow } from '../store/port.ts'
import { moveFunds } from './funds.ts'
import { tellWithdrawal } from './tell.ts'
import { watchOpen } from './watch-open.ts'
import { settle, type Evidence } from './withdrawal-states.ts'

/** First look for evidence of an uncertain withdrawal, after its call ended. */
const FIRST_CHECK_MS = 2000

/** What a request was answered with: its replays get it again, whatever became of the withdrawal since. */
export type FirstResult = Pick<
  WithdrawalRow,
  'status' | 'requires_approval' | 'transaction_uuid' | 'failure_reason' | 'user_message'
>

/** Once the steps have come to an answer; null while they are on their way. */
function firstResultOf(row: WithdrawalRow): string | null {
  if (row.step !== 'ended' && row.step !== 'pending') return null
  const { status, requires_approval, transaction_uuid, failure_reason, user_message } = row
  const result: FirstResult = { status, requires_approval, transaction_uuid, failure_reason, user_message }
  return JSON.stringify(result)
}

export interface Settlement {
  readonly evidence: Evidence
  readonly source: Source
  readonly txHash?: string | null
  /** Columns that change with it, such as the step that ended. */
  readonly also?: WithdrawalChange
}

/**
 * Applies evidence inside a transaction that has locked the user: status, funds, and what is told. Nothing is told
 * where nothing that anyone sees has changed. Gives the row as it is then.
 */
export async function settleWithdrawal(tx: Tx, row: WithdrawalRow, settlement: Settlement): Promise<WithdrawalRow> {
  const verdict = settle(row, settlement.evidence)
  const change: WithdrawalChange = {
    status: verdict.status,
    failure: verdict.failure,
    failure_reason: verdict.failure_reason,
    transaction_uuid: verdict.transaction_uuid,
    requires_approval: verdict.requires_approval ? 1 : 0,
    next_check_ms:
      verdict.status === 'unknown' ? (row.status === 'unknown' ? row.next_check_ms : tx.now + FIRST_CHECK_MS) : null,
    updated_ms: tx.now,
    ...settlement.also,
  }
  const funds = await moveFunds(tx, row, verdict.status)
  const settled: WithdrawalRow = { ...row, ...(change as Partial<WithdrawalRow>), funds }
  const first_result = row.first_result ?? firstResultOf(settled)
  const after: WithdrawalRow = { ...settled, first_result }
  await tx.withdrawals.update(row.id, { ...change, funds, first_result })
  await watchOpen(tx, row.user_reference_id, after.status)
  const { kind } = settlement.evidence
  const changed = after.status !== row.status || after.transaction_uuid !== row.transaction_uuid
  const first = kind === 'postponed' || (kind === 'accepted' && row.transaction_uuid === null)
  if (changed || first) tellWithdrawal(tx, after, settlement.txHash ?? null, settlement.source)
  return after
}
