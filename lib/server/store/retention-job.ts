import { setTimeout as sleep } from 'node:timers/promises'
import type { Store, Tx } from './store.ts'

const LEASE = 'retention'
const LEASE_MS = 60_000
const DAY_MS = 86_400_000

/** Days after which rows are deleted (`KEEP_*_DAYS`). */
export interface RetentionDays {
  readonly streamEvents: number
  readonly webhooks: number
  readonly sessions: number
  readonly merchantEvents: number
}

export interface RetentionJobOptions {
  readonly store: Pick<Store, 'transaction' | 'leases'>
  readonly days: RetentionDays
  /** A session is kept at least this long after its last use (`SESSION_MAX_S`): until then it may not have ended. */
  readonly sessionMaxMs: number
  /** Names this instance: one instance at a time runs the job. */
  readonly holder: string
  readonly log: { warn(fields: object, message: string): void }
  /**
   * The gateway's clock minus ours; null while it is unknown. Ours may be months ahead: then what it calls old is all that
   * the merchant has yet to hear of. Left out: ours is right.
   */
  readonly clockOffsetMs?: () => number | null
  /** Wraps a round, for example in a span. */
  readonly around?: (work: () => Promise<number>) => Promise<number>
  /** One hour by default. */
  readonly everyMs?: number
  /** Rows in one transaction; 500 by default. */
  readonly batch?: number
  /** Pause between two transactions, in which other writers continue; 50 ms by default. */
  readonly pauseMs?: number
}

export interface RetentionJob {
  start(): void
  stop(): Promise<void>
  /** Deletes all expired rows if this instance holds the lease. Returns the number of rows. */
  runOnce(): Promise<number>
}

interface RetentionRule {
  readonly ms: number
  readonly run: (
    tx: Pick<Tx, 'retention' | 'sessions' | 'operators'>,
    beforeMs: number,
    limit: number,
  ) => Promise<number>
}

/** A gateway whose replies have no time tells nothing of our clock: after this time ours counts as right. */
const CLOCK_UNKNOWN_MS = DAY_MS
/** The pause while nothing is known of our clock. */
const UNTIL_KNOWN_MS = 60_000

/** A scan of a list that was not continued for this time is not continued any more. */
const LIST_SCAN_MS = 2 * DAY_MS

/** Longer than any day that the console shows, and than the gateway takes to correct an amount. */
const TALLIES_MS = 90 * DAY_MS
const TALLIED_EVENTS_MS = 7 * DAY_MS
const DELIVERY_ATTEMPT_MS = 7 * DAY_MS
/** Whoever reads the feed may have been away for a weekend. */
const MERCHANT_EVENT_MS = 4 * DAY_MS
/** Longer than a view's session lasts. */
const DELIVERY_VIEW_MS = DAY_MS

const rulesFor = ({ days, sessionMaxMs }: RetentionJobOptions): readonly RetentionRule[] => [
  { ms: days.streamEvents * DAY_MS, run: (tx, ...batch) => tx.retention.deleteStreamEvents(...batch) },
  { ms: days.webhooks * DAY_MS, run: (tx, ...batch) => tx.retention.deleteWebhooks(...batch) },
  { ms: days.webhooks * DAY_MS, run: (tx, ...batch) => tx.retention.deleteSettledQuarantine(...batch) },
  { ms: days.webhooks * DAY_MS, run: (tx, ...batch) => tx.retention.deleteProposals(...batch) },
  { ms: days.webhooks * DAY_MS, run: (tx, ...batch) => tx.retention.deleteWithdrawalCalls(...batch) },
  { ms: days.webhooks * DAY_MS, run: (tx, ...batch) => tx.retention.deleteRequestEffects(...batch) },
  { ms: TALLIES_MS, run: (tx, ...batch) => tx.retention.deleteTallies(batch[0]) },
  { ms: TALLIED_EVENTS_MS, run: (tx, ...batch) => tx.retention.deleteTalliedEvents(...batch) },
  { ms: DAY_MS, run: (tx, ...batch) => tx.retention.deleteInstanceReports(batch[0]) },
  { ms: LIST_SCAN_MS, run: (tx, ...batch) => tx.retention.deleteListScans(...batch) },
  { ms: DELIVERY_ATTEMPT_MS, run: (tx, ...batch) => tx.retention.deleteDeliveryAttempts(...batch) },
  { ms: DELIVERY_VIEW_MS, run: (tx, ...batch) => tx.retention.deleteDeliveryViews(...batch) },
  {
    ms: Math.max(days.merchantEvents * DAY_MS, MERCHANT_EVENT_MS),
    run: (tx, ...batch) => tx.retention.deleteMerchantEvents(...batch),
  },
  {
    ms: Math.max(days.sessions * DAY_MS, sessionMaxMs),
    run: (tx, ...batch) => tx.sessions.deleteUnusedSessions(...batch),
  },
  { ms: days.sessions * DAY_MS, run: (tx, ...batch) => tx.operators.deleteUnusedSessions(...batch) },
]

const inNothing: NonNullable<RetentionJobOptions['around']> = (work) => work()

/** Deletes rows past their retention (docs/explanation/security.md), every hour, in small transactions. */
export function createRetentionJob(options: RetentionJobOptions): RetentionJob {
  const { store, holder, log, around = inNothing, everyMs = 3_600_000, batch = 500, pauseMs = 50 } = options
  const stopped = new AbortController()
  const rest = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined)

  const holdsLease = (): Promise<boolean> => store.leases.take(LEASE, holder, LEASE_MS)

  const begun = performance.now()
  /** How far our clock is ahead; null: nobody knows yet. */
  const aheadMs = (): number | null => {
    const offset = options.clockOffsetMs === undefined ? 0 : options.clockOffsetMs()
    if (offset !== null) return Math.max(0, -offset)
    return performance.now() - begun < CLOCK_UNKNOWN_MS ? null : 0
  }

  const runOnce = async (): Promise<number> => {
    const ahead = aheadMs()
    if (ahead === null) return 0
    let total = 0
    for (const { ms, run } of rulesFor(options)) {
      for (let deleted = batch; deleted >= batch && !stopped.signal.aborted; total += deleted) {
        if (!(await holdsLease())) return total
        deleted = await store.transaction((tx) => run(tx, tx.now - ahead - ms, batch))
        if (deleted >= batch) await rest(pauseMs)
      }
    }
    return total
  }

  const keepRunning = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await around(runOnce).catch((error: unknown) => log.warn({ err: error }, 'deleting expired rows failed'))
      await rest(aheadMs() === null ? Math.min(UNTIL_KNOWN_MS, everyMs) : everyMs)
    }
  }

  let running: Promise<void> | null = null
  return {
    start() {
      running ??= keepRunning()
    },
    async stop() {
      stopped.abort()
      await running
      if (running !== null) await store.leases.release(LEASE, holder).catch(() => undefined)
    },
    runOnce,
  }
}
