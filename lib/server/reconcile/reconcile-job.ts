import { isProblem, type ProblemCode } from '#lib/contract/problems.ts'
import type { Gateway } from '../gateway/types.ts'
import { createRenewal } from '../jobs/renewal.ts'
import { createRounds, type Sleep } from '../jobs/rounds.ts'
import type { ClaimedUser, Store, WithdrawalRow } from '../store/types.ts'
import { createFindOverdue } from './find-overdue.ts'
import { ALIVE_MS } from './alive.ts'
import type { ReadMerchantList } from './scan-merchant-list.ts'
import { createSweep } from './sweep.ts'
import { createUserQueue, type QueueCounts } from './user-queue.ts'

export interface ReconcileCounts extends QueueCounts {
  /** The number of withdrawals that were resumed after their process died between two steps. */
  readonly resumed: number
}

export interface ReconcileJobOptions {
  readonly store: Store
  readonly instance: string
  readonly clock: () => number
  /** Before each renewal of this instance's lease. */
  readonly onAlive?: () => Promise<void>
  /** Sleeps by `clock`. */
  readonly sleep: Sleep
  /** Looks for evidence about a user's `unknown` withdrawals, and ends the claim on that user. */
  readonly checkUnknown: (user: string, ids: readonly string[]) => Promise<number>
  /**
   * Compares a user's list, and ends the claim on that user. Returns the number of states that no webhook had brought.
   */
  readonly compareUser: (user: ClaimedUser) => Promise<number>
  /** The list across all users, with the priority of a sweep. */
  readonly merchantList: ReadMerchantList
  readonly statuses: Gateway['statuses']
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  /** The gateway's clock minus ours; null while it is unknown. */
  readonly clockOffsetMs: () => number | null
  /** True while the gateway is down. */
  readonly isAway: () => boolean
  /** Continues a withdrawal whose process died, or whose wait is over. */
  readonly resume: (row: WithdrawalRow) => Promise<void>
  readonly onRound: (counts: ReconcileCounts) => void
  /** `user`: the user concerned, if any. */
  readonly onFault: (error: unknown, what: string, user?: string) => void
  /** Longer than any step takes: a step of our own that lasts longer is resumed. */
  readonly stuckMs: number
  /** The allowed calls per second: no more users than that are claimed at once. */
  readonly callsPerSecond: number
  /** `OVERDUE_S`. */
  readonly overdueMs: number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds. */
  readonly absenceMs: number
}

/** The time between two queries for due users; `SOON_MS` while more users are due than there are places. */
const EVERY_MS = 1000
const SOON_MS = 50
const AT_ONCE = 16

const LEADER_LEASE = 'reconcile'
const LEASE_MS = ALIVE_MS
/** The time between two renewals of the leases, and between two queries for withdrawals of dead processes. */
const REGULAR_MS = LEASE_MS / 3
/** The longest time for which the start waits for the leases. */
const START_WITHIN_MS = 3000
/** If no instance was alive for this time, all users are reconciled once. */
const DOWNTIME_MS = 60_000
/** A withdrawal that could not be resumed is tried again after this time. */
const RESUME_AGAIN_MS = 30_000
const RESUMED_A_ROUND = 100
/** Why a withdrawal may not be sent yet. */
const REFUSALS: readonly ProblemCode[] = ['outcome_unknown', 'conflict']

/**
 * The job that every instance runs (docs/explanation/money.md, "Reconciliation"): it resumes the withdrawals of dead
 * processes, sends those whose wait is over, and reconciles users from the queue that all instances share. One instance
 * at a time schedules sweeps, and reports what is overdue.
 */
