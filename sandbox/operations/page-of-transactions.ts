import type { SQLInputValue } from 'node:sqlite'
import { z } from 'zod'
import type { Database } from '../state/database.ts'
import { readTransaction } from '../state/transactions.ts'
import type { Transaction, TransactionType } from '../state/transactions.ts'
import type { CursorPosition } from './cursor.ts'
import type { TimeSpan } from './time-range.ts'

export interface Filter {
  readonly merchantId: string
  readonly userReference: string | null
  readonly types: readonly TransactionType[]
  readonly span: TimeSpan | null
}

/** Rows between `after` (the newer end) and `before` (the older end); `count` rows from one of the ends. */
export interface PageWindow {
  readonly after: CursorPosition | null
  readonly before: CursorPosition | null
  readonly count: number
  readonly from: 'newest' | 'oldest'
}

export interface TransactionPage {
  /** Newest first, for both directions. */
  readonly rows: readonly Transaction[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
  readonly total: number
}

interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

const older = (place: CursorPosition): Condition => ({
  sql: '(inserted_at, seq) < (?, ?)',
  values: [place.insertedAt, place.seq],
})
const newer = (place: CursorPosition): Condition => ({
  sql: '(inserted_at, seq) > (?, ?)',
  values: [place.insertedAt, place.seq],
})
const positionOf = (row: Transaction): CursorPosition => ({ insertedAt: row.inserted_at, seq: row.seq })

function conditions({ merchantId, userReference, types, span }: Filter): readonly Condition[] {
  return [
    { sql: 'merchant_id = ?', values: [merchantId] },
    ...(userReference === null ? [] : [{ sql: 'user_reference = ?', values: [userReference] }]),
    ...(types.length === 0 ? [] : [{ sql: `type IN (${types.map(() => '?').join(', ')})`, values: types }]),
    ...(span === null ? [] : [{ sql: 'inserted_at >= ? AND inserted_at < ?', values: [span.from, span.to] }]),
  ]
}

/** One page by the rules of cursor connections: apply both cursors, then count from one end. */
export function pageOfTransactions(database: Database, filter: Filter, window: PageWindow): TransactionPage {
  const filtered = conditions(filter)
  const query = (select: string, extra: readonly Condition[], tail: string, ...values: readonly SQLInputValue[]) => {
    const all = [...filtered, ...extra]
    const sql = `SELECT ${select} FROM transactions WHERE ${all.map((condition) => condition.sql).join(' AND ')} ${tail}`
    return database.all(sql, ...all.flatMap((condition) => condition.values), ...values)
  }
  const exists = (extra: readonly Condition[]): boolean => query('1', extra, 'LIMIT 1').length > 0

  const cut = [...(window.after ? [older(window.after)] : []), ...(window.before ? [newer(window.before)] : [])]
  const direction = window.from === 'newest' ? 'DESC' : 'ASC'
  const found = query('*', cut, `ORDER BY inserted_at ${direction}, seq ${direction} LIMIT ?`, window.count).map(
    readTransaction,
  )
  const rows = window.from === 'newest' ? found : found.toReversed()
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    rows,
    hasNext: last ? exists([older(positionOf(last))]) : window.before !== null && exists([]),
    hasPrevious: first ? exists([newer(positionOf(first))]) : window.after !== null && exists([]),
    total: z.number().parse(query('count(*) AS total', [], '')[0]?.['total']),
  }
}
