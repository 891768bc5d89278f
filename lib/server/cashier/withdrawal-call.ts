import { handleAll, IterableBackoff, retry } from 'cockatiel'
import { isGatewayError, UnreachableError } from '../gateway/errors.ts'
import type { Exchange, Gateway, WithdrawReply } from '../gateway/types.ts'
import { callEnded, namedBy, settleReply, withdrawalIn } from '../ledger/settle-reply.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { Evidence } from '../ledger/withdrawal-states.ts'
import type { TransactionKey } from '../ledger/rows.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { CallingWithdrawal, Store, UnitKeys, WithdrawalCallRow, WithdrawalRow } from '../store/types.ts'
import { keepTrying } from './keep-trying.ts'
import type { SentWithdrawals } from './sent-withdrawals.ts'
import { acceptanceIn, evidenceOf } from './withdrawal-evidence.ts'

export interface WithdrawalCallOptions {
  readonly store: Store
  readonly gateway: Gateway
  /** The name of this process among the instances. */
  readonly instance: string
  /** Milliseconds by a clock that nobody sets, and that keeps running while the process or its machine sleeps. */
  readonly uptimeMs: () => number
  readonly onFault: (error: unknown, withdrawalId: string) => void
  readonly sent?: Pick<SentWithdrawals, 'add' | 'handOver'>
  /** Called with what a refusal of the gateway said, which nobody waits for. */
  readonly onRefused?: (row: WithdrawalRow, error: unknown) => void
}

/**
 * If the call has not begun after this time, it is not made. It is shorter than the lease of an instance: the others
 * take the instance for dead after 15 s, mark its withdrawals as uncertain, and look for their absence.
 */
const LATEST_CALL_MS = 10_000

/** A brief failure of the store must not turn a known reply into an uncertain one. */
const SETTLE_PAUSES_MS = [50, 200, 500, 1000, 2000]

const settleRetry = retry(handleAll, {
  maxAttempts: SETTLE_PAUSES_MS.length,
  backoff: new IterableBackoff(SETTLE_PAUSES_MS),
})

/** What came back from a call: the reply as read, and as it is kept. */
interface Answered {
  readonly reply: WithdrawReply | null
  readonly kept: WithdrawalCallRow | null
}

/** Why a reply is not usable, in our own words: the gateway's are in the reply. */
function faultOf(error: unknown, { status }: Exchange): string | null {
  if (error === null) return null
  if (!isGatewayError(error)) return 'failed'
  return status === null ? error.message : error.kind
}

const callOf = (
  { id, user_reference_id }: CallingWithdrawal,
  made: Exchange | null,
  error: unknown,
): WithdrawalCallRow | null =>
  made === null
    ? null
    : {
        user_reference_id,
        withdrawal_id: id,
        purpose: 'withdraw',
        started_ms: made.startedMs,
        ended_ms: made.endedMs,
        status: made.status,
        fault: faultOf(error, made),
        request: made.request,
        reply: made.reply,
      }

/** The keys with which a unit of work about this withdrawal is loaded. */
export const keysOf = ({ id, user_reference_id }: WithdrawalRow): UnitKeys => ({
  users: [user_reference_id],
  withdrawals: [id],
  attemptsOf: [user_reference_id],
})

/** The columns of a withdrawal that ends before its call. */
export const UNCALLED = { step: 'ended', driver: null, early_decision: null } as const

/**
 * After a commit with an unknown outcome that is not followed up: it leads to no call of the gateway. If the withdrawal
 * is there, it ends as `not_sent` once the store answers, unless another commit has led to a call since.
 * @param calledMs the `called_ms` of that commit; null if it leads to no call
 */
