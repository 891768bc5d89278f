import { Problem } from '#lib/contract/problems.ts'
import type { ClockOffset } from '../ledger/gateway-time.ts'
import { laterThan } from '../ledger/long-ago.ts'
import { callEnded, withdrawalIn } from '../ledger/settle-reply.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { withState } from '../ledger/withdrawal-history.ts'
import type { CallingWithdrawal, Decider, KeptCall, PendingWithdrawal, Tx, WithdrawalRow } from '../store/types.ts'
import { hasChangedCurrency } from './read-currency-list.ts'
import { refuseUnchecked } from './refuse-unchecked.ts'
import { hasUncertainTwin, refuseShownPaid, refuseUncertainTwin } from './uncertain-twin.ts'
import {
  createWithdrawalCall,
  giveUpUncalled,
  keysOf,
  UNCALLED,
  type WithdrawalCallOptions,
} from './withdrawal-call.ts'

/**
 * The merchant's decision about a withdrawal (docs/reference/merchant-api.md, "May this be withdrawn?: authorization");
 * anything unclear is a decline.
 */
export interface AuthorizationDecision {
  readonly decision: 'approve' | 'decline' | 'postpone'
  readonly user_message: string | null
  /** What is kept of the call that asked for it. */
  readonly call?: KeptCall | null
}

export interface DriveOptions extends WithdrawalCallOptions {
  /** Asks the merchant, with the withdrawal's id as `webhook-id`; null if the embedded ledger decides. */
  readonly askMerchant: ((withdrawal: WithdrawalRow) => Promise<AuthorizationDecision>) | null
}

interface Decided extends AuthorizationDecision {
  /** Null for the merchant's answer to our question, and for the end of a wait. */
  readonly by: Decider | null
  /** True while the request that recorded the withdrawal is open: a decline is then its answer. */
  readonly during_request: boolean
}

/** A kept decision that is applied now was made by whoever made it. */
const deciderOf = (row: WithdrawalRow, { by }: Decided, decision: Decided['decision']): Decider | null =>
  by ?? (row.early_decision === decision ? row.decided_by : null)

const approvalMessage = ({ decision, user_message }: Decided): string | null =>
  decision === 'approve' ? user_message : null

/**
 * The merchant may call to decide while its answer to our question is on its way. That decision replaces a
 * postponement; if it contradicts the answer, nothing is sent.
 */
function withEarlyDecision({ step, early_decision, user_message }: WithdrawalRow, decided: Decided): Decided {
  if (step !== 'authorizing' || early_decision === null || decided.decision === 'decline') return decided
  if (early_decision === 'decline')
    return { ...decided, decision: 'decline', user_message: user_message ?? decided.user_message }
  // The message of the answer `postpone` no longer holds.
  return { ...decided, decision: 'approve', user_message: user_message ?? approvalMessage(decided) }
}

/** The ledger's rules alone have approved it: a merchant who keeps the books since is asked. */
const isByRules = ({ step, decided_by }: WithdrawalRow): boolean => step === 'pending' && decided_by === null

/** An approval before the end of the wait is kept, and counts then. */
async function isWaiting(tx: Tx, { wait_until_ms }: WithdrawalRow): Promise<boolean> {
  return wait_until_ms !== null && wait_until_ms > (await tx.reconciliation.nowMs())
}

/** A withdrawal whose currency's id now means another currency would pay out that one. @throws Problem `conflict` */
async function withSameCurrency(tx: Tx, row: WithdrawalRow, decided: Decided): Promise<Decided> {
  if (decided.decision !== 'approve' || !(await hasChangedCurrency(tx, row))) return decided
  if (row.step === 'authorizing') return { ...decided, decision: 'decline', user_message: null }
  throw new Problem('conflict', 'The id of its currency now means another currency: it can only be declined.')
}

/** An approval is not followed: the withdrawal stays postponed. */
interface Refused {
  readonly refusal: Problem
}

/** Nothing is sent before a restored database was checked for the user. What the check has changed is saved. */
async function whenChecked(tx: Tx, unit: UnitOfWork, row: WithdrawalRow, decided: Decided): Promise<Decided | Refused> {
  if (decided.decision !== 'approve') return decided
  const refusal = await refuseUnchecked(tx, unit, row.user_reference_id, row.funds === 'none' ? 'merchant' : 'embedded')
  if (refusal === null) return decided
  return row.step === 'authorizing' ? { ...decided, decision: 'decline', user_message: null } : { refusal }
}

