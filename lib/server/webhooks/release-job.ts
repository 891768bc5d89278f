import { setImmediate as nextTick } from 'node:timers/promises'
import { createRenewal } from '../jobs/renewal.ts'
import { createRounds } from '../jobs/rounds.ts'
import type { QuarantineRow, ReleasableReason, Store } from '../store/types.ts'

const LEASE = 'release-quarantine'
const LEASE_MS = 15_000
const RENEW_MS = 5000
const PAGE = 100
/** A newer version may know these. */
const KINDS = ['unknown_event', 'unknown_status'] as const
const REASONS = ['unknown_user', 'unknown_currency', ...KINDS] as const
/** One that failed is tried again after this time. */
const AFTER_FAILURE_MS = 60_000
/** Each is tried again after this time, whatever has or has not been seen to change. */
const AT_LATEST_MS = 86_400_000

export interface ReleaseJobOptions {
  readonly store: Pick<Store, 'quarantine' | 'quarantineReleases' | 'leases' | 'onChange'>
  /** Applies one event again; true if it was applied. */
  readonly release: (row: QuarantineRow) => Promise<boolean>
  readonly clock: () => number
  /** Names this instance: one instance at a time runs the job. */
  readonly holder: string
  readonly onFault: (error: unknown, quarantineId: number | null) => void
  /** The shortest time between two rounds; one second by default. */
  readonly everyMs?: number
}

/**
 * Lets events leave quarantine once their reason has gone (docs/explanation/money.md, "Quarantine reasons"). A round
 * reads what has changed: new events, those of users who became known, those of `unknown_currency` after a change of
 * the currencies, and at the beginning those of kinds that this version may know. One that fails stops no other.
 */
export function createReleaseJob(options: ReleaseJobOptions) {
  const { store, clock, holder, onFault, everyMs = 1000 } = options
  const renewal = createRenewal(clock)
  let leads = false
  /** The currencies that waiting events were last tried with; null: never, by this instance as the leader. */
  let triedWith: string | null = null
  let stopped = false

  const holdsLease = async (): Promise<boolean> => {
    if (!renewal.isDue()) return leads
    const held = await store.leases.take(LEASE, holder, LEASE_MS)
    // Another instance may have run an older version meanwhile.
    if (!leads) triedWith = null
    leads = held
    renewal.nextIn(RENEW_MS)
    return leads
  }

  /** Tries each. Those that stay are due again in a day, those that failed in a minute. Returns how many were applied. */
  const tryAll = async (rows: readonly QuarantineRow[]): Promise<number> => {
    const failed: number[] = []
    let applied = 0
    for (const row of rows) {
      try {
        if (await options.release(row)) applied += 1
      } catch (error) {
        failed.push(row.id)
        onFault(error, row.id)
      }
      await nextTick()
    }
    const stayed = rows.map(({ id }) => id).filter((id) => !failed.includes(id))
    await store.quarantineReleases.postpone(stayed, clock() + AT_LATEST_MS)
    await store.quarantineReleases.postpone(failed, clock() + AFTER_FAILURE_MS)
    return applied
  }

  const releaseDue = async (reason: ReleasableReason): Promise<number> => {
    let applied = 0
    for (;;) {
      const rows = await store.quarantineReleases.due(reason, clock(), PAGE)
      const strangers = rows.filter(({ user_known }) => reason === 'unknown_user' && user_known === 0)
      await store.quarantineReleases.postpone(
        strangers.map(({ id }) => id),
        clock() + AT_LATEST_MS,
      )
      applied += await tryAll(rows.filter((row) => !strangers.includes(row)))
      if (rows.length < PAGE || stopped || !(await holdsLease())) return applied
      await nextTick()
    }
  }

  /** All open ones of a reason, a page at a time. */
  const releaseAllOf = async (reason: ReleasableReason): Promise<number> => {
    let applied = 0
    let after = 0
    for (;;) {
      const rows = await store.quarantine.waiting(reason, { after, limit: PAGE })
      applied += await tryAll(rows)
      if (rows.length < PAGE || stopped || !(await holdsLease())) return applied
      after = rows.at(-1)?.id ?? after
    }
  }

  /** One round. Returns how many were applied. */
  const runOnce = async (): Promise<number> => {
    if (!(await holdsLease())) return 0
    let applied = 0
    const currencies = await store.quarantineReleases.currenciesVersion()
    if (currencies !== triedWith) {
      applied += await releaseAllOf('unknown_currency')
      if (triedWith === null) for (const reason of KINDS) applied += await releaseAllOf(reason)
      triedWith = currencies
    }
    for (const reason of REASONS) applied += await releaseDue(reason)
    return applied
  }

  const rounds = createRounds({
    round: async () => {
      await runOnce()
      const dueMs = leads ? await store.quarantineReleases.nextDueMs(REASONS) : null
      return dueMs === null ? null : dueMs - clock()
    },
    onFault: (error) => onFault(error, null),
    everyMs,
    longestMs: RENEW_MS,
    onChange: (listener) => store.onChange(listener),
  })

  return {
    runOnce,
    start: () => rounds.start(),
    async stop(): Promise<void> {
      stopped = true
      await rounds.stop()
      await store.leases.release(LEASE, holder).catch(() => undefined)
    },
  }
}
