/** What quarantine tells of control totals, and what is stored of them (docs/explanation/money.md, "Control totals"). */
import { add, canonical, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import {
  compareTotals,
  isUnbooked,
  type ControlTotals,
  type DifferingTransaction,
  type KnownPayout,
} from './control-totals.ts'
import type { ToldAmounts } from './quarantine-set.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** The stored result of the last comparison. */
export interface StoredTotals {
  readonly currency_id: string
  readonly difference: Decimal
  /** All `transactions` as JSON, with what a person has read of them (`followDismissed`). */
  readonly transactions: string
}

/** A difference as it is stored. */
interface StoredDifference extends DifferingTransaction {
  /** A person has dismissed a line that named it, and may have corrected a balance by it. */
  readonly dismissed?: true
}

const namedIn = ({ transactions }: StoredTotals): readonly StoredDifference[] =>
  JSON.parse(transactions) as readonly StoredDifference[]

/** The differences of the last comparison, as it found them. */
const foundIn = (totals: StoredTotals): readonly DifferingTransaction[] =>
  namedIn(totals).map(({ dismissed: _dismissed, ...one }) => one)

/**
 * The payouts that were acknowledged after a restore, and that the last comparison did not have: of each that it had, a
 * person was told as a difference.
 */
export function untoldUnbooked(payouts: readonly KnownPayout[], told: readonly StoredTotals[]): readonly KnownPayout[] {
  const named = new Set(told.flatMap((row) => namedIn(row).map(({ transaction_uuid }) => transaction_uuid)))
  return payouts.filter((one) => isUnbooked(one) && one.amount !== null && !named.has(one.transaction_uuid))
}

/** The most transactions that a quarantine line names. */
const MOST_NAMED = 200

/** Under which key a quarantine line about a difference stands, in place of a `transaction_uuid`. */
const totalsKey = (user: string, currency_id: string): string => `${user} ${currency_id}`

export interface TotalsReport {
  /** The currencies whose open lines no longer hold. */
  readonly settled: readonly string[]
  /** The totals that a person must be told. */
  readonly raised: readonly { readonly currency_id: string; readonly event: string }[]
  /** What is stored of each currency. */
  readonly rows: readonly (StoredTotals & Pick<ControlTotals, 'gateway' | 'ledger'>)[]
}

/** These transactions, first those that the stored ones lack: a line names only the first `MOST_NAMED`. */
function newFirst(transactions: readonly DifferingTransaction[], stored = '[]'): readonly DifferingTransaction[] {
  const before = new Set((JSON.parse(stored) as readonly unknown[]).map((one) => JSON.stringify(one)))
  const isTold = (one: DifferingTransaction): boolean => before.has(JSON.stringify(one))
  return [...transactions.filter((one) => !isTold(one)), ...transactions.filter(isTold)]
}

/**
 * What changes in quarantine. Each currency has one open line, with all transactions that differ; the next line replaces
 * it if another transaction differs, or one by another amount. The same is told once.
 */
export function reportTotals(before: readonly StoredTotals[], totals: readonly ControlTotals[]): TotalsReport {
  const known = new Map(before.map((row) => [row.currency_id, JSON.stringify(foundIn(row))]))
  const rows = totals.map(({ user_reference_id: _user, currency_code: _code, network: _network, ...one }) => ({
    ...one,
    transactions: JSON.stringify(one.transactions),
  }))
  const isTold = ({ currency_id, transactions }: StoredTotals): boolean => known.get(currency_id) === transactions
  const told = new Set(rows.filter(isTold).map(({ currency_id }) => currency_id))
  return {
    settled: [...known.keys()].filter((currency_id) => !told.has(currency_id)),
    raised: totals
      .filter(({ currency_id, transactions }) => transactions.length > 0 && !told.has(currency_id))
      .map(({ user_reference_id: _user, transactions, ...one }) => ({
        currency_id: one.currency_id,
        event: JSON.stringify({
          ...one,
          transactions: newFirst(transactions, known.get(one.currency_id)).slice(0, MOST_NAMED),
          ...(transactions.length > MOST_NAMED && { transactions_left_out: transactions.length - MOST_NAMED }),
        }),
      })),
    rows,
  }
}

/**
 * The last comparison, with payouts that were acknowledged since: they are told like its differences. For a list that
 * cannot be read, so that no comparison comes.
 */
export function reportUnbooked(
  user: string,
  before: TotalsReport['rows'],
  untold: readonly KnownPayout[],
): TotalsReport {
  const lastOf = new Map(before.map((row) => [row.currency_id, row]))
  const totals = compareTotals(user, [], [], {
    ...{ nowMs: 0, ledgerStartMs: 0, overdueMs: 0, settledBeforeMs: Infinity, withdrawals: new Map() },
    payouts: new Map(untold.map((payout) => [payout.transaction_uuid, payout])),
  }).map((one): ControlTotals => {
    const last = lastOf.get(one.currency_id)
    if (last === undefined) return one
    return {
      ...one,
      gateway: canonical(add(last.gateway, one.gateway)),
      ledger: last.ledger,
      difference: canonical(add(last.difference, one.difference)),
      transactions: [...foundIn(last), ...one.transactions],
    }
  })
  const changed = new Set(totals.map(({ currency_id }) => currency_id))
  const { settled, raised, rows } = reportTotals(
    before.filter(({ currency_id }) => changed.has(currency_id)),
    totals,
  )
  return { settled, raised, rows: [...before.filter(({ currency_id }) => !changed.has(currency_id)), ...rows] }
}

/** The transactions of the last comparison's differences, of which a person was told. */
export const toldUuids = (before: readonly StoredTotals[]): ReadonlySet<string | null> =>
  new Set(before.flatMap((row) => namedIn(row).map(({ transaction_uuid }) => transaction_uuid)))

/**
 * Of these totals the differences of which a person was told. If the merchant keeps the books since, others are none of
 * the ledger's.
 */
export function onlyTold(totals: readonly ControlTotals[], before: readonly StoredTotals[]): readonly ControlTotals[] {
  const told = new Map(before.map((row) => [row.currency_id, new Set(namedIn(row).map(nameOf))]))
  return totals.map((one) => {
    const names = told.get(one.currency_id)
    return { ...one, transactions: one.transactions.filter((each) => names?.has(nameOf(each)) === true) }
  })
}

/** The keys of the lines that no longer hold: they are settled before `raiseTotals`. */
export const settledKeys = (user: string, { settled }: Pick<TotalsReport, 'settled'>): readonly string[] =>
  settled.map((currency_id) => totalsKey(user, currency_id))

/** What a person's own word about a payout ends: no booking is missing any more. */
const isOfNobody = ({ kind, withdrawal_id }: DifferingTransaction): boolean =>
  kind === 'payout' && withdrawal_id === null

/** The same difference, perhaps by another amount. */
const nameOf = ({ kind, transaction_uuid, withdrawal_id }: DifferingTransaction): string =>
  JSON.stringify([kind, transaction_uuid, withdrawal_id])

/** Under which key the line stands that tells of differences which have gone: the next comparison does not settle it. */
const goneKey = (user: string, currency_id: string): string => `${totalsKey(user, currency_id)} gone`

const amountOf = ({ gateway, ledger }: DifferingTransaction): Decimal => canonical(subtract(gateway, ledger))

/**
 * The differences of the lines that no longer hold: of each transaction, and of all together, as each line tells it.
 * @param open the keys of the lines that were open, and when they were told
 */
export const endedDifferences = (
  user: string,
  before: readonly StoredTotals[],
  open: ReadonlyMap<string, number>,
): readonly ToldAmounts[] =>
  before.flatMap((row) => {
    const sinceMs = open.get(totalsKey(user, row.currency_id))
    const amounts = namedIn(row).slice(0, MOST_NAMED).map(amountOf)
    if (sinceMs === undefined || amounts.length === 0) return []
    return [{ currency_id: row.currency_id, sinceMs, amounts: [...amounts, canonical(row.difference)] }]
  })

/**
 * Follows the differences whose line a person has dismissed, who may have corrected a balance by them, or has done so
 * before a dismissal.
 * @param open the keys of the lines that were open
 * @param corrected by which amounts a person has adjusted the balance since, for each currency
 * @returns what is stored, and the dismissed differences that have gone
 */
export function followDismissed(
  user: string,
  {
    before,
    report,
    open,
    corrected = new Map(),
  }: {
    readonly before: readonly StoredTotals[]
    readonly report: TotalsReport
    readonly open: Pick<ReadonlySet<string>, 'has'>
    readonly corrected?: ReadonlyMap<string, ReadonlySet<Decimal>>
  },
): Pick<TotalsReport, 'rows'> & { readonly gone: TotalsReport['raised'] } {
  const isRead = ({ currency_id, difference }: StoredTotals, one: DifferingTransaction): boolean =>
    report.settled.includes(currency_id) &&
    (!open.has(totalsKey(user, currency_id)) ||
      [amountOf(one), canonical(difference)].some((amount) => corrected.get(currency_id)?.has(amount)))
  const dismissed = new Map(
    before.map((row) => [row.currency_id, namedIn(row).filter((one) => one.dismissed === true || isRead(row, one))]),
  )
  const present = new Map(report.rows.map((row) => [row.currency_id, row]))
  const gone = [...dismissed].flatMap(([currency_id, all]) => {
    const row = present.get(currency_id)
    const left = new Set(row === undefined ? [] : namedIn(row).map(nameOf))
    const ended = all.filter((one) => !left.has(nameOf(one)) && !isOfNobody(one))
    if (ended.length === 0) return []
    const { gateway = ZERO, ledger = ZERO } = row ?? {}
    const named = ended.slice(0, MOST_NAMED).map(({ dismissed: _dismissed, ...one }) => one)
    return [{ currency_id, event: JSON.stringify({ currency_id, gateway, ledger, transactions: [], gone: named }) }]
  })
  const rows = report.rows.map((row) => {
    const read = new Set(dismissed.get(row.currency_id)?.map(nameOf))
    const marked = namedIn(row).map((one) => (read.has(nameOf(one)) ? { ...one, dismissed: true } : one))
    return { ...row, transactions: JSON.stringify(marked) }
  })
  return { rows, gone }
}

/** Tells a person about these differences. */
export function raiseTotals(unit: UnitOfWork, user: string, { raised }: Pick<TotalsReport, 'raised'>): void {
  for (const { currency_id, event } of raised)
    unit.quarantineOnce({
      ...{ reason: 'totals_differ', event_name: null, user_reference_id: user, event },
      transaction_uuid: totalsKey(user, currency_id),
    })
}

/** Tells a person about dismissed differences that have gone. */
export function raiseGone(unit: UnitOfWork, user: string, gone: TotalsReport['raised']): void {
  for (const { currency_id, event } of gone)
    unit.quarantine({
      ...{ reason: 'totals_differ', event_name: null, user_reference_id: user, event },
      transaction_uuid: goneKey(user, currency_id),
    })
}
