import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { Gateway } from '../gateway/port.ts'
import { applyRecords } from '../ledger/apply-records.ts'
import { callEndedAt, gatewayTime, type ClockOffset } from '../ledger/gateway-time.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import { askForPerson, endAttention, unmatchedPayout } from '../ledger/unmatched-payout.ts'
import type { Store, WithdrawalRow } from '../store/port.ts'
import { scanList, type ReadLists, type Scan } from './scan-user-list.ts'

export interface CheckOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs'>
  readonly ledgerMode: LedgerMode
  readonly clock: () => number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds. */
  readonly absenceMs: number
  /** Told of a user whose list has a part that cannot be read. */
  readonly onUnreadable?: (user: string, error: unknown) => void
}

/** This many complete scans without it prove that a withdrawal was never made. */
const ABSENT_SCANS = 2

interface AbsenceRule {
  readonly absenceMs: number
  /** What this instance knows of the gateway's clock. */
  readonly offset: ClockOffset
}

const SHORTEST_MS = 2000
/** Leaves time to wait for a turn: each is looked for within 15 s. */
const LONGEST_MS = 10_000

/**
 * When an uncertain withdrawal is checked again: after 2 s, 4 s, 8 s, then every 10 s, but at the latest when its absence
 * begins to count, and at shorter intervals from then on.
 */
function nextCheckMs(row: WithdrawalRow, nowMs: number, { absenceMs, offset }: AbsenceRule): number {
  const backoff = Math.min(SHORTEST_MS * 2 ** Math.min(row.checks, 10), LONGEST_MS)
  const toOurClock = nowMs - gatewayTime(nowMs, row, offset)
  const countsFrom = (callEndedAt(row, offset) ?? row.created_ms) + absenceMs + toOurClock
  if (nowMs < countsFrom) return Math.min(nowMs + backoff, countsFrom)
  return nowMs + Math.min(backoff, Math.max(SHORTEST_MS, absenceMs / 10))
}

/** True if a complete scan that began then counts as evidence of this withdrawal's absence. */
function counts(row: WithdrawalRow, startedMs: number, { absenceMs, offset }: AbsenceRule): boolean {
  const ended = callEndedAt(row, offset)
  return ended !== null && gatewayTime(startedMs, row, offset) >= ended + absenceMs
}

/**
 * Looks for evidence about a user's uncertain withdrawals (docs/api.md, "Absence"): the list naming them, or their
 * absence from two complete scans. One scan serves all of the user's withdrawals. Returns how many were settled.
 */
export function createCheckUnknownWithdrawals(options: CheckOptions) {
  const { store, gateway, ledgerMode, clock, absenceMs } = options

  const settleFromScan = (user: string, ids: readonly string[], scan: Scan | null, startedMs: number) =>
    store.transaction(async (tx) => {
      await tx.users.lock([user])
      const rule = { absenceMs, offset: gateway.clockOffsetMs() }
      const records = scan === null ? [] : listedRecords(scan.edges)
      await applyRecords(tx, user, records, { ledgerMode, clockOffset: rule.offset })
      let settled = 0
      for (const id of ids) {
        const row = await tx.withdrawals.find(id)
        if (row?.status !== 'unknown') {
          settled += 1
          continue
        }
        const proves = scan?.complete === true && counts(row, startedMs, rule)
        const payout = proves ? await unmatchedPayout(tx, row, records, rule.offset) : null
        const absent = row.absent_scans + (proves && payout === null ? 1 : 0)
        const seen = { ...row, absent_scans: absent, checks: row.checks + 1 }
        const change = {
          absent_scans: absent,
          checks: seen.checks,
          checked_ms: scan === null ? row.checked_ms : tx.now,
          next_check_ms: nextCheckMs(seen, tx.now, rule),
        }
        await tx.withdrawals.update(id, change)
        if (proves) await (payout === null ? endAttention(tx, row) : askForPerson(tx, row, payout))
        if (payout !== null || absent < ABSENT_SCANS) continue
        await settleWithdrawal(
          tx,
          { ...row, ...change, attention: null },
          { evidence: { kind: 'absent' }, source: 'reconciliation' },
        )
        settled += 1
      }
      return settled
    })

  return async (user: string, ids: readonly string[], read: ReadLists = gateway): Promise<number> => {
    const startedMs = clock()
    const scan = await scanList(read, user).catch((error: unknown) => ({ error }))
    const unreadable = 'error' in scan ? null : scan.unreadable !== null
    if (!('error' in scan) && unreadable === true) options.onUnreadable?.(user, scan.unreadable)
    try {
      const settled = await settleFromScan(user, ids, 'error' in scan ? null : scan, startedMs)
      if ('error' in scan) throw new Error('reading the list of transactions failed', { cause: scan.error })
      return settled
    } finally {
      await store.reconcileQueue.checked(user, { atLeastMs: SHORTEST_MS, unreadable })
    }
  }
}
