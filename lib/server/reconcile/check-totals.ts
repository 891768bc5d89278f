import * as z from 'zod/mini'
import { isDecimal, type Decimal } from '#lib/contract/money.ts'
import { kindOf } from '../gateway/listed-records.ts'
import type { StatusReader } from '../gateway/status-words.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import type { NamedCurrency } from '../ledger/compare.ts'
import {
  compareTotals,
  type ControlTotals,
  type GatewayBooking,
  type ListedTransfer,
} from '../ledger/control-totals.ts'
import { reportUnsaid } from '../ledger/disputed-facts.ts'
import { longAgo, type LongAgo } from '../ledger/long-ago.ts'
import { reportUnlisted } from '../ledger/overdue.ts'
import {
  endedDifferences,
  followDismissed,
  onlyTold,
  raiseGone,
  raiseTotals,
  reportTotals,
  settledKeys,
  toldUuids,
} from '../ledger/report-totals.ts'
import type { RecordRow, TransactionKey } from '../ledger/rows.ts'
import { isOpenTransaction } from '../ledger/transaction-statuses.ts'
import { possibleTransactions, reportReopened, type ReopenedRecord } from '../ledger/vanished-records.ts'
import type { Store, Tx } from '../store/types.ts'
import type { ScanRound } from './scan-round.ts'

export interface CheckTotalsOptions {
  readonly store: Store
  readonly statuses: StatusReader
  readonly ledgerMode: LedgerMode
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  /** `OVERDUE_S` in milliseconds. */
  readonly overdueMs: number
  readonly clock: () => number
}

/** A complete scan of the user's list, whose records are stored. */
export interface TotalsScan {
  /** The list may not show what was booked since then. */
  readonly settledBeforeMs: number
  /** When the database was last restored before the scan began: what was read before a restore may be lost. */
  readonly restoredMs: number | null
  /** Whether the list has this stored record. */
  readonly isListed: (transactionUuid: string) => boolean
}

const PAGE = 1000

/** What a user's list says of transfers. */
interface Listed {
  readonly succeeded: readonly ListedTransfer[]
  /** For long. */
  readonly underWay: readonly ReopenedRecord[]
}

type StoredRecord = Awaited<ReturnType<Store['records']['pageOf']>>[number]

/** The clocks of two instances may differ by this. */
const CLOCKS_APART_MS = 60_000

/**
 * The scan of a job, by the clock of the instance that began it. What was booked before the last restore is compared,
 * however short ago it was: a scan that leaves it out would allow the user's withdrawals.
 */
export const totalsScan = (scan: Pick<ScanRound, 'began_ms' | 'restored_ms' | 'missing'>): TotalsScan => {
  const missing = new Set(scan.missing)
  return {
    settledBeforeMs: Math.max(scan.began_ms - CLOCKS_APART_MS, scan.restored_ms ?? 0),
    restoredMs: scan.restored_ms,
    isListed: (uuid) => !missing.has(uuid),
  }
}

const recordSchema = z.object({
  amount: z.custom<Decimal>((value) => typeof value === 'string' && isDecimal(value)),
  currency: z.object({ id: z.string(), code: z.string(), network: z.string() }),
})

/** A stored record as the control totals need it. */
export function transferOf({
  transaction_uuid,
  type,
  inserted_ms,
  record,
}: Pick<RecordRow, 'transaction_uuid' | 'type' | 'inserted_ms' | 'record'>): ListedTransfer {
  const { amount, currency } = recordSchema.parse(JSON.parse(record))
  const { id: currency_id, code: currency_code, network } = currency
  return { kind: kindOf(type) ?? null, transaction_uuid, amount, inserted_ms, currency_id, currency_code, network }
}

export type CheckTotals = (user: string, scan: TotalsScan) => Promise<readonly ControlTotals[]>

/**
 * Compares the stored records of a user's list with the books after a complete scan, stores the totals, and tells a
 * person about differences. The totals leave out what the merchant booked: such successes are reported if the list does
 * not show them. A scan that began before the last restore of the database compares nothing.
 */
