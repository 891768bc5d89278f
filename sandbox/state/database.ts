import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { SCHEMA, SCHEMA_VERSION, TABLES } from './schema.ts'

export type Row = Readonly<Record<string, unknown>>

/** A thin wrapper of SQLite. The values of rows are `unknown`; the modules of `state/` parse them. */
export interface Database {
  readonly all: (sql: string, ...values: readonly SQLInputValue[]) => readonly Row[]
  readonly one: (sql: string, ...values: readonly SQLInputValue[]) => Row | null
  /** Runs a statement; returns the number of changed rows and the id of the last inserted row. */
  readonly run: (sql: string, ...values: readonly SQLInputValue[]) => { changes: number; id: number }
  /** Runs `work` in a transaction; rolls back when it throws. Calls may be nested. */
  readonly atomically: <T>(work: () => T) => T
  readonly close: () => void
}

/** The state of another sandbox version is deleted, not migrated, because it is only test data. */
function prepareTables(connection: DatabaseSync): void {
  const version = connection.prepare('PRAGMA user_version').get()?.['user_version']
  if (version !== SCHEMA_VERSION) {
    for (const table of TABLES) connection.exec(`DROP TABLE IF EXISTS ${table}`)
  }
  connection.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}`)
}

/**
 * Opens the database at a path (or `:memory:`) and creates the tables.
 * WAL with `synchronous=NORMAL` survives a killed process; only a power failure may lose the last commits.
 */
export function openDatabase(path: string): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(path)
  connection.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=5000; PRAGMA foreign_keys=ON',
  )
  prepareTables(connection)
  const prepared = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql)
    if (known) return known
    const made = connection.prepare(sql)
    prepared.set(sql, made)
    return made
  }
  let depth = 0

  return {
    all: (sql, ...values) => statement(sql).all(...values),
    one: (sql, ...values) => statement(sql).get(...values) ?? null,
    run(sql, ...values) {
      const result = statement(sql).run(...values)
      return { changes: Number(result.changes), id: Number(result.lastInsertRowid) }
    },
    atomically(work) {
      if (depth > 0) return work()
      connection.exec('BEGIN IMMEDIATE')
      depth += 1
      try {
        const result = work()
        connection.exec('COMMIT')
        return result
      } catch (error) {
        connection.exec('ROLLBACK')
        throw error
      } finally {
        depth -= 1
      }
    },
    close: () => {
      connection.close()
    },
  }
}
