import type { SQLInputValue } from 'node:sqlite'
import { z } from 'zod'
import type { Database } from '../state/database.ts'
import { readTransaction } from '../state/transactions.ts'
import type { Transaction, TransactionType } from '../state/transactions.ts'
import type { Place } from './cursor.ts'
import type { Span } from './time-range.ts'

export interface Filter {
  readonly merchantId: string
  readonly userReference: string | null
  readonly types: readonly TransactionType[]
  readonly span: Span | null
}

/** `after` is the newer end and `before` the older end of what is wanted; `count` rows from one of the ends. */
export interface Window {
  readonly after: Place | null
  readonly before: Place | null
  readonly count: number
  readonly from: 'newest' | 'oldest'
}

export interface TransactionPage {
  /** Newest first, whichever way was paged. */
  readonly rows: readonly Transaction[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
  readonly total: number
}

interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

const older = (place: Place): Condition => ({
  sql: '(inserted_at, seq) < (?, ?)',
  values: [place.insertedAt, place.seq],
})
const newer = (place: Place): Condition => ({
  sql: '(inserted_at, seq) > (?, ?)',
  values: [place.insertedAt, place.seq],
})
const placeOfRow = (row: Transaction): Place => ({ insertedAt: row.inserted_at, seq: row.seq })

function conditions({ merchantId, userReference, types, span }: Filter): readonly Condition[] {
  return [
    { sql: 'merchant_id = ?', values: [merchantId] },
    ...(userReference === null ? [] : [{ sql: 'user_reference = ?', values: [userReference] }]),
    ...(types.length === 0 ? [] : [{ sql: `type IN (${types.map(() => '?').join(', ')})`, values: types }]),
    ...(span === null ? [] : [{ sql: 'inserted_at >= ? AND inserted_at < ?', values: [span.from, span.to] }]),
  ]
}

/** One page by the rules of cursor connections: cut by both cursors first, then count from one end. */
export function pageOfTransactions(database: Database, filter: Filter, window: Window): TransactionPage {
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
    hasNext: last ? exists([older(placeOfRow(last))]) : window.before !== null && exists([]),
    hasPrevious: first ? exists([newer(placeOfRow(first))]) : window.after !== null && exists([]),
    total: z.number().parse(query('count(*) AS total', [], '')[0]?.['total']),
  }
}
