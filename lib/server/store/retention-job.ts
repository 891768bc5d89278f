import { setTimeout as sleep } from 'node:timers/promises'
import type { Store, Tx } from './store.ts'

const LEASE = 'retention'
const LEASE_MS = 60_000
const DAY_MS = 86_400_000

/** How many days what is kept. */
export interface Keep {
  readonly streamEventsDays: number
  readonly webhooksDays: number
  readonly sessionsDays: number
  readonly merchantEventsDays: number
}

export interface RetentionJobOptions {
  readonly store: Pick<Store, 'transaction' | 'leases'>
  readonly keep: Keep
  /** No session is forgotten before this age (`SESSION_MAX_S`), at which it is over. */
  readonly sessionMaxMs: number
  readonly clock: () => number
  /** Names this instance; one at a time forgets. */
  readonly holder: string
  readonly log: { warn(fields: object, message: string): void }
  /** One hour by default. */
  readonly everyMs?: number
  /** Rows in one transaction; 500 by default. */
  readonly batch?: number
  /** Between two transactions, so that others come first; 50 ms by default. */
  readonly pauseMs?: number
}

export interface RetentionJob {
  start(): void
  stop(): Promise<void>
  /** Forgets all that is past its time, where this instance leads; gives how many rows went. */
  runOnce(): Promise<number>
}

type Forget = (tx: Pick<Tx, 'retention' | 'sessions'>, beforeMs: number, limit: number) => Promise<number>

const forgets = ({
  keep,
  sessionMaxMs,
}: RetentionJobOptions): readonly { readonly ms: number; readonly run: Forget }[] => [
  { ms: keep.streamEventsDays * DAY_MS, run: (tx, ...batch) => tx.retention.forgetStreamEvents(...batch) },
  { ms: keep.webhooksDays * DAY_MS, run: (tx, ...batch) => tx.retention.forgetWebhooks(...batch) },
  { ms: keep.merchantEventsDays * DAY_MS, run: (tx, ...batch) => tx.retention.forgetMerchantEvents(...batch) },
  {
    ms: Math.max(keep.sessionsDays * DAY_MS, sessionMaxMs),
    run: (tx, ...batch) => tx.sessions.forgetSessions(...batch),
  },
]

/** Forgets what is past its time (docs/data.md), every hour, in small transactions. */
export function createRetentionJob(options: RetentionJobOptions): RetentionJob {
  const { store, clock, holder, log, everyMs = 3_600_000, batch = 500, pauseMs = 50 } = options
  const stopped = new AbortController()
  const rest = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined)

  const leads = (): Promise<boolean> => store.leases.take(LEASE, holder, clock(), clock() + LEASE_MS)

  const runOnce = async (): Promise<number> => {
    let total = 0
    for (const { ms, run } of forgets(options)) {
      for (let gone = batch; gone >= batch && !stopped.signal.aborted; total += gone) {
        if (!(await leads())) return total
        gone = await store.transaction((tx) => run(tx, tx.now - ms, batch))
        if (gone >= batch) await rest(pauseMs)
      }
    }
    return total
  }

  const keepRunning = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await runOnce().catch((error: unknown) =>
        log.warn({ err: error }, 'what is past its time could not be forgotten'),
      )
      await rest(everyMs)
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
      if (running !== null) await store.leases.giveUp(LEASE, holder).catch(() => undefined)
    },
    runOnce,
  }
}
