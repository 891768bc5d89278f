import type { ClaimedUser, NextReconciliation, ReconcilePriority, Store } from '../store/types.ts'

export interface UserQueueOptions {
  readonly store: Store
  /** Looks for evidence about a user's `unknown` withdrawals, and ends the claim. */
  readonly checkUnknown: (user: string, ids: readonly string[]) => Promise<number>
  /** Compares the user's list, and ends the claim. */
  readonly compareUser: (user: ClaimedUser) => Promise<number>
  /** True while the gateway is down: no user is then claimed. */
  readonly isAway: () => boolean
  readonly onFault: (error: unknown, what: string, user: string) => void
  /** Called when a user's list was read and a place is free. */
  readonly onFree: () => void
  /** The number of lists that are read at the same time. */
  readonly atOnce: number
}

export interface QueueCounts {
  readonly settled: number
  readonly missedWebhooks: number
  readonly faults: number
}

/** A claim is renewed while the list is being read; once it expires, the user of a dead instance is due again. */
const CLAIM_MS = 30_000

/** The share of places for users with nothing open; the rest is kept for users with an open state. */
const LOW_SHARE = 0.75

/** When a user is due again after a failed read of the list. */
const AFTER_FAILURE: Readonly<Record<ReconcilePriority, NextReconciliation>> = {
  open: { inMs: 30_000, priority: 'open' },
  quarantined: { inMs: 30_000, priority: 'quarantined' },
  sweep: { inMs: 300_000, priority: 'sweep' },
}

/** Takes users from the queue of all instances, most urgent first, and reads a few lists at a time. */
export function createUserQueue(options: UserQueueOptions) {
  const { store, atOnce, onFault } = options
  const underWay = new Map<string, { readonly low: boolean; readonly done: Promise<void> }>()
  let counts = { settled: 0, missedWebhooks: 0, faults: 0 }

  const start = (what: string, user: string, low: boolean, work: () => Promise<void>): void => {
    const done = work()
      .catch((error: unknown) => {
        counts.faults += 1
        onFault(error, what, user)
      })
      .finally(() => {
        underWay.delete(user)
        options.onFree()
      })
    underWay.set(user, { low, done })
  }

  const check = async (user: string): Promise<void> => {
    const ids = (await store.withdrawals.dueForCheck([user])).map(({ id }) => id)
    const settled = await options.checkUnknown(user, ids)
    counts.settled += settled
  }

  const compare = async (user: ClaimedUser): Promise<void> => {
    try {
      const missed = await options.compareUser(user)
      counts.missedWebhooks += missed
    } catch (error) {
      await store.users.reconciliationFailed(user.user_reference_id, AFTER_FAILURE[user.priority])
      throw error
    }
  }

  const free = (): number => atOnce - underWay.size
  const freeForLow = (): number =>
    Math.min(
      free(),
      Math.max(1, Math.floor(atOnce * LOW_SHARE)) - [...underWay.values()].filter(({ low }) => low).length,
    )

  const takeUnknown = async (): Promise<void> => {
    if (free() <= 0) return
    for (const user of await store.reconcileQueue.claimUnknown(free(), CLAIM_MS))
      start('check withdrawals', user, false, () => check(user))
  }

  const takeDue = async (priority: ReconcilePriority): Promise<void> => {
    const low = priority !== 'open'
    const places = low ? freeForLow() : free()
    if (places <= 0) return
    for (const user of await store.reconcileQueue.claimDue(priority, places, CLAIM_MS))
      start('compare user', user.user_reference_id, low, () => compare(user))
  }

  return {
    /** Fills the free places. Returns true if more users may be due than there are places. */
    async fill(): Promise<boolean> {
      if (options.isAway()) return false
      await takeUnknown()
      for (const priority of ['open', 'quarantined', 'sweep'] as const) await takeDue(priority)
      return free() <= 0 || freeForLow() <= 0
    },
    get size() {
      return underWay.size
    },
    renewClaims: (): Promise<void> => store.reconcileQueue.renew([...underWay.keys()], CLAIM_MS),
    async settled(): Promise<void> {
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
    /** The counts since the last call. */
    takeCounts(): QueueCounts {
      const done = counts
      counts = { settled: 0, missedWebhooks: 0, faults: 0 }
      return done
    },
  }
}
