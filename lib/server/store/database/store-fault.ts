/** Classifies the errors of the database. */
import { DatabaseFileError } from './database-file.ts'
import { NewerSchemaError, NotReplicatedError, OtherBooksError } from './schema-guard.ts'

export type StoreFault =
  /**
   * The database is unreachable, does not answer, cannot write, or has a newer schema: the next call would fail too.
   */
  | 'away'
  /** Another transaction held a lock for longer than `lock_timeout`. */
  | 'locked'
  /** PostgreSQL aborted the transaction because of another one: the same work may be repeated at once. */
  | 'conflict'
  /** The database answers, but this statement took too long or failed with an internal error. */
  | 'failed'

const CONFLICTS = new Set(['40001', '40P01', '23505'])
const LOCK_TIMEOUT = '55P03'

/**
 * Node's and PostgreSQL's codes for a database that cannot be reached or cannot write, or whose pooler has mixed our
 * prepared statements with another's.
 */
const AWAY =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|08|53|57P|58|25006|25P03|26000|42P05|ERR_INVALID_STATE)/
const AWAY_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|driver has already been destroyed|Cannot use a pool after/

/** A cancelled statement (`statement_timeout`), and PostgreSQL's internal errors. */
const FAILED = /^(57014|XX)/

/** SQLite's result codes for a faulty statement: error, too big, constraint, mismatch, range. */
const STATEMENT_AT_FAULT = new Set([1, 18, 19, 20, 25])

/** PostgreSQL's code for a prepared statement whose table has a new column: after it is prepared again, it runs. */
const OUTDATED = '0A000'

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

export const isOutdatedStatement = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === OUTDATED && error.message.startsWith('cached plan')

const sqliteFaultOf = (error: Error): StoreFault | null =>
  'errcode' in error && typeof error.errcode === 'number' && STATEMENT_AT_FAULT.has(error.errcode & 0xff)
    ? null
    : 'away'

/** PostgreSQL: no space, a server or transaction that only reads. SQLite: an error of the disk, full, read-only. */
const FULL_OR_READ_ONLY = /^(53100|25006)/
const SQLITE_FULL_OR_READ_ONLY = new Set([8, 10, 13])

/** True if a small write may succeed, or a read does, and the database still is of no use. */
export function isFullOrReadOnly(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error && typeof error.errcode === 'number') return SQLITE_FULL_OR_READ_ONLY.has(error.errcode & 0xff)
  return FULL_OR_READ_ONLY.test(codeOf(error))
}

/** How many statements found the database full or read-only. */
export interface WriteFailures {
  count: number
}

/** Counts those errors of statements that say so. */
export const countedIn =
  (failures: WriteFailures) =>
  (error: unknown): void => {
    if (isFullOrReadOnly(error)) failures.count += 1
  }

/** Our own errors about a database that no call can use. */
const UNUSABLE = [DatabaseFileError, NewerSchemaError, NotReplicatedError, OtherBooksError]

/** Null if the work itself is at fault, or the error is not from the database. */
export function storeFaultOf(error: unknown): StoreFault | null {
  if (!(error instanceof Error)) return null
  if (UNUSABLE.some((kind) => error instanceof kind)) return 'away'
  const code = codeOf(error)
  if (code.startsWith('ERR_SQLITE')) return sqliteFaultOf(error)
  if (CONFLICTS.has(code) || isOutdatedStatement(error)) return 'conflict'
  if (code === LOCK_TIMEOUT) return 'locked'
  if (FAILED.test(code)) return 'failed'
  return AWAY.test(code) || AWAY_MESSAGE.test(error.message) ? 'away' : null
}

/** True if the database, not the query, is at fault: unreachable, full, read-only, broken, or too busy. */
export const isStoreFailure = (error: unknown): boolean =>
  storeFaultOf(error) !== null && !(error instanceof Error && codeOf(error) === '23505')