/**
 * A withdrawal that is sent while the same withdrawal is `unknown`, or a payout that nobody owns may be its own, might
 * pay twice. A postponed withdrawal stays postponed. A withdrawal that the merchant approves in its answer is declined,
 * and its event releases the merchant's reservation.
 * @throws Problem `outcome_unknown`
 */
function withoutTwin(unit: UnitOfWork, row: WithdrawalRow, decided: Decided, offset: ClockOffset): Decided {
  if (decided.decision !== 'approve') return decided
  if (row.step === 'authorizing')
    return hasUncertainTwin(unit, row) ? { ...decided, decision: 'decline', user_message: null } : decided
  refuseUncertainTwin(unit, row)
  refuseShownPaid(unit, row, offset)
  return decided
}

function keepApproval(unit: UnitOfWork, row: PendingWithdrawal, { by, user_message }: Decided): WithdrawalRow {
  if (row.early_decision !== null) return row
  const updated_ms = laterThan(row.updated_ms, unit.now)
  const kept = { ...row, early_decision: 'approve', decided_by: by, user_message, updated_ms } as const
  unit.putWithdrawal(kept)
  return kept
}

/**
 * Steps 2 to 4 of a withdrawal (docs/explanation/money.md, "Withdrawal steps"). Each leads from a stored state to the
 * next.
 */
