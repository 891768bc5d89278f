/**
 * The ledger's tables in memory, for tests of the pure rules. A ledger never changes: `run` returns the next one, which
 * shares every unchanged table with it, so a fork costs nothing.
 */
import { ZERO } from '#lib/contract/money.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { BalanceRow, Posting } from '../accounts.ts'
import type { Fact, FactCurrency } from '../facts.ts'
import type { FeedItem } from '../outbox.ts'
import { written } from '../quarantine-set.ts'
import type { QuarantineLine, WithdrawalRow } from '../rows.ts'
import { lineKey } from '../line-key.ts'
import { UnitOfWork, type LoadedState } from '../unit-of-work.ts'

/** A unit that has loaded everything: a transaction without facts has none, and a balance without a row is zero. */
class WholeUnit extends UnitOfWork {
  override facts(kind: TransactionKind, uuid: string): readonly Fact[] {
    return this.loadedFacts(kind, uuid)
  }

  override balance(user_reference_id: string, currency_id: string): BalanceRow {
    if (!this.hasBalance(user_reference_id, currency_id))
      this.load({ balances: [{ user_reference_id, currency_id, available: ZERO, held: ZERO, overdraft: null }] })
    return super.balance(user_reference_id, currency_id)
  }
}

type Changes = ReturnType<UnitOfWork['changes']>
type Loaded = Omit<Required<LoadedState>, 'facts'>
type Rows = { readonly [K in keyof Loaded]: Loaded[K][number] } & {
  readonly facts: Fact
  readonly records: Changes['records'][number]
  readonly postings: Posting
}
type TableName = Exclude<keyof Rows, 'keys'>
type Tables = { readonly [K in TableName]: ReadonlyMap<string, Rows[K]> }

const listed = (currency: FactCurrency): Rows['currencies'] => ({ ...currency, listed: false })

/** The rows that a unit of work has changed, by table. */
const changedRows = (changes: Changes): { readonly [K in TableName]?: readonly Rows[K][] } => ({
  facts: [...changes.transactions, ...changes.unplaced].flatMap(({ facts }) => facts.map(({ fact }) => fact)),
  transactions: changes.transactions.map(({ row }) => row),
  withdrawals: [...changes.newWithdrawals, ...changes.changedWithdrawals],
  payouts: changes.payouts,
  onramps: changes.onramps,
  balances: changes.balances,
  currencies: changes.learned.map(listed),
  records: changes.records,
  postings: changes.postings,
})

const keyOf: { readonly [K in TableName]: (row: Rows[K]) => string } = {
  users: (row) => row.user_reference_id,
  facts: (row) => `${row.kind} ${row.transaction_uuid} ${row.status} ${row.source}`,
  transactions: (row) => `${row.kind} ${row.transaction_uuid}`,
  withdrawals: (row) => row.id,
  payouts: (row) => row.transaction_uuid,
  onramps: (row) => row.id,
  balances: (row) => `${row.user_reference_id} ${row.currency_id}`,
  currencies: (row) => row.id,
  records: (row) => `${row.user_reference_id} ${row.transaction_uuid}`,
  postings: (row) => row.posting_key,
}

/** Tables in which an existing row stays as it is, and tables in which it must not exist. */
const KEPT: ReadonlySet<TableName> = new Set(['currencies'])
const NEW: ReadonlySet<TableName> = new Set(['postings'])

const EMPTY: Tables = {
  users: new Map(),
  facts: new Map(),
  transactions: new Map(),
  withdrawals: new Map(),
  payouts: new Map(),
  onramps: new Map(),
  balances: new Map(),
  currencies: new Map(),
  records: new Map(),
  postings: new Map(),
}
const TABLES = Object.keys(EMPTY) as readonly TableName[]

function checkUnique(withdrawals: ReadonlyMap<string, WithdrawalRow>): void {
  const named = [...withdrawals.values()].flatMap(({ transaction_uuid }) => transaction_uuid ?? [])
  if (new Set(named).size !== named.length) throw new Error('two withdrawals have one transaction')
}

