import { createRenewal } from '../jobs/renewal.ts'
import type { SeenPlace, Store } from '../store/port.ts'
import { SEEN_FOR_MS } from './next-reconciliation.ts'

export interface SweepOptions {
  readonly store: Pick<Store, 'reconciliation'>
  readonly clock: () => number
}

/** After so long without a webhook, users who are on the page are asked for, each minute. */
const SILENT_AFTER_MS = 300_000
const ON_PAGE_MS = 900_000
const ON_PAGE_EVERY_MS = 60_000

/** Users in one transaction. */
const CHUNK = 200

/**
 * Schedules many users at once, behind all others: those seen in the last 30 days after a downtime, and those who are on
 * the page while no webhooks arrive. For one instance at a time.
 */
export function createSweep({ store, clock }: SweepOptions) {
  const silenceCheck = createRenewal(clock)

  const scheduleSeen = async (sinceMs: number, goOn: () => boolean): Promise<boolean> => {
    let place: SeenPlace | null = null
    do {
      if (!goOn()) return false
      place = await store.reconciliation.scheduleSeen(sinceMs, place, CHUNK)
    } while (place !== null)
    return true
  }

  const catchUp = async (goOn: () => boolean): Promise<void> => {
    const since = await store.reconciliation.catchUpSince()
    if (since === null) return
    const done = await scheduleSeen(clock() - SEEN_FOR_MS, goOn)
    if (done) await store.reconciliation.endCatchUp(since)
  }

  const askWhileSilent = async (goOn: () => boolean): Promise<void> => {
    if (!silenceCheck.isDue()) return
    silenceCheck.nextIn(ON_PAGE_EVERY_MS)
    const now = clock()
    if (await store.reconciliation.hasWebhookSince(now - SILENT_AFTER_MS)) return
    await scheduleSeen(now - ON_PAGE_MS, goOn)
  }

  return async (goOn: () => boolean): Promise<void> => {
    await catchUp(goOn)
    await askWhileSilent(goOn)
  }
}