export function createReconcileJob(options: ReconcileJobOptions) {
  const { store, instance, clock } = options
  const sweep = createSweep({ ...options, gateway: options.merchantList })
  const renewal = createRenewal(clock)
  let stopped = false
  let leads = false
  let resumed = 0
  let faults = 0

  /** Work that our own stop interrupts is no fault. */
  const onFault = (error: unknown, what: string, user?: string): void => {
    if (!stopped) options.onFault(error, what, user)
  }
  const findOverdue = createFindOverdue({
    ...options,
    onFault: (...fault) => {
      faults += 1
      onFault(...fault)
    },
  })
  const queue = createUserQueue({
    ...options,
    onFault,
    onFree: () => taking.wake(),
    atOnce: Math.min(AT_ONCE, options.callsPerSecond),
  })

  /** Counts and reports a failure of this work, which ends it alone: null. */
  const guarded = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      faults += 1
      onFault(error, what)
      return null
    }
  }

  /** Records that this instance is alive and holds its claims, and takes or renews the leader's lease. */
  const renew = async (): Promise<void> => {
    renewal.nextIn(REGULAR_MS / 2)
    // First: under another rule of the books the transaction is refused, and the process must end.
    await options.onAlive?.()
    // Every transaction checks whether a newer version has upgraded the database; an idle instance begins no other.
    await store.transaction(async (tx) => {
      await tx.leases.keepAlive(instance, ALIVE_MS)
      if (store.delivers) await tx.leases.showDelivery(instance, ALIVE_MS)
    })
    await store.followDelivery()
    await store.reconciliation.noteAlive(DOWNTIME_MS)
    await queue.renewClaims()
    await store.reconcileQueue.requeue()
    leads = await store.leases.take(LEADER_LEASE, instance, LEASE_MS)
  }

  const renewOrStepBack = async (): Promise<void> => {
    try {
      await renew()
    } catch (error) {
      leads = false
      throw error
    }
  }

  /** False if another instance resumes it, or if it may not be sent yet: it is then tried again. */
  const resumeOne = async (row: WithdrawalRow): Promise<boolean> => {
    if (!(await store.leases.takeToResume(row.id, instance, RESUME_AGAIN_MS))) return false
    try {
      await options.resume(row)
    } catch (error) {
      if (isProblem(error) && REFUSALS.includes(error.code)) return false
      throw error
    }
    await store.leases.resumed(row.id)
    return true
  }

  /**
   * Continues what `find` returns, until it returns no more. `onResumed` is called for each that was continued here.
   */
  const resumeEach = async (
    what: string,
    find: () => Promise<readonly WithdrawalRow[]>,
    onResumed: () => void,
  ): Promise<void> => {
    const rows = [...(await find())]
    const mayBeMore = rows.length === RESUMED_A_ROUND
    let ended = 0
    const worker = async (): Promise<void> => {
      for (let row = rows.shift(); row !== undefined && !stopped; row = rows.shift()) {
        const next = row
        if (!(await guarded(what, () => resumeOne(next)))) continue
        ended += 1
        onResumed()
      }
    }
    await Promise.all(Array.from({ length: 4 }, worker))
    if (mayBeMore && ended > 0 && !stopped) await resumeEach(what, find, onResumed)
  }

  const resumeAll = async (): Promise<void> => {
    const find = () =>
      store.withdrawals.inFlight(RESUMED_A_ROUND, { driver: instance, stuckSinceMs: clock() - options.stuckMs })
    await guarded('find interrupted withdrawals', () =>
      resumeEach('resume withdrawal', find, () => {
        resumed += 1
      }),
    )
  }

  const endWaits = async (): Promise<void> => {
    const find = () => store.withdrawals.waitedLongEnough(RESUMED_A_ROUND)
    await guarded('find withdrawals whose wait is over', () =>
      resumeEach('send a withdrawal after its wait', find, () => undefined),
    )
  }

  const sweepUsers = async (): Promise<void> => {
    if (leads) await guarded('schedule users', () => sweep(() => leads && !stopped))
  }

  const reportOverdue = async (): Promise<void> => {
    if (leads) await guarded('report what is overdue', () => findOverdue(() => leads && !stopped))
  }

  const report = (): ReconcileCounts => {
    const done = queue.takeCounts()
    const counts = { ...done, resumed, faults: done.faults + faults }
    resumed = 0
    faults = 0
    options.onRound(counts)
    return counts
  }

  /** Takes users that are due, as many as there are places. Returns the milliseconds until the next one is due. */
  const takeDueUsers = async (): Promise<number | null> => {
    try {
      // Users without a free place are reconciled when a place becomes free.
      return (await queue.fill()) || options.isAway() ? 0 : await store.reconcileQueue.nextDueMs()
    } finally {
      report()
    }
  }

  const { sleep } = options
  /** Work that no change of the database makes due. */
  const regularly = (work: () => Promise<void>) =>
    createRounds({
      round: async () => {
        await work()
        return null
      },
      onFault: (error) => onFault(error, 'regular work'),
      everyMs: REGULAR_MS,
      longestMs: REGULAR_MS,
      onChange: null,
      sleep,
    })
  // Separate loops: resuming a withdrawal, or reading a long list, may take longer than a lease lasts.
  const renewing = regularly(async () => {
    if (renewal.isDue()) await guarded('renew the leases', renewOrStepBack)
  })
  const resuming = regularly(resumeAll)
  const sending = regularly(endWaits)
  const sweeping = regularly(sweepUsers)
  const reporting = regularly(reportOverdue)
  const taking = createRounds({
    round: takeDueUsers,
    onFault: (error) => {
      faults += 1
      onFault(error, 'take users')
    },
    everyMs: EVERY_MS,
    soonMs: SOON_MS,
    longestMs: REGULAR_MS,
    onChange: (listener) => store.onChange(listener),
    sleep,
  })

  return {
    /** Does all due work once; for tests. */
    async runOnce(): Promise<ReconcileCounts> {
      if (renewal.isDue()) await renew()
      await resumeAll()
      await endWaits()
      await sweepUsers()
      await reportOverdue()
      await queue.fill()
      while (queue.size > 0) {
        await queue.settled()
        await queue.fill()
      }
      return report()
    },
    /** With SQLite there is no other instance, so work that a crash interrupted is resumed at once. */
    async start(): Promise<void> {
      if (store.database.flavour === 'sqlite') {
        await store.leases.deleteAll()
        await store.reconcileQueue.requeue(true)
        await guarded('renew the leases', renewOrStepBack)
      } else {
        const begun = guarded('renew the leases', async () => {
          await store.leases.deleteExpired()
          await renewOrStepBack()
        })
        const ended = new AbortController()
        // Without its standby PostgreSQL answers no write; the rounds renew the leases later.
        await Promise.race([begun, options.sleep(START_WITHIN_MS, ended.signal).catch(() => undefined)])
        ended.abort()
      }
      for (const rounds of [renewing, resuming, sending, sweeping, reporting, taking]) rounds.start()
    },
    async stop(): Promise<void> {
      stopped = true
      await Promise.all([renewing, resuming, sending, sweeping, reporting, taking].map((rounds) => rounds.stop()))
      await queue.settled()
      await store.leases.releaseAll(instance)
    },
  }
}
