import type { Gateway } from '../gateway/types.ts'
import { createRenewal } from '../jobs/renewal.ts'
import type { SeenPlace, Store } from '../store/types.ts'
import { SEEN_FOR_MS } from './next-reconciliation.ts'
import { createScanMerchantList, type ReadMerchantList } from './scan-merchant-list.ts'

export interface SweepOptions {
  readonly store: Pick<
    Store,
    'dueUsers' | 'reconciliation' | 'reconciliationDelays' | 'records' | 'transaction' | 'unitOfWork' | 'users'
  >
  readonly clock: () => number
  /** The list across all users. */
  readonly gateway: ReadMerchantList
  readonly statuses: Gateway['statuses']
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  /** The gateway's clock minus ours; null while it is unknown. */
  readonly clockOffsetMs: () => number | null
  /** `RECONCILE_CALLS_PER_S`. */
  readonly callsPerSecond: number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds: how far the gateway's lists may lag. */
  readonly absenceMs: number
}

/** Within this time the books are compared with every user's whole list. */
const TOTALS_EVERY_MS = 7 * 86_400_000
const TOTALS_SCHEDULED_MS = 60_000
/** The share of the calls for users who are due only for this comparison. */
const TOTALS_SHARE = 0.5

/**
 * After this time without a webhook, users on the page are reconciled: each minute, or in turn if this share of the
 * calls does not suffice. Thousands who wait for nothing must not keep the instance busy.
 */
const SILENT_AFTER_MS = 300_000
const ON_PAGE_MS = 900_000
const ON_PAGE_EVERY_MS = 60_000
const ON_PAGE_SHARE = 0.02

/** Users in one transaction. */
const CHUNK = 200

/** Pages of the list across all users; records of another merchant may fill most of them. */
const PAGES_WHILE_SILENT = 5
/** A list that is not offered, or is empty, is requested again only after this time. */
const OFFERED_AGAIN_MS = 3_600_000
const PAGES_AFTER_DOWNTIME = 1000
/** A list that could not be read after a downtime is tried again after this time. */
const LIST_AGAIN_MS = 60_000
const MOST_TRIES = 10
/** The greatest delay of clocks and of a gateway's list. */
const OVERLAP_MS = 600_000

/**
 * Schedules many users at once. After a downtime: first users with news in the list across all users, with the priority
 * of open states; then all users seen in the last 30 days, after all others. While no webhooks arrive: users with news
 * in that list, or, if the gateway does not offer it, users on the page, the longest unread first. Once a week, and
 * once lists show what the database has lost: every user. Runs on one instance at a time.
 */
export function createSweep(options: SweepOptions) {
  const { store, clock, clockOffsetMs, callsPerSecond, absenceMs } = options
  const totalsCheck = createRenewal(clock)
  const silenceCheck = createRenewal(clock)
  const listCheck = createRenewal(clock)
  const offerCheck = createRenewal(clock)
  const scanMerchantList = createScanMerchantList(options)
  /** The downtime whose changes are being read. */
  let catchingUp: { readonly sinceMs: number; scheduled: boolean; tries: number } | null = null

  const callsIn = (ms: number, share: number): number => Math.max(1, Math.floor((callsPerSecond * ms * share) / 1000))

  const scheduleSeen = async (sinceMs: number, goOn: () => boolean): Promise<boolean> => {
    let place: SeenPlace | null = null
    do {
      if (!goOn()) return false
      place = await store.dueUsers.scheduleSeen(sinceMs, place, CHUNK)
    } while (place !== null)
    return true
  }

  const scan = (sinceMs: number, mostPages: number, goOn: () => boolean) =>
    scanMerchantList({ sinceMs: sinceMs + (clockOffsetMs() ?? 0) - OVERLAP_MS, mostPages, goOn })

  const catchUp = async (goOn: () => boolean): Promise<void> => {
    const sinceMs = await store.reconciliation.catchUpSince()
    if (sinceMs === null) {
      catchingUp = null
      return
    }
    if (catchingUp?.sinceMs !== sinceMs) {
      catchingUp = { sinceMs, scheduled: false, tries: 0 }
      listCheck.nextIn(0)
    }
    const current = catchingUp
    // Schedules before reading the list, which may take long.
    if (!current.scheduled) current.scheduled = await scheduleSeen(clock() - SEEN_FOR_MS, goOn)
    if (!current.scheduled || !listCheck.isDue()) return
    listCheck.nextIn(LIST_AGAIN_MS)
    current.tries += 1
    const found = await scan(sinceMs, PAGES_AFTER_DOWNTIME, goOn)
    if (found === 'failed' && current.tries < MOST_TRIES) return
    await store.reconciliation.endCatchUp(sinceMs)
    catchingUp = null
  }

  const askWhileSilent = async (goOn: () => boolean): Promise<void> => {
    if (!silenceCheck.isDue()) return
    silenceCheck.nextIn(ON_PAGE_EVERY_MS)
    const now = clock()
    if (await store.reconciliationDelays.hasWebhookSince(now - SILENT_AFTER_MS)) return
    if (offerCheck.isDue()) {
      const found = await scan(now - ON_PAGE_MS, PAGES_WHILE_SILENT, goOn)
      if (found === 'read') return
      if (found === 'useless') offerCheck.nextIn(OFFERED_AGAIN_MS)
    }
    await store.dueUsers.scheduleLongestUnread(now - ON_PAGE_MS, callsIn(ON_PAGE_EVERY_MS, ON_PAGE_SHARE))
  }

  const scheduleUncompared = async (): Promise<void> => {
    if (!totalsCheck.isDue()) return
    totalsCheck.nextIn(TOTALS_SCHEDULED_MS)
    await store.dueUsers.endLongWaits()
    await store.dueUsers.scheduleUncompared(TOTALS_EVERY_MS, callsIn(TOTALS_SCHEDULED_MS, TOTALS_SHARE))
  }

  const readAfterLoss = async (): Promise<void> => {
    if ((await store.reconciliation.lostMs()) !== null)
      await store.transaction((tx) => tx.reconciliation.endLoss(absenceMs))
  }

  return async (goOn: () => boolean): Promise<void> => {
    await readAfterLoss()
    await catchUp(goOn)
    await askWhileSilent(goOn)
    await scheduleUncompared()
  }
}