export const giveUpUncalled = (
  { store, gateway, instance }: Pick<WithdrawalCallOptions, 'store' | 'gateway' | 'instance'>,
  { id, user_reference_id }: Pick<WithdrawalRow, 'id' | 'user_reference_id'>,
  calledMs: number | null,
): Promise<void> =>
  keepTrying(store, () =>
    store.unitOfWork({ users: [user_reference_id], withdrawals: [id], attemptsOf: [user_reference_id] }, (unit) => {
      const current = unit.withdrawal(id)
      if (current?.driver !== instance) return
      // It has been approved since, and is being called.
      if (current.step === 'calling' && current.called_ms !== calledMs) return
      const also = current.step === 'calling' ? callEnded(unit, gateway.clockOffsetMs()) : UNCALLED
      settleWithdrawal(unit, current, { evidence: { kind: 'not_sent' }, source: 'cashier', also })
    }),
  )

/**
 * Steps 3 and 4 of a withdrawal: the one call of the gateway, then its result. The row is at `calling`. Only this
 * process has moved it there, by a commit that began at `committingMs` of `uptimeMs`.
 */
export function createWithdrawalCall(options: WithdrawalCallOptions) {
  const { store, gateway, instance, uptimeMs, onFault, sent, onRefused } = options

  /** After the last try the caller gets the error, and the tries go on until the store answers. */
  const settleWithRetry = (
    row: CallingWithdrawal,
    transactions: readonly TransactionKey[],
    work: (unit: UnitOfWork) => WithdrawalRow,
  ): Promise<WithdrawalRow> => {
    const once = () => store.unitOfWork({ ...keysOf(row), transactions }, work)
    const reported = (error: unknown): never => {
      onFault(error, row.id)
      throw error
    }
    return settleRetry
      .execute(() => once().catch(reported))
      .catch((error: unknown) => {
        void keepTrying(store, once)
        throw error
      })
  }

  /** The gateway's reply counts, even if another instance has already settled the withdrawal without it. */
  const settle = (row: CallingWithdrawal, evidence: Evidence, { reply, kept }: Answered): Promise<WithdrawalRow> =>
    settleWithRetry(row, namedBy(evidence), (unit) => {
      if (kept !== null) unit.addCall(kept)
      return settleReply(unit, row, evidence, { reply, clockOffsetMs: gateway.clockOffsetMs() })
    })

  /** Settles a withdrawal that was not called as refused, unless another instance has taken it over. */
  const giveUp = (row: CallingWithdrawal, error: UnreachableError): Promise<WithdrawalRow> =>
    settleWithRetry(row, [], (unit) => {
      const current = withdrawalIn(unit, row.id)
      if (current.step !== 'calling' || current.driver !== instance) return current
      const also = callEnded(unit, gateway.clockOffsetMs())
      return settleWithdrawal(unit, current, { evidence: evidenceOf(error, gateway.statuses), source: 'cashier', also })
    })

  return async (row: CallingWithdrawal, committingMs: number): Promise<WithdrawalRow> => {
    const sleptMs = uptimeMs() - committingMs
    if (sleptMs > LATEST_CALL_MS) {
      const message = `not called: ${Math.round(sleptMs / 1000)} s had passed since the withdrawal was recorded`
      const error = new UnreachableError(message, { operation: 'withdraw' })
      onFault(error, row.id)
      return giveUp(row, error)
    }
    let evidence: Evidence
    let reply: WithdrawReply | null = null
    const exchanges: Exchange[] = []
    let failure: unknown = null
    sent?.add(row)
    try {
      const { currency_id, amount, wallet_address, user_reference_id } = row
      reply = await gateway.withdraw(
        { currency_id, amount, wallet_address, user_reference_id },
        { onExchange: (made) => exchanges.push(made) },
      )
      evidence = acceptanceIn(reply, gateway.statuses)
    } catch (error) {
      onFault(error, row.id)
      onRefused?.(row, error)
      evidence = evidenceOf(error, gateway.statuses)
      failure = error
    }
    return settle(row, evidence, { reply, kept: callOf(row, exchanges.at(-1) ?? null, failure) })
  }
}
