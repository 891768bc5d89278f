import { handleAll, IterableBackoff, retry } from 'cockatiel'
import { isGatewayError, UnreachableError } from '../gateway/errors.ts'
import type { Exchange, Gateway, WithdrawReply } from '../gateway/types.ts'
import { compareTexts } from '../ledger/compare.ts'
import { reportDispute } from '../ledger/disputes.ts'
import { followNamed, matchOpenPayouts } from '../ledger/payouts/payout-owners.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { Evidence } from '../ledger/withdrawal-states.ts'
import type { TransactionKey } from '../ledger/rows.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { withState } from '../ledger/withdrawal-history.ts'
import type {
  CallingWithdrawal,
  CalledWithdrawal,
  Store,
  UnitKeys,
  WithdrawalCallRow,
  WithdrawalRow,
} from '../store/types.ts'
import { keepTrying } from './keep-trying.ts'
import { replyDifferences } from './reply-differences.ts'
import type { SentWithdrawals } from './sent-withdrawals.ts'
import { evidenceOf } from './withdrawal-evidence.ts'

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

export function withdrawalIn(unit: UnitOfWork, id: string): WithdrawalRow {
  const row = unit.withdrawal(id)
  if (row === null) throw new Error(`withdrawal ${id} is gone`)
  return row
}

/** The withdrawal, whose call has begun: the store may have lost that, and the merchant may have declined it since. */
function calledIn(unit: UnitOfWork, { id, called_ms }: CallingWithdrawal): WithdrawalRow {
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

/** Asks a person about a reply that contradicts what was asked, or an earlier reply. */
const report = (unit: UnitOfWork, row: WithdrawalRow, uuid: string | null, evidence: object): void => {
  const { user_reference_id } = row
  const about = { kind: 'payout', transaction_uuid: uuid ?? row.id, user_reference_id } as const
  reportDispute(unit, 'contradiction', about, JSON.stringify(evidence))
}

/** The gateway accepted another amount, currency or address than was asked for. It is followed all the same. */
function reportDifferences(unit: UnitOfWork, row: WithdrawalRow, uuid: string | null, reply: WithdrawReply): void {
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

const namedBy = (evidence: Evidence): readonly TransactionKey[] =>
  'transaction_uuid' in evidence && evidence.transaction_uuid !== null
    ? [{ kind: 'payout', transaction_uuid: evidence.transaction_uuid }]
    : []

/** The columns of a withdrawal that ends before its call. */
export const UNCALLED = { step: 'ended', driver: null, early_decision: null } as const

/** The columns of a withdrawal whose call ends now. Earlier scans of the list prove no absence. */
export const callEnded = ({ now }: UnitOfWork, gateway: Pick<Gateway, 'clockOffsetMs'>) =>
  ({
    step: 'ended',
    driver: null,
    call_ended_ms: now,
    clock_offset_ms: gateway.clockOffsetMs(),
    absent_scans: 0,
    // An earlier check used another end of the call (`reconcile/check-unknown-withdrawals.ts`).
    checked_ms: null,
  }) as const

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
      const also = current.step === 'calling' ? callEnded(unit, gateway) : UNCALLED
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
      const own = withOwnTransaction(unit, row, evidence)
      reportOtherTransaction(unit, calledIn(unit, row), own)
      // What a webhook or the list has said about the transaction outranks the reply.
      for (const { transaction_uuid } of namedBy(own))
        followNamed(unit, withdrawalIn(unit, row.id), transaction_uuid, { isReply: true })
      const also = callEnded(unit, gateway)
      settleWithdrawal(unit, withdrawalIn(unit, row.id), { evidence: own, source: 'cashier', also })
      if (reply !== null && own.kind === 'accepted') reportDifferences(unit, row, own.transaction_uuid, reply)
      // A payout that was open may be this withdrawal's now: its reply may tell another amount.
      matchOpenPayouts(unit, row.user_reference_id, gateway.clockOffsetMs())
      return withdrawalIn(unit, row.id)
    })

  /** Settles a withdrawal that was not called as refused, unless another instance has taken it over. */
  const giveUp = (row: CallingWithdrawal, error: UnreachableError): Promise<WithdrawalRow> =>
    settleWithRetry(row, [], (unit) => {
      const current = withdrawalIn(unit, row.id)
      if (current.step !== 'calling' || current.driver !== instance) return current
      const also = callEnded(unit, gateway)
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
      evidence = {
        kind: 'accepted',
        requires_approval: reply.requires_approval,
        status: gateway.statuses.record(reply.status),
        amount: reply.amount,
        transaction_uuid: reply.transaction_uuid,
      }
    } catch (error) {
      onFault(error, row.id)
      onRefused?.(row, error)
      evidence = evidenceOf(error, gateway.statuses)
      failure = error
    }
    return settle(row, evidence, { reply, kept: callOf(row, exchanges.at(-1) ?? null, failure) })
  }
}
