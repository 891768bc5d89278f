import { setImmediate as nextTick } from 'node:timers/promises'
import { createRenewal } from '../jobs/renewal.ts'
import { createRounds } from '../jobs/rounds.ts'
import type { QuarantineRow, ReleasableReason, Store } from '../store/types.ts'
import type { Released } from './release-quarantine.ts'

const LEASE = 'release-quarantine'
const LEASE_MS = 15_000
const RENEW_MS = 5000
const PAGE = 100
/** Reasons that a newer version may resolve. */
const KINDS = ['unknown_event', 'unknown_status'] as const
const REASONS = ['unknown_user', 'unknown_currency', ...KINDS] as const
/** A failed event is tried again after this time. */
const AFTER_FAILURE_MS = 60_000
/** Every event is tried again after this time, even without a known change. */
const AT_LATEST_MS = 86_400_000

export interface ReleaseJobOptions {
  readonly store: Pick<Store, 'quarantine' | 'quarantineReleases' | 'leases' | 'onChange'>
  /** Applies a page of events again (`releasePage`). */
  readonly release: (rows: readonly QuarantineRow[]) => Promise<Released>
  readonly clock: () => number
  /** The name of this instance: one instance at a time runs the job. */
  readonly holder: string
  readonly onFault: (error: unknown, quarantineId: number | null) => void
  /** The shortest time between two rounds; one second by default. */
  readonly everyMs?: number
}

/**
 * Releases events from quarantine once their reason has gone (docs/explanation/money.md, "Quarantine reasons"). A round
 * reads what has changed: new events, events of users who became known, `unknown_currency` events after a change of the
 * currencies, and at first events of kinds that this version may know. A failed event stops no other.
 */
export function createReleaseJob(options: ReleaseJobOptions) {
  const { store, clock, holder, onFault, everyMs = 1000 } = options
  const renewal = createRenewal(clock)
  let leads = false
  /** The version of the currencies at the last try; null if this instance has not tried them as the leader. */
  let triedWith: string | null = null
  let stopped = false

  const holdsLease = async (): Promise<boolean> => {
    if (!renewal.isDue()) return leads
    const held = await store.leases.take(LEASE, holder, LEASE_MS)
    // Another instance with an older version may have led meanwhile.
    if (!leads) triedWith = null
    leads = held
    renewal.nextIn(RENEW_MS)
    return leads
  }

  /**
   * Tries a page of events. Remaining events are due again in a day, failed events in a minute. Returns the number of applied
   * events.
   */
  const tryAll = async (rows: readonly QuarantineRow[]): Promise<number> => {
    const { applied, failed } = await options.release(rows)
    for (const [id, error] of failed) onFault(error, id)
    const [failing, stayed] = [true, false].map((fails) => rows.filter(({ id }) => failed.has(id) === fails))
    await store.quarantineReleases.postpone(stayed ?? [], clock() + AT_LATEST_MS)
    await store.quarantineReleases.postpone(failing ?? [], clock() + AFTER_FAILURE_MS)
    await nextTick()
    return applied
  }

  const releaseDue = async (reason: ReleasableReason): Promise<number> => {
    let applied = 0
    for (;;) {
      const rows = await store.quarantineReleases.due(reason, clock(), PAGE)
      const strangers = rows.filter(
        ({ user_known, user_reference_id }) =>
          reason === 'unknown_user' && user_known === 0 && user_reference_id !== null,
      )
      await store.quarantineReleases.postpone(strangers, clock() + AT_LATEST_MS)
      applied += await tryAll(rows.filter((row) => !strangers.includes(row)))
      if (rows.length < PAGE || stopped || !(await holdsLease())) return applied
      await nextTick()
    }
  }

  /** Tries all open events with this reason, a page at a time. */
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

  /** One round. Returns the number of applied events. */
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
