import { setImmediate as nextTick } from 'node:timers/promises'
import { createRenewal } from '../jobs/renewal.ts'
import { createRounds } from '../jobs/rounds.ts'
import type { DueDelivery, DuePlace, Store } from '../store/types.ts'
import { attemptRecord, failureOf } from './attempt-record.ts'
import { messageOf, type Message } from './delivery-message.ts'
import { nextTryMs } from './delivery-schedule.ts'
import { postSigned, type MerchantExchange } from './outbound-call.ts'

/** The shortest time between two polls. */
const EVERY_MS = 20
/** The time between two polls while deliveries are running and none of them ends. */
const WHILE_SENDING_MS = 1000
/** The time between two looks for deliveries that a wrong clock has put off. */
const LONG_WAITS_EVERY_MS = 300_000
/** A claim outlasts the attempt by this, for what is read before it and stored after it. */
const CLAIM_MARGIN_MS = 5000
/** Due deliveries in one statement, and the most such pages of each kind in one poll. */
const PAGE = 50
const PAGES = 10

/** Concurrent deliveries: first attempts have their own slots, so that retries cannot take them all. */
const SLOTS = [
  { fresh: true, limit: 16 },
  { fresh: false, limit: 8 },
] as const

export interface DeliveryJobOptions {
  readonly store: Pick<Store, 'deliveries' | 'events' | 'onChange' | 'transaction'>
  /** `MERCHANT_WEBHOOK_URL` and `MERCHANT_WEBHOOK_SECRET`. */
  readonly url: string
  readonly secrets: readonly string[]
  /** What is removed from a stored reply besides `secrets`. */
  readonly otherSecrets?: readonly string[]
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => number
  readonly random: () => number
  /** The name of this instance, for its claims. */
  readonly holder: string
  readonly log: { warn(fields: object, message: string): void }
  readonly onOutcome?: (outcome: 'delivered' | 'failed' | 'dead') => void
  /** The longest time between two polls; 5000 by default. */
  readonly pollMs?: number
  /** The time limit of one attempt; 10 000 by default. */
  readonly timeoutMs?: number
}

type Claimed = DueDelivery & { readonly claim: string; readonly claimedMs: number }

/** One attempt that has ended. */
interface Attempted {
  readonly delivery: Claimed
  readonly message: Message
  readonly exchange: MerchantExchange
}

export interface DeliveryJob {
  start(): void
  /** Starts no new delivery and waits for the running ones. */
  stop(): Promise<void>
  /** Delivers until nothing is due. Returns the number of attempts. */
  runOnce(): Promise<number>
}

/**
 * Delivers each event to the merchant's webhook (docs/reference/merchant-api.md, "A transaction changed:
 * transaction.updated"): at least once, in order within a transaction. All instances share the work by claims, and the
 * claims of an instance that died expire. A failed delivery is retried after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2
 * h, 4 h, then every 8 h up to three days, and delays only its own transaction; then it is marked dead and the next one
 * follows.
 */
