import type { Gateway } from '../gateway/port.ts'
import { applyRecords } from '../ledger/apply-records.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { Store, WithdrawalRow } from '../store/port.ts'
import { scanList, type Scan } from './scan-list.ts'

export interface CheckOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions'>
  readonly books: boolean
  readonly clock: () => number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds. */
  readonly absenceMs: number
}

/** Complete scans without it that prove that a withdrawal was never made. */
const ABSENT_SCANS = 2

const SHORTEST_MS = 2000
const LONGEST_MS = 60_000

/**
 * When an uncertain withdrawal is looked for again: 2 s, 4 s, … up to a minute, but at the latest when its absence
 * begins to count, and soon again once it has begun to.
 */
function nextCheckMs(row: WithdrawalRow, nowMs: number, absenceMs: number): number {
  const backoff = Math.min(SHORTEST_MS * 2 ** Math.min(row.checks, 10), LONGEST_MS)
  const countsFrom = (row.call_ended_ms ?? row.created_ms) + absenceMs
  if (nowMs < countsFrom) return Math.min(nowMs + backoff, countsFrom)
  return nowMs + Math.min(backoff, Math.max(SHORTEST_MS, absenceMs / 10))
}

/** True where a scan that began then, and was complete, says something about this withdrawal's absence. */
const counts = (row: WithdrawalRow, startedMs: number, absenceMs: number): boolean =>
  row.call_ended_ms !== null && startedMs >= row.call_ended_ms + absenceMs

/**
 * Looks for evidence of a user's uncertain withdrawals (contract section 7, step 5): the list naming them, or their
 * absence from two complete scans. One scan serves all of the user's. Gives how many came to rest.
 */
export function createCheckUnknown(options: CheckOptions) {
  const { store, gateway, books, clock, absenceMs } = options

  const settleFromScan = (user: string, ids: readonly string[], scan: Scan | null, startedMs: number) =>
    store.transaction(async (tx) => {
      await tx.users.lock([user])
      if (scan !== null) await applyRecords(tx, user, scan.edges, { books })
      let settled = 0
      for (const id of ids) {
        const row = await tx.withdrawals.find(id)
        if (row?.status !== 'unknown') {
          settled += 1
          continue
        }
        const absent = row.absent_scans + (scan?.complete === true && counts(row, startedMs, absenceMs) ? 1 : 0)
        const seen = { ...row, absent_scans: absent, checks: row.checks + 1 }
        const change = {
          absent_scans: absent,
          checks: seen.checks,
          checked_ms: scan === null ? row.checked_ms : tx.now,
          next_check_ms: nextCheckMs(seen, tx.now, absenceMs),
        }
        await tx.withdrawals.update(id, change)
        if (absent < ABSENT_SCANS) continue
        await settleWithdrawal(tx, { ...row, ...change }, { evidence: { kind: 'absent' }, source: 'reconciliation' })
        settled += 1
      }
      return settled
    })

  return async (user: string, ids: readonly string[]): Promise<number> => {
    const startedMs = clock()
    const scan = await scanList(gateway, user).catch((error: unknown) => ({ error }))
    if ('complete' in scan) return settleFromScan(user, ids, scan, startedMs)
    await settleFromScan(user, ids, null, startedMs)
    throw new Error('the list could not be read', { cause: scan.error })
  }
}
