import type { Store, WithdrawalRow } from '../store/port.ts'

export interface ReconcileCounts {
  /** Uncertain withdrawals that were settled. */
  readonly settled: number
  /** States that the list had and no webhook had brought. */
  readonly missedWebhooks: number
  /** Withdrawals continued whose process had died between two steps. */
  readonly resumed: number
  readonly faults: number
}

export interface ReconcileJobOptions {
  readonly store: Store
  readonly instance: string
  readonly clock: () => number
  readonly checkUnknown: (user: string, ids: readonly string[]) => Promise<number>
  readonly compareUser: (
    user: string,
    reconciledMs: number | null,
    lastSeenMs: number,
    parkedMs: number,
  ) => Promise<number>
  /** Continues a withdrawal whose process died. */
  readonly resume: (row: WithdrawalRow) => Promise<void>
  readonly onRound: (counts: ReconcileCounts) => void
  readonly onFault: (error: unknown, what: string) => void
  /** Longer than any step takes: a step that lasts longer is resumed, even if its process lives. */
  readonly stuckMs: number
  /** Time between two rounds. */
  readonly everyMs: number
}

const LEASE = 'reconcile'
const LEASE_MS = 15_000
const INSTANCE = 'instance:'
const USERS_A_ROUND = 20
/** A user whose list is being read is next due after this time, if that fails. */
const PARKED_MS = 30_000
/** Few enough to leave capacity of the gateway and the store to the users on the page. */
const AT_ONCE = 4

interface Sum {
  readonly done: number
  readonly faults: number
}

/**
 * The job, run by one instance at a time (docs/api.md, "Reconciliation"): first the withdrawals of dead processes, then
 * uncertain ones, then users with open states, then recent ones. A fault or a slow answer for one user delays no other.
 */
export function createReconcileJob(options: ReconcileJobOptions) {
  const { store, instance, clock } = options
  let timer: NodeJS.Timeout | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let stopped = false
  let leads = false
  let renewAtMs = 0

  const guarded = async (what: string, work: () => Promise<number>): Promise<Sum> => {
    try {
      return { done: await work(), faults: 0 }
    } catch (error) {
      options.onFault(error, what)
      return { done: 0, faults: 1 }
    }
  }

  /** Runs `work` on a few items at a time, each by itself: a fault or a slow answer for one delays no other. */
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

  /** Renews this instance's lease and tries to take or renew the leader's, each third of a lease. True if it leads. */
  const renewLeases = async (): Promise<boolean> => {
    const now = clock()
    if (now < renewAtMs) return leads
    leads = false
    await store.leases.take(`${INSTANCE}${instance}`, instance, now, now + LEASE_MS)
    leads = await store.leases.take(LEASE, instance, now, now + LEASE_MS)
    renewAtMs = now + LEASE_MS / 3
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
    each('compare user', await store.users.dueForReconciliation(clock(), USERS_A_ROUND), async (user) => {
      // A user whose list cannot be read must not come first in every round.
      const parkedMs = clock() + PARKED_MS
      await store.users.reconciled(user.user_reference_id, user.reconciled_ms, parkedMs)
      return options.compareUser(user.user_reference_id, user.reconciled_ms, user.last_seen_ms, parkedMs)
    })

  /** One round; does nothing while another instance leads. */
  const runOnce = async (): Promise<ReconcileCounts | null> => {
    if (!(await renewLeases())) return null
    const resumed = await resumeDead()
    const checked = await checkUnknowns()
    const compared = await compareUsers()
    const counts = {
      settled: checked.done,
      missedWebhooks: compared.done,
      resumed: resumed.done,
      faults: resumed.faults + checked.faults + compared.faults,
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
    /** Starts the rounds. With SQLite there is no other instance, so what a crash interrupted is resumed at once. */
    async start(): Promise<void> {
      if (store.database.flavour === 'sqlite') await store.leases.deleteAll('')
      else await store.leases.deleteExpired(INSTANCE, clock() - LEASE_MS)
      await renewLeases()
      // A round with a slow gateway may last longer than a lease.
      heartbeat = setInterval(
        () => void guarded('renew the lease', async () => Number(await renewLeases())),
        LEASE_MS / 3,
      )
      tick()
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      clearInterval(heartbeat)
      await running
      await store.leases.release(LEASE, instance)
      await store.leases.release(`${INSTANCE}${instance}`, instance)
    },
  }
}