export function createDeliveryJob(options: DeliveryJobOptions): DeliveryJob {
  const { store, clock, random, holder, log, onOutcome, pollMs = 5000, timeoutMs = 10_000 } = options
  const underWay = new Map<string, { readonly fresh: boolean; readonly done: Promise<void> }>()
  let attemptCount = 0
  let endedCount = 0
  let claimCount = 0
  let stopped = false

  const unsettled: Attempted[] = []
  let settling: Promise<void> | null = null

  /** Stores all waiting results in one transaction. */
  const settleWaiting = async (): Promise<void> => {
    // The pause collects results that are ready, and gives the event loop a turn between two commits of SQLite.
    await nextTick()
    settling = null
    const nowMs = clock()
    // They are locked in this order.
    const ended = unsettled.splice(0).sort((one, other) => one.delivery.cursor - other.delivery.cursor)
    const results = ended.map(({ delivery, exchange }) => {
      const error = failureOf(exchange)
      // A first attempt in the future comes from before the clock was set back.
      const firstMs = Math.min(delivery.first_ms ?? nowMs, nowMs)
      const failures = delivery.attempts + 1
      return {
        delivery,
        error,
        firstMs,
        nextMs: error === null ? null : nextTryMs({ firstMs, failures, nowMs }, random()),
      }
    })
    const records = ended.map(({ delivery: { cursor, claim, attempts }, message, exchange }) => ({
      ...attemptRecord(exchange, { ...message, cursor, attempt: attempts + 1 }),
      cursor,
      claim,
    }))
    await store.transaction(async (tx) => {
      await tx.deliveryAttempts.record(records)
      for (const { delivery, error, firstMs, nextMs } of results)
        if (error === null) await tx.deliveries.delivered(delivery)
        else if (nextMs === null) await tx.deliveries.markDead(delivery, error)
        else await tx.deliveries.retryAt(delivery, { nextMs, firstMs, error })
    })
    for (const { delivery, error, nextMs } of results) {
      onOutcome?.(error === null ? 'delivered' : nextMs === null ? 'dead' : 'failed')
      if (error === null) continue
      const { cursor, attempts } = delivery
      const next_at = nextMs === null ? null : new Date(nextMs).toISOString()
      log.warn({ cursor, attempts: attempts + 1, error, next_at }, 'delivering an event to the merchant failed')
    }
  }

  const settle = (attempted: Attempted): Promise<void> => {
    unsettled.push(attempted)
    settling ??= settleWaiting()
    return settling
  }

  const attempt = async (delivery: Claimed): Promise<void> => {
    try {
      const message = await messageOf(store, delivery)
      // Too late, the claim would expire during the attempt: whoever claims it next sends it.
      if (clock() - delivery.claimedMs < CLAIM_MARGIN_MS)
        await settle({ delivery, message, exchange: await postSigned({ ...options, timeoutMs }, message) })
    } catch (error) {
      log.warn(
        { err: error, cursor: delivery.cursor },
        'storing the result of a delivery failed; it is delivered again',
      )
    } finally {
      underWay.delete(delivery.entity)
      endedCount += 1
      rounds.wake()
    }
  }

  /**
   * The deliveries that may be sent: the oldest pending delivery of each entity without a running delivery. The
   * entity's other deliveries are held back until it has ended. `more`: more deliveries may be due than were read.
   */
  const readReady = async (fresh: boolean, wanted: number): Promise<{ ready: DueDelivery[]; more: boolean }> => {
    const ready: DueDelivery[] = []
    let after: DuePlace | null = null
    for (let pages = 0; pages < PAGES; pages += 1) {
      const page: readonly DueDelivery[] = await store.deliveries.due({ fresh, limit: PAGE, after })
      const blocked = page.filter((delivery) => delivery.blocked === 1).map(({ cursor }) => cursor)
      await store.deliveries.holdBack(blocked)
      ready.push(...page.filter((delivery) => delivery.blocked === 0))
      if (page.length < PAGE || ready.length >= wanted) return { ready, more: false }
      after = page.at(-1) ?? null
      // SQLite answers without giving the event loop a turn.
      await nextTick()
    }
    return { ready, more: true }
  }

  /** Starts due deliveries in the free slots. True if another poll may find more. */
  const fill = async ({ fresh, limit }: (typeof SLOTS)[number]): Promise<boolean> => {
    const taken = [...underWay.values()].filter((sending) => sending.fresh === fresh).length
    const wanted = limit - taken
    if (wanted <= 0) return false
    const { ready, more } = await readReady(fresh, wanted)
    const free = ready.filter(({ entity }) => !underWay.has(entity)).slice(0, wanted)
    claimCount += 1
    const claim = `${holder} ${String(claimCount)}`
    const claimedMs = clock()
    const claimed = await store.deliveries.claim(
      free.map(({ cursor }) => cursor),
      claim,
      timeoutMs + CLAIM_MARGIN_MS,
    )
    for (const delivery of free) {
      // Claims that a stopping instance does not use expire.
      if (stopped || !claimed.has(delivery.cursor)) continue
      attemptCount += 1
      underWay.set(delivery.entity, { fresh, done: attempt({ ...delivery, claim, claimedMs }) })
    }
    return more
  }

  const longWaits = createRenewal(clock)
  const poll = async (): Promise<boolean> => {
    await store.events.number()
    if (longWaits.isDue()) {
      await store.deliveries.endLongWaits()
      longWaits.nextIn(LONG_WAITS_EVERY_MS)
    }
    const more = [await fill(SLOTS[0]), await fill(SLOTS[1])]
    return more.includes(true)
  }

  const rounds = createRounds({
    round: async () => {
      if (await poll()) return 0
      // More may be due than there are slots.
      if (underWay.size > 0) return WHILE_SENDING_MS
      return store.deliveries.nextDueInMs()
    },
    onFault: (err) => log.warn({ err }, 'reading due deliveries failed'),
    everyMs: EVERY_MS,
    longestMs: pollMs,
    onChange: (listener) => store.onChange(listener),
  })

  return {
    start() {
      rounds.start()
    },
    async stop() {
      stopped = true
      await rounds.stop()
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
    async runOnce() {
      const before = attemptCount
      for (;;) {
        const [started, ended] = [attemptCount, endedCount]
        const more = await poll()
        if (underWay.size > 0) await Promise.race([...underWay.values()].map(({ done }) => done))
        // A delivery that ended during the poll may have made another due.
        else if (!more && attemptCount === started && endedCount === ended) return attemptCount - before
      }
    },
  }
}