export function createCheckTotals(options: CheckTotalsOptions): CheckTotals {
  const { store, statuses, ledgerMode, ledgerStartMs, overdueMs, clock } = options

  /** An unknown word is a contradiction at once. */
  const isUnderWay = (row: StoredRecord, { sinceMs, aheadMs }: LongAgo): boolean =>
    (row.seen_ms <= sinceMs || row.seen_ms >= aheadMs) && isOpenTransaction(statuses.record(row.status))

  const readListed = async (user: string, { isListed }: TotalsScan, waited: LongAgo): Promise<Listed> => {
    const found = { succeeded: [] as ListedTransfer[], underWay: [] as ReopenedRecord[] }
    for (let after = ''; ;) {
      const page = await store.records.pageOf(user, after, PAGE)
      for (const row of page.filter(({ transaction_uuid }) => isListed(transaction_uuid)))
        if (statuses.record(row.status) === 'succeeded') found.succeeded.push(transferOf(row))
        else if (isUnderWay(row, waited)) found.underWay.push(row)
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return found
      after = last.transaction_uuid
    }
  }

  const readBookings = async (
    user: string,
    names: ReadonlyMap<string | null, NamedCurrency>,
  ): Promise<readonly GatewayBooking[]> => {
    const found: GatewayBooking[] = []
    for (let after = 0; ;) {
      const page = await store.controlTotals.bookings(user, after, PAGE)
      for (const { id: _id, ...booking } of page) {
        const { currency_code = '', network = '' } = names.get(booking.currency_id) ?? {}
        found.push({ ...booking, currency_code, network })
      }
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return found
      after = last.id
    }
  }

  /** Of these transactions, those whose success was known before their user was erased. */
  const erasedAmong = async (uuids: readonly string[]): Promise<ReadonlySet<string>> => {
    const facts = uuids.length === 0 ? [] : await store.transactions.factsOf(uuids)
    const known = facts.filter(({ erased, status }) => erased === true && status === 'succeeded')
    return new Set(known.map(({ transaction_uuid }) => transaction_uuid))
  }

  const compare = async (
    user: string,
    scan: TotalsScan,
    records: readonly ListedTransfer[],
  ): Promise<readonly ControlTotals[]> => {
    const { payouts, withdrawals } = await store.controlTotals.owners(user)
    const currencies = (await store.currencies.all()).map((one) => ({ ...one, currency_id: one.id }))
    const named: readonly NamedCurrency[] = [...records, ...withdrawals.values(), ...currencies]
    const bookings = await readBookings(user, new Map(named.map((one) => [one.currency_id, one])))
    const merchants = await store.transactions.merchants(user)
    const rules = { ...{ nowMs: clock(), ledgerStartMs, overdueMs }, ...scan, payouts, withdrawals, merchants }
    const totals = compareTotals(user, records, bookings, rules)
    const uuids = totals.flatMap(({ transactions }) => transactions.flatMap((one) => one.transaction_uuid ?? []))
    const erased = await erasedAmong(uuids)
    return erased.size === 0 ? totals : compareTotals(user, records, bookings, { ...rules, erased })
  }

  /** A record of an unknown type that came before the webhook is no fact. A record of another type tells another thing. */
  const unlistedAmong = async (
    { records }: Pick<Tx, 'records'>,
    user: string,
    keys: readonly TransactionKey[],
  ): Promise<readonly TransactionKey[]> => {
    const uuids = keys.map(({ transaction_uuid }) => transaction_uuid)
    const rows = uuids.length === 0 ? [] : await records.byUuids(user, uuids)
    const succeeded = rows.filter(({ status }) => statuses.record(status) === 'succeeded')
    const listed = new Map(succeeded.map(({ transaction_uuid, type }) => [transaction_uuid, kindOf(type) ?? null]))
    return keys.filter(
      ({ kind, transaction_uuid }) => (listed.get(transaction_uuid) ?? kind) !== kind || !listed.has(transaction_uuid),
    )
  }

  return async (user, scan) => {
    const isOurs = ledgerMode === 'embedded'
    const now = clock()
    const waited = longAgo(now, Math.min(scan.settledBeforeMs, now - overdueMs))
    const { succeeded, underWay } = await readListed(user, scan, waited)
    // Where the merchant keeps the books, differences from before are followed until they have gone.
    const told = isOurs ? [] : await store.controlTotals.of(user)
    const isCompared = isOurs || toldUuids(told).size > 0
    const found = isCompared ? await compare(user, scan, succeeded) : []
    const totals = isOurs ? found : onlyTold(found, told)
    await store.transaction(async (tx) => {
      const unlisted = await unlistedAmong(tx, user, await tx.transactions.unlistedSuccesses(user, waited, ledgerMode))
      const again = underWay.flatMap(({ transaction_uuid }) => possibleTransactions(transaction_uuid))
      const unit = await tx.load({ users: [user], transactions: [...unlisted, ...again] })
      // The user was erased meanwhile.
      if (!unit.hasUser(user)) return
      if ((await tx.reconciliation.restoredMs()) !== scan.restoredMs) return
      await tx.users.totalsChecked(user)
      // The deposits of purchases.
      if (unlisted.length > 0) await tx.loadRelated(unit, [])
      reportUnlisted(unit, unlisted, ledgerMode)
      reportReopened(unit, user, underWay, ledgerMode)
      const before = await tx.controlTotals.of(user)
      const named = isOurs ? toldUuids(before) : new Set()
      reportUnsaid(
        unit,
        user,
        underWay.filter(({ transaction_uuid }) => !named.has(transaction_uuid)),
      )
      if (!isCompared) {
        await tx.save(unit)
        return
      }
      const report = reportTotals(before, totals)
      const open = await tx.quarantine.settleReports('totals_differ', settledKeys(user, report), tx.now)
      const corrected = await tx.ledger.adjustedBy(user, endedDifferences(user, before, open), tx.now)
      const { rows, gone } = followDismissed(user, { before, report, open, corrected })
      await tx.controlTotals.replace(user, rows, tx.now)
      raiseTotals(unit, user, report)
      raiseGone(unit, user, gone)
      await tx.save(unit)
    })
    return totals
  }
}