export function createWithdrawalSteps(options: DriveOptions) {
  const { store, instance, askMerchant, uptimeMs } = options
  const call = createWithdrawalCall(options)

  const inUnit = <T>(row: WithdrawalRow, work: (unit: UnitOfWork, tx: Tx) => Promise<T>): Promise<T> =>
    store.transaction(async (tx) => {
      const unit = await tx.load(keysOf(row))
      const result = await work(unit, tx)
      await tx.save(unit)
      return result
    })

  /** Applies a decision to a withdrawal that is still at the row's step, in one commit; null if it has moved on. */
  const apply = (
    row: WithdrawalRow,
    decided: Decided,
    onCall: (calledMs: number) => void,
  ): Promise<WithdrawalRow | Refused | null> =>
    inUnit(row, async (unit, tx) => {
      if (decided.by !== null) unit.actsFor(decided.by)
      const current = withdrawalIn(unit, row.id)
      const { id: withdrawal_id, user_reference_id } = current
      if (decided.call != null)
        unit.addCall({ ...decided.call, user_reference_id, withdrawal_id, purpose: 'authorize' })
      if (current.step !== row.step || current.status !== 'pending_authorization') return null
      if (current.step === 'pending' && decided.decision === 'approve' && (await isWaiting(tx, current)))
        return keepApproval(unit, current, decided)
      const possible = await withSameCurrency(tx, current, withEarlyDecision(current, decided))
      const checked = await whenChecked(tx, unit, current, possible)
      if ('refusal' in checked) return checked
      const offset = options.gateway.clockOffsetMs()
      const { decision, user_message, during_request } = withoutTwin(unit, current, checked, offset)
      if (decision === 'approve') {
        const called: CallingWithdrawal = {
          ...current,
          step: 'calling',
          driver: instance,
          early_decision: null,
          decided_by: deciderOf(current, decided, decision),
          status: 'processing',
          // Replaces the message of a postponement.
          user_message,
          called_ms: unit.now,
          updated_ms: laterThan(current.updated_ms, unit.now),
          overdue_ms: null,
          states: withState(current, {
            status: 'processing',
            at_ms: unit.now,
            cause: 'approved',
            source: 'cashier',
          }),
        }
        unit.putWithdrawal(called)
        if (current.overdue_ms !== null) unit.settleReport('overdue', current.id)
        onCall(unit.now)
        return called
      }
      return settleWithdrawal(unit, current, {
        evidence: decision === 'postpone' ? { kind: 'postponed' } : { kind: 'declined', user_message, during_request },
        source: 'cashier',
        also:
          decision === 'postpone'
            ? { step: 'pending', driver: null, early_decision: null, decided_by: null, user_message }
            : {
                ...UNCALLED,
                decided_by: deciderOf(current, decided, decision),
                user_message,
                declined_at_request: during_request ? 1 : 0,
              },
      })
    })

  /** Called after a commit with an unknown outcome. @param calledMs its `called_ms`; null if it leads to no call */
  const giveUp = (row: Pick<WithdrawalRow, 'id' | 'user_reference_id'>, calledMs: number | null): void =>
    void giveUpUncalled(options, row, calledMs)

  /**
   * Applies a decision, and calls the gateway for an approval; null if the withdrawal has moved on.
   * @throws Problem `outcome_unknown`
   */
  const decide = async (row: WithdrawalRow, decided: Decided): Promise<WithdrawalRow | null> => {
    const committingMs = uptimeMs()
    let calledMs: number | null = null
    const next = await apply(row, decided, (ms) => {
      calledMs = ms
    }).catch((error: unknown) => {
      if (store.isUnknown(error)) giveUp(row, calledMs)
      throw error
    })
    if (next !== null && 'refusal' in next) throw next.refusal
    return next?.step === 'calling' ? call(next, committingMs) : next
  }

  const approve = (
    row: WithdrawalRow,
    user_message: string | null,
    by: Decider | null = null,
  ): Promise<WithdrawalRow | null> => decide(row, { decision: 'approve', user_message, during_request: false, by })

  const decline = (
    row: WithdrawalRow,
    user_message: string | null,
    during_request: boolean,
    by: Decider | null = null,
  ): Promise<WithdrawalRow | null> => decide(row, { decision: 'decline', user_message, during_request, by })

  /** For the user, before anything is sent; null if the withdrawal has moved on. @throws Problem `outcome_unknown` */
  const cancel = (row: WithdrawalRow): Promise<WithdrawalRow | null> =>
    inUnit(row, (unit) => {
      const current = withdrawalIn(unit, row.id)
      const settled =
        current.step !== 'pending'
          ? null
          : settleWithdrawal(unit, current, {
              evidence: { kind: 'cancelled' },
              source: 'cashier',
              also: { ...UNCALLED, user_message: null },
            })
      return Promise.resolve(settled)
    })

  /**
   * Keeps a decision that comes before the merchant's answer is stored; it is applied with that answer. Null if the
   * answer is already stored, or another decision is kept.
   * @throws Problem `outcome_unknown`
   */
  const decideEarly = (
    row: WithdrawalRow,
    decision: 'approve' | 'decline',
    user_message: string | null,
    by: Decider | null = null,
  ): Promise<WithdrawalRow | null> =>
    inUnit(row, async (unit) => {
      const current = withdrawalIn(unit, row.id)
      if (current.step !== 'authorizing') return null
      if (current.early_decision !== null) return current.early_decision === decision ? current : null
      if (decision === 'approve') refuseUncertainTwin(unit, current)
      const kept = { ...current, early_decision: decision, user_message, decided_by: by }
      unit.putWithdrawal(kept)
      return kept
    })

  /**
   * Step 2 if the merchant decides, then the next step. After a crash the merchant is asked again under the same id.
   */
  const authorize = async (row: WithdrawalRow, during_request: boolean): Promise<WithdrawalRow> => {
    const answer = await answerFor(row)
    const next = await decide(row, { ...answer, during_request, by: null })
    if (next === null || next.step === 'pending') options.sent?.handOver(row.id)
    return next ?? reread(row)
  }

  const answerFor = async (row: WithdrawalRow): Promise<AuthorizationDecision> => {
    // A decision that was made meanwhile is used without asking.
    const { early_decision: decision, user_message } = row
    if (decision !== null && (askMerchant === null || !isByRules(row))) return { decision, user_message }
    if (askMerchant === null) return { decision: 'decline', user_message: null }
    if (row.step === 'authorizing') options.sent?.add(row)
    return askMerchant(row).catch((error: unknown) => {
      options.onFault(error, row.id)
      return { decision: 'decline' as const, user_message: null }
    })
  }

  const reread = async (row: WithdrawalRow): Promise<WithdrawalRow> =>
    (await store.withdrawals.ofUserById(row.user_reference_id, row.id)) ?? row

  /**
   * Continues a withdrawal that was approved, and whose wait is over; or one whose process died between two steps: asks
   * the merchant again, or marks its call as uncertain.
   */
  const resume = async (row: WithdrawalRow): Promise<void> => {
    if (row.step === 'pending' || row.step === 'authorizing') await authorize(row, row.step === 'authorizing')
    else
      await store.unitOfWork(keysOf(row), (unit) => {
        const current = withdrawalIn(unit, row.id)
        if (current.step !== 'calling') return
        settleWithdrawal(unit, current, {
          evidence: { kind: 'uncertain' },
          source: 'cashier',
          // The calling instance had its own clock, and its knowledge of the gateway's clock died with it.
          also: callEnded(unit, null),
        })
      })
  }

  return { authorize, approve, decline, cancel, decideEarly, call, giveUp, resume, uptimeMs }
}

export type WithdrawalSteps = ReturnType<typeof createWithdrawalSteps>
