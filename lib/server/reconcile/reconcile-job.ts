import type { Store, WithdrawalRow } from '../store/port.ts'

export interface ReconcileCounts {
  /** Uncertain withdrawals that came to rest. */
  readonly settled: number
  /** States that no webhook had told. */
  readonly news: number
  /** Withdrawals taken up that a dead process had left between two steps. */
  readonly resumed: number
  readonly faults: number
}

export interface ReconcileJobOptions {
  readonly store: Store
  readonly instance: string
  readonly clock: () => number
  readonly checkUnknown: (user: string, ids: readonly string[]) => Promise<number>
  readonly compareUser: (user: string, reconciledMs: number | null, lastSeenMs: number) => Promise<number>
  /** Goes on with a withdrawal whose process died. */
  readonly resume: (row: WithdrawalRow) => Promise<void>
  /** Releases what waits in quarantine for a user that is known by now. */
  readonly releaseUser: (user: string) => Promise<unknown>
  readonly onRound: (counts: ReconcileCounts) => void
  readonly onFault: (error: unknown, what: string) => void
  /** Longer than any step takes: one that stands so long was left, even by a process that lives. */
  readonly stuckMs: number
  /** Time between two rounds. */
  readonly everyMs: number
}

const LEASE = 'reconcile'
const LEASE_MS = 15_000
const INSTANCE = 'instance:'
const USERS_A_ROUND = 20
/** Few enough to leave the gateway, and the store, to the people on the page. */
const AT_ONCE = 4

interface Sum {
  readonly done: number
  readonly faults: number
}

/**
 * The job, led by one instance at a time (contract section 7, step 5): what dead processes left first, then uncertain
 * withdrawals, then users with open states, then recent ones. Neither a fault nor a slow answer with one user holds up another.
 */
export function createReconcileJob(options: ReconcileJobOptions) {
  const { store, instance, clock } = options
  let timer: NodeJS.Timeout | undefined
  let heart: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let stopped = false
  let leads = false
  let askAgainMs = 0

  const guarded = async (what: string, work: () => Promise<number>): Promise<Sum> => {
    try {
      return { done: await work(), faults: 0 }
    } catch (error) {
      options.onFault(error, what)
      return { done: 0, faults: 1 }
    }
  }

  /** Some at a time, each by itself: neither a fault nor a slow answer with one holds up the others. */
  const each = async <T>(what: string, items: Iterable<T>, work: (item: T) => Promise<number>): Promise<Sum> => {
    const waiting = [...items]
    const total = { done: 0, faults: 0 }
    const worker = async (): Promise<void> => {
      for (let item = waiting.shift(); item !== undefined && !stopped; item = waiting.shift()) {
        const next = item
        const { done, faults } = await guarded(what, () => work(next))
        total.done += done
        total.faults += faults
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return total
  }

  /** Shows that this instance lives, and takes or keeps the lead; asks the store only when a third of the lease is gone. */
  const beat = async (): Promise<boolean> => {
    const now = clock()
    if (now < askAgainMs) return leads
    leads = false
    await store.leases.take(`${INSTANCE}${instance}`, instance, now, now + LEASE_MS)
    leads = await store.leases.take(LEASE, instance, now, now + LEASE_MS)
    askAgainMs = now + LEASE_MS / 3
    return leads
  }

  const deadInFlight = async (): Promise<readonly WithdrawalRow[]> => {
    const inFlight = await store.withdrawals.inFlight(100)
    if (inFlight.length === 0) return []
    const alive = await store.leases.alive(INSTANCE, clock())
    const stuckSince = clock() - options.stuckMs
    return inFlight.filter((row) => row.driver === null || !alive.has(row.driver) || row.updated_ms < stuckSince)
  }

  const resumeDead = async (): Promise<Sum> =>
    each('resume withdrawal', await deadInFlight(), async (row) => {
      await options.resume(row)
      return 1
    })

  const checkUnknowns = async (): Promise<Sum> => {
    const byUser = new Map<string, string[]>()
    for (const row of await store.withdrawals.dueForCheck(clock(), 200)) {
      const ids = byUser.get(row.user_reference_id) ?? []
      ids.push(row.id)
      byUser.set(row.user_reference_id, ids)
    }
    return each('check withdrawals', byUser, ([user, ids]) => options.checkUnknown(user, ids))
  }

  const compareUsers = async (): Promise<Sum> =>
    each('compare user', await store.users.dueForReconcile(clock(), USERS_A_ROUND), async (user) => {
      // A user whose list cannot be read must not be the first of every round.
      await store.users.reconciled(user.user_reference_id, user.reconciled_ms, clock() + 30_000)
      return options.compareUser(user.user_reference_id, user.reconciled_ms, user.last_seen_ms)
    })

  const releaseKnown = async (): Promise<number> => {
    const users = await store.inbox.knownUsersWaiting()
    for (const user of users) await options.releaseUser(user)
    return users.length
  }

  /** One round; does nothing while another instance leads. */
  const runOnce = async (): Promise<ReconcileCounts | null> => {
    if (!(await beat())) return null
    const resumed = await resumeDead()
    const checked = await checkUnknowns()
    const released = await guarded('release quarantine', releaseKnown)
    const compared = await compareUsers()
    const counts = {
      settled: checked.done,
      news: compared.done,
      resumed: resumed.done,
      faults: resumed.faults + checked.faults + compared.faults + released.faults,
    }
    options.onRound(counts)
    return counts
  }

  const tick = (): void => {
    running = runOnce()
      .then(
        () => undefined,
        (error: unknown) => {
          options.onFault(error, 'reconcile')
        },
      )
      .finally(() => {
        running = null
        if (!stopped) timer = setTimeout(tick, options.everyMs)
      })
  }

  return {
    runOnce,
    /** Starts the rounds. With SQLite there is no other instance: what a dead one left is taken up at once. */
    async start(): Promise<void> {
      if (store.database.flavour === 'sqlite') await store.leases.forgetAll('')
      else await store.leases.forgetExpired(INSTANCE, clock() - LEASE_MS)
      await beat()
      // A round that waits for a slow gateway lasts longer than a lease.
      heart = setInterval(() => void guarded('show that it lives', async () => Number(await beat())), LEASE_MS / 3)
      tick()
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      clearInterval(heart)
      await running
      await store.leases.giveUp(LEASE, instance)
      await store.leases.giveUp(`${INSTANCE}${instance}`, instance)
    },
  }
}
