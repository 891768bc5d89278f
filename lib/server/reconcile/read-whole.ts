import type { Decimal } from '#lib/contract/money.ts'
import { isGatewayError } from '../gateway/errors.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { StatusReader } from '../gateway/status-words.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import type { ControlTotals } from '../ledger/control-totals.ts'
import type { PayoutRow, Store } from '../store/types.ts'
import { totalsScan, type CheckTotals } from './check-totals.ts'
import { scanList, type ReadLists } from './scan-user-list.ts'

export interface ReadWholeOptions {
  readonly store: Store
  readonly lists: ReadLists
  readonly statuses: StatusReader
  readonly ledgerMode: LedgerMode
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  readonly clock: () => number
  readonly clockOffsetMs: () => number | null
  readonly checkTotals: CheckTotals
}

export interface WholeList {
  readonly totals: readonly ControlTotals[]
  /** The user's payouts that nobody owns. */
  readonly open: readonly PayoutRow[]
}

/** More than any list has: only a gateway that repeats itself reaches it. */
const MOST_PAGES = 1_000_000

/**
 * Reads a user's whole list at once, applies what the books lack, and compares the totals. Returns why, if the list
 * could not be read.
 */
export function createReadWhole(options: ReadWholeOptions) {
  const { store, lists, statuses, ledgerMode, ledgerStartMs, clock, clockOffsetMs, checkTotals } = options
  return async (user: string): Promise<WholeList | string> => {
    const began_ms = clock()
    const restored_ms = await store.reconciliation.restoredMs()
    const knownUsers = (names: readonly string[]) => store.users.knownAmong(names)
    try {
      const scan = await scanList(lists, user, { knownUsers, mostPages: MOST_PAGES })
      const rules = { ledgerMode, ledgerStartMs, clockOffset: clockOffsetMs() }
      await store.applyRecords(user, listedRecords(scan.edges, statuses), rules)
      if (!scan.complete) return 'the list is not complete: records are missing, unreadable, or of another user'
      const listed = new Set(scan.edges.map(({ node }) => node.transaction_uuid))
      const began = totalsScan({ began_ms, restored_ms, missing: [] })
      const totals = await checkTotals(user, { ...began, isListed: (uuid) => listed.has(uuid) })
      return { totals, open: await store.payouts.openOf([user]) }
    } catch (error) {
      if (isGatewayError(error)) return `the list could not be read: ${error.message}`
      throw error
    }
  }
}

/** A difference as a line for a terminal or a log, and its transactions. */
export function totalsLines(totals: ControlTotals): readonly string[] {
  const { user_reference_id, currency_code, network, currency_id, gateway, ledger, difference, transactions } = totals
  const amounts = (one: { readonly gateway: Decimal; readonly ledger: Decimal }): string =>
    `gateway ${one.gateway}, ledger ${one.ledger}`
  return [
    `${user_reference_id}: ${currency_code} (${network}, ${currency_id}): ${amounts({ gateway, ledger })}, difference ${difference}`,
    ...transactions.map((one) => {
      const withdrawal = one.withdrawal_id === null ? '' : ` of withdrawal ${one.withdrawal_id}`
      return `  ${one.kind} ${one.transaction_uuid ?? '(not named)'}${withdrawal}: ${amounts(one)}`
    }),
  ]
}