/** 26 random bits for each number: the same in each run. */
function bitsOf(number: number): number {
  let bits = Math.imul(number + 1, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 6
}

/** The content of rows as numbers: rows with equal content have an equal number. Rows never change. */
class Contents {
  readonly #byText = new Map<string, number>()
  readonly #known = new WeakMap<object, number>()

  of(row: object): number {
    const known = this.#known.get(row)
    if (known !== undefined) return known
    const text = JSON.stringify(row)
    const number = this.#byText.get(text) ?? this.#byText.size
    this.#byText.set(text, number)
    this.#known.set(row, number)
    return number
  }
}

/** A sum of the contents of all rows, in any order: 52 bits, so that two of a million ledgers differ for sure enough. */
interface Sum {
  readonly high: number
  readonly low: number
}

const MASK = 2 ** 26 - 1

const withContent = ({ high, low }: Sum, content: number, times: 1 | -1): Sum => ({
  high: (high + times * bitsOf(content * 2)) & MASK,
  low: (low + times * bitsOf(content * 2 + 1)) & MASK,
})

interface LedgerState {
  readonly tables: Tables
  /** The open lines of the quarantine. */
  readonly lines: readonly QuarantineLine[]
  /** The lines that a person has dismissed. */
  readonly dismissed: readonly QuarantineLine[]
  /** What the merchant was told. */
  readonly feed: readonly FeedItem[]
  readonly sum: Sum
}

type ChangedTables = { readonly [K in TableName]?: readonly Rows[K][] }

export class MemoryLedger {
  readonly #state: LedgerState
  /** Shared by all ledgers that come from one. */
  readonly #contents: Contents

  private constructor(state: LedgerState, contents: Contents) {
    this.#state = state
    this.#contents = contents
  }

  static with(rows: ChangedTables): MemoryLedger {
    const empty = { tables: EMPTY, lines: [], dismissed: [], feed: [], sum: { high: 0, low: 0 } }
    return new MemoryLedger(empty, new Contents()).#changed(rows, [])
  }

  get quarantine(): readonly QuarantineLine[] {
    return this.#state.lines
  }

  get dismissed(): readonly QuarantineLine[] {
    return this.#state.dismissed
  }

  /** What the merchant was told; it is no part of the content that `id` numbers. */
  get feed(): readonly FeedItem[] {
    return this.#state.feed
  }

  rows<K extends TableName>(name: K): readonly Rows[K][] {
    return [...this.#state.tables[name].values()] as readonly Rows[K][]
  }

  /** The number of this content, among the ledgers that come from one: equal ledgers have an equal number. */
  get id(): number {
    const { high, low } = this.#state.sum
    return high * 2 ** 26 + low
  }

  /** Loads everything into a unit of work, lets `work` change it, and stores its changes. */
  run<T>(now: number, work: (unit: UnitOfWork) => T): { readonly ledger: MemoryLedger; readonly result: T } {
    const unit = new WholeUnit(now)
    const { records: _records, postings: _postings, facts, ...loaded } = this.#state.tables
    unit.load(Object.fromEntries(Object.entries(loaded).map(([name, table]) => [name, [...table.values()]])))
    unit.load({ facts: [...facts.values()].map((fact) => ({ fact, recorded_ms: 0 })) })
    const result = work(unit)
    const changes = unit.changes()
    const { feed } = unit.outbox
    return { ledger: this.#changed(changedRows(changes), this.#linesAfter(changes), [], feed), result }
  }

  /** Settles these open lines. */
  settled(lines: readonly QuarantineLine[], by: 'system' | 'person' = 'system'): MemoryLedger {
    const open = this.quarantine.filter((line) => !lines.includes(line))
    return this.#changed({}, open, by === 'person' ? lines : [])
  }

  #linesAfter({ quarantine, quarantineOnce, settledReports }: Changes): readonly QuarantineLine[] {
    if (quarantine.length + quarantineOnce.length + settledReports.length === 0) return this.quarantine
    const names =
      (line: QuarantineLine) =>
      ({ reason, transaction_uuid }: Pick<QuarantineLine, 'reason' | 'transaction_uuid'>): boolean =>
        reason === line.reason && transaction_uuid === line.transaction_uuid
    const open = this.quarantine.filter(
      (line) => !settledReports.some((settled) => names(line)(settled) && line.event.endsWith(settled.ending)),
    )
    const isTold = (line: QuarantineLine): boolean =>
      this.quarantine.filter(names(line)).some((other) => lineKey(other) === lineKey(line))
    const isOpen = (settled: (typeof settledReports)[number]): boolean =>
      this.quarantine.some((line) => names(line)(settled) && line.event.endsWith(settled.ending))
    const dismissed = settledReports.flatMap((settled) => {
      const { line, adjustedSinceMs } = settled.otherwise ?? {}
      return isOpen(settled) || line === undefined || adjustedSinceMs !== undefined ? [] : written(line)
    })
    const added = [...quarantine, ...quarantineOnce.filter((line) => !isTold(line)), ...dismissed]
    return open.length === this.quarantine.length && added.length === 0 ? this.quarantine : [...open, ...added]
  }

  #changed(
    rows: ChangedTables,
    lines: readonly QuarantineLine[],
    dismissed: readonly QuarantineLine[] = [],
    told: readonly FeedItem[] = [],
  ): MemoryLedger {
    const { tables, lines: linesBefore, dismissed: dismissedBefore, feed: feedBefore, sum } = this.#state
    const after: { -readonly [K in TableName]: Tables[K] } = { ...tables }
    let next = sum
    for (const name of TABLES) {
      const changed = rows[name]
      if (changed === undefined || changed.length === 0) continue
      next = this.#store(after, name, changed, next)
    }
    if (rows.withdrawals !== undefined) checkUnique(after.withdrawals)
    if (lines !== linesBefore) {
      for (const line of linesBefore) if (!lines.includes(line)) next = withContent(next, this.#contents.of(line), -1)
      for (const line of lines) if (!linesBefore.includes(line)) next = withContent(next, this.#contents.of(line), 1)
    }
    for (const line of dismissed) next = withContent(next, this.#contents.of({ dismissed: line }), 1)
    const all = dismissed.length === 0 ? dismissedBefore : [...dismissedBefore, ...dismissed]
    const feed = told.length === 0 ? feedBefore : [...feedBefore, ...told]
    return new MemoryLedger({ tables: after, lines, dismissed: all, feed, sum: next }, this.#contents)
  }

  /** @throws Error for a row that the database would refuse */
  #store<K extends TableName>(
    tables: { -readonly [T in TableName]: Tables[T] },
    name: K,
    rows: readonly Rows[K][],
    sum: Sum,
  ): Sum {
    const table = new Map<string, Rows[K]>(tables[name] as ReadonlyMap<string, Rows[K]>)
    let next = sum
    for (const row of rows) {
      const key = keyOf[name](row)
      const before = table.get(key)
      if (before !== undefined && NEW.has(name)) throw new Error(`${name} has ${key} already`)
      if (before !== undefined && KEPT.has(name)) continue
      if (before !== undefined) next = withContent(next, this.#contents.of(before), -1)
      next = withContent(next, this.#contents.of(row), 1)
      table.set(key, row)
    }
    tables[name] = table as never
    return next
  }
}
