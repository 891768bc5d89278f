import { setTimeout as sleep } from 'node:timers/promises'
import type { DueDelivery, Store } from '../store/port.ts'
import { deliver } from './deliver.ts'
import { nextTryMs } from './delivery-schedule.ts'

const LEASE = 'merchant-deliveries'
const LEASE_MS = 30_000
const RENEW_MS = 10_000
/** Pause between two polls, however often we are woken. */
const SHORTEST_PAUSE_MS = 20

/** Concurrent deliveries: first attempts have slots of their own, so that retries cannot take them all. */
const SLOTS = [
  { fresh: true, limit: 16 },
  { fresh: false, limit: 8 },
] as const

export interface DeliveryJobOptions {
  readonly store: Pick<Store, 'deliveries' | 'leases' | 'onCommit' | 'transaction'>
  /** `MERCHANT_WEBHOOK_URL` and `MERCHANT_WEBHOOK_SECRET`. */
  readonly url: string
  readonly secret: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => number
  readonly random: () => number
  /** Names this instance: one instance at a time delivers. */
  readonly holder: string
  readonly log: { warn(fields: object, message: string): void }
  readonly onOutcome?: (outcome: 'delivered' | 'failed' | 'dead') => void
  /** Time between two polls without a commit; 1000 by default. */
  readonly pollMs?: number
  /** For one attempt; 10 000 by default. */
  readonly timeoutMs?: number
}

export interface DeliveryJob {
  start(): void
  /** Starts no new delivery and waits for those under way. */
  stop(): Promise<void>
  /** Delivers until nothing is due, if this instance holds the lease. Returns the number of attempts. */
  runOnce(): Promise<number>
}

/**
 * Delivers each event to the merchant's webhook (docs/api.md, "Event webhook"): at least once, in order within a
 * transaction, by one leader among the instances. A failed delivery is retried after 5 s, 30 s, 2 min, 10 min, 30 min,
 * 1 h, 2 h, 4 h, then every 8 h up to three days, and delays only its own transaction; then it is marked dead and the
 * next one follows.
 */
export function createDeliveryJob(options: DeliveryJobOptions): DeliveryJob {
  const { store, clock, random, holder, log, onOutcome, pollMs = 1000, timeoutMs = 10_000 } = options
  const underWay = new Map<string, { readonly fresh: boolean; readonly done: Promise<void> }>()
  /** Settled while due deliveries were read: the result may still contain them. */
  const justSettled = new Set<string>()
  let attemptCount = 0
  let leaseUntil = 0
  let renewAt = 0
  let deferAt = 0
  let stopped = false
  let wake: () => void = () => undefined

  const holdsLease = async (): Promise<boolean> => {
    const now = clock()
    if (now >= renewAt) {
      const taken = await store.leases.take(LEASE, holder, LEASE_MS)
      leaseUntil = taken ? now + LEASE_MS : 0
      renewAt = taken ? now + RENEW_MS : now + pollMs
    }
    // Another instance may start when the lease expires; by then our deliveries must have ended.
    return clock() + timeoutMs < leaseUntil
  }

  const settle = async (delivery: DueDelivery, error: string | null): Promise<void> => {
    const nowMs = clock()
    const firstMs = delivery.first_ms ?? nowMs
    const nextMs = error === null ? null : nextTryMs({ firstMs, failures: delivery.attempts + 1, nowMs }, random())
    await store.transaction(async (tx) => {
      if (error === null) await tx.deliveries.delivered(delivery, nowMs)
      else if (nextMs === null) await tx.deliveries.markDead(delivery, nowMs, error)
      else await tx.deliveries.retryAt(delivery.cursor, { nextMs, firstMs, error })
    })
    onOutcome?.(error === null ? 'delivered' : nextMs === null ? 'dead' : 'failed')
    if (error === null) return
    const { cursor, attempts } = delivery
    log.warn({ cursor, attempts: attempts + 1, error, nextMs }, 'delivering an event to the merchant failed')
  }

  const attempt = async (delivery: DueDelivery): Promise<void> => {
    try {
      await settle(delivery, await deliver({ ...options, timeoutMs }, delivery))
    } catch (error) {
      log.warn(
        { err: error, cursor: delivery.cursor },
        'storing the result of a delivery failed; it is delivered again',
      )
    } finally {
      underWay.delete(delivery.entity)
      justSettled.add(delivery.entity)
      wake()
    }
  }

  /** Starts due deliveries in the free slots. True if it skipped one, so that the caller polls again. */
  const fill = async ({ fresh, limit }: (typeof SLOTS)[number]): Promise<boolean> => {
    const taken = [...underWay.values()].filter((sending) => sending.fresh === fresh).length
    if (taken >= limit) return false
    justSettled.clear()
    const due = await store.deliveries.due(clock(), { fresh, limit: limit + underWay.size })
    const free = due.filter(({ entity }) => !underWay.has(entity))
    const ready = free.filter(({ entity }) => !justSettled.has(entity))
    for (const delivery of ready.slice(0, limit - taken)) {
      if (stopped) break
      attemptCount += 1
      underWay.set(delivery.entity, { fresh, done: attempt(delivery) })
    }
    return ready.length < free.length
  }

  const poll = async (): Promise<boolean> => {
    if (!(await holdsLease())) return false
    const now = clock()
    if (now >= deferAt) {
      deferAt = now + pollMs
      await store.deliveries.deferBlocked(now)
    }
    const skipped = [await fill(SLOTS[0]), await fill(SLOTS[1])]
    return skipped.includes(true)
  }

  const keepPolling = async (): Promise<void> => {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await poll().catch((error: unknown) => log.warn({ err: error }, 'reading due deliveries failed'))
      await Promise.race([woken, sleep(pollMs, undefined, { ref: false })])
      await sleep(SHORTEST_PAUSE_MS)
    }
  }

  let polling: Promise<void> | null = null
  let unsubscribe: () => void = () => undefined
  return {
    start() {
      if (polling !== null) return
      unsubscribe = store.onCommit(() => wake())
      polling = keepPolling()
    },
    async stop() {
      stopped = true
      unsubscribe()
      wake()
      await polling
      await Promise.all([...underWay.values()].map(({ done }) => done))
      if (leaseUntil > 0) await store.leases.release(LEASE, holder).catch(() => undefined)
    },
    async runOnce() {
      const before = attemptCount
      for (;;) {
        const skipped = await poll()
        if (underWay.size === 0 && !skipped) return attemptCount - before
        if (underWay.size > 0) await Promise.race([...underWay.values()].map(({ done }) => done))
      }
    },
  }
}
