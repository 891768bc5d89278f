import { setTimeout as sleep } from 'node:timers/promises'
import type { DueDelivery, Store } from '../store/port.ts'
import { deliver } from './deliver.ts'
import { nextTryMs } from './delivery-schedule.ts'

const LEASE = 'merchant-deliveries'
const LEASE_MS = 30_000
const RENEW_MS = 10_000
/** Between two looks at what is due, however often we are woken. */
const SHORTEST_REST_MS = 20

/** Sends at a time: what was never tried has its own, so that what keeps failing cannot take them all. */
const LANES = [
  { fresh: true, places: 16 },
  { fresh: false, places: 8 },
] as const

export interface DeliveryJobOptions {
  readonly store: Pick<Store, 'deliveries' | 'leases' | 'onCommit' | 'transaction'>
  /** `MERCHANT_WEBHOOK_URL` and `MERCHANT_WEBHOOK_SECRET`. */
  readonly url: string
  readonly secret: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => number
  readonly random: () => number
  /** Names this instance; one at a time delivers. */
  readonly holder: string
  readonly log: { warn(fields: object, message: string): void }
  readonly onOutcome?: (outcome: 'delivered' | 'failed' | 'dead') => void
  /** How often to look for what is due without being woken; 1000 by default. */
  readonly pollMs?: number
  /** For one try; 10 000 by default. */
  readonly timeoutMs?: number
}

export interface DeliveryJob {
  start(): void
  /** Begins nothing new and waits for what is under way. */
  stop(): Promise<void>
  /** Sends what is due until nothing is, where this instance leads; gives the number of tries. */
  runOnce(): Promise<number>
}

/**
 * Tells the merchant of each event (contract section 8): at least once, in order within a transaction, one leader
 * among the instances. What fails is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, then every
 * 8 h up to three days, holding up only its own transaction; then it is kept as dead and the next one goes on.
 */
export function createDeliveryJob(options: DeliveryJobOptions): DeliveryJob {
  const { store, clock, random, holder, log, onOutcome, pollMs = 1000, timeoutMs = 10_000 } = options
  const underWay = new Map<string, { readonly fresh: boolean; readonly done: Promise<void> }>()
  /** Settled while what is due was being read: that answer may still have them. */
  const justSettled = new Set<string>()
  let tries = 0
  let leadsUntil = 0
  let renewAt = 0
  let parkAt = 0
  let stopped = false
  let wake: () => void = () => undefined

  const leads = async (): Promise<boolean> => {
    const now = clock()
    if (now >= renewAt) {
      const taken = await store.leases.take(LEASE, holder, now, now + LEASE_MS)
      leadsUntil = taken ? now + LEASE_MS : 0
      renewAt = taken ? now + RENEW_MS : now + pollMs
    }
    // Another instance may begin when the lease has run out; by then what we began must have ended.
    return clock() + timeoutMs < leadsUntil
  }

  const settle = async (delivery: DueDelivery, error: string | null): Promise<void> => {
    const nowMs = clock()
    const firstMs = delivery.first_ms ?? nowMs
    const nextMs = error === null ? null : nextTryMs({ firstMs, failures: delivery.attempts + 1, nowMs }, random())
    await store.transaction(async (tx) => {
      if (error === null) await tx.deliveries.delivered(delivery, nowMs)
      else if (nextMs === null) await tx.deliveries.giveUp(delivery, nowMs, error)
      else await tx.deliveries.retryAt(delivery.cursor, { nextMs, firstMs, error })
    })
    onOutcome?.(error === null ? 'delivered' : nextMs === null ? 'dead' : 'failed')
    if (error === null) return
    const { cursor, attempts } = delivery
    log.warn({ cursor, attempts: attempts + 1, error, nextMs }, 'the merchant was not told of an event')
  }

  const attempt = async (delivery: DueDelivery): Promise<void> => {
    try {
      await settle(delivery, await deliver({ ...options, timeoutMs }, delivery))
    } catch (error) {
      log.warn({ err: error, cursor: delivery.cursor }, 'a delivery could not be noted down; it is made again')
    } finally {
      underWay.delete(delivery.entity)
      justSettled.add(delivery.entity)
      wake()
    }
  }

  /** True where something due was passed over, to be looked at again. */
  const fill = async ({ fresh, places }: (typeof LANES)[number]): Promise<boolean> => {
    const taken = [...underWay.values()].filter((sending) => sending.fresh === fresh).length
    if (taken >= places) return false
    justSettled.clear()
    const due = await store.deliveries.due(clock(), { fresh, limit: places + underWay.size })
    const free = due.filter(({ entity }) => !underWay.has(entity))
    const sure = free.filter(({ entity }) => !justSettled.has(entity))
    for (const delivery of sure.slice(0, places - taken)) {
      if (stopped) break
      tries += 1
      underWay.set(delivery.entity, { fresh, done: attempt(delivery) })
    }
    return sure.length < free.length
  }

  const look = async (): Promise<boolean> => {
    if (!(await leads())) return false
    const now = clock()
    if (now >= parkAt) {
      parkAt = now + pollMs
      await store.deliveries.parkBlocked(now)
    }
    const passedOver = [await fill(LANES[0]), await fill(LANES[1])]
    return passedOver.includes(true)
  }

  const keepLooking = async (): Promise<void> => {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await look().catch((error: unknown) => log.warn({ err: error }, 'deliveries could not be read'))
      await Promise.race([woken, sleep(pollMs, undefined, { ref: false })])
      await sleep(SHORTEST_REST_MS)
    }
  }

  let looking: Promise<void> | null = null
  let unsubscribe: () => void = () => undefined
  return {
    start() {
      if (looking !== null) return
      unsubscribe = store.onCommit(() => wake())
      looking = keepLooking()
    },
    async stop() {
      stopped = true
      unsubscribe()
      wake()
      await looking
      await Promise.all([...underWay.values()].map(({ done }) => done))
      if (leadsUntil > 0) await store.leases.giveUp(LEASE, holder).catch(() => undefined)
    },
    async runOnce() {
      const before = tries
      for (;;) {
        const passedOver = await look()
        if (underWay.size === 0 && !passedOver) return tries - before
        if (underWay.size > 0) await Promise.race([...underWay.values()].map(({ done }) => done))
      }
    },
  }
}
