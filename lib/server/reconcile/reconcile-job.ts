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

/**
 * The job, led by one instance at a time (contract section 7, step 5): what dead processes left first, then uncertain
 * withdrawals, then users with open states, then recent ones. A fault with one user does not hold up another.
 */
export function createReconcileJob(options: ReconcileJobOptions) {
  const { store, instance, clock } = options
  let timer: NodeJS.Timeout | undefined
  let heart: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let stopped = false
  let leads = false
  let askAgainMs = 0

  const guarded = async (what: string, work: () => Promise<number>): Promise<{ done: number; faults: number }> => {
    try {
      return { done: await work(), faults: 0 }
    } catch (error) {
      options.onFault(error, what)
      return { done: 0, faults: 1 }
    }
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

  const resumeDead = async (): Promise<number> => {
    const inFlight = await store.withdrawals.inFlight(100)
    if (inFlight.length === 0) return 0
    const alive = await store.leases.alive(INSTANCE, clock())
    const stuckSince = clock() - options.stuckMs
    const dead = inFlight.filter((row) => row.driver === null || !alive.has(row.driver) || row.updated_ms < stuckSince)
    for (const row of dead) await options.resume(row)
    return dead.length
  }

  const checkUnknowns = async (): Promise<{ done: number; faults: number }> => {
    const byUser = new Map<string, string[]>()
    for (const row of await store.withdrawals.dueForCheck(clock(), 200)) {
      const ids = byUser.get(row.user_reference_id) ?? []
      ids.push(row.id)
      byUser.set(row.user_reference_id, ids)
    }
    let total = { done: 0, faults: 0 }
    for (const [user, ids] of byUser) {
      if (stopped) break
      const { done, faults } = await guarded('check withdrawals', () => options.checkUnknown(user, ids))
      total = { done: total.done + done, faults: total.faults + faults }
    }
    return total
  }

  const compareUsers = async (): Promise<{ done: number; faults: number }> => {
    let total = { done: 0, faults: 0 }
    for (const user of await store.users.dueForReconcile(clock(), USERS_A_ROUND)) {
      if (stopped) break
      // A user whose list cannot be read must not be the first of every round.
      await store.users.reconciled(user.user_reference_id, user.reconciled_ms, clock() + 30_000)
      const { done, faults } = await guarded('compare user', () =>
        options.compareUser(user.user_reference_id, user.reconciled_ms, user.last_seen_ms),
      )
      total = { done: total.done + done, faults: total.faults + faults }
    }
    return total
  }

  const releaseKnown = async (): Promise<number> => {
    const users = await store.inbox.knownUsersWaiting()
    for (const user of users) await options.releaseUser(user)
    return users.length
  }

  /** One round; does nothing while another instance leads. */
  const runOnce = async (): Promise<ReconcileCounts | null> => {
    if (!(await beat())) return null
    const resumed = await guarded('resume withdrawals', resumeDead)
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
