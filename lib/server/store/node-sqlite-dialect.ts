import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'

/** Prepared statements in the cache; most statements run again and again. */
const STATEMENT_CACHE = 500

class NodeSqliteConnection implements DatabaseConnection {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    if (this.#statements.size >= STATEMENT_CACHE) this.#statements.clear()
    this.#statements.set(sql, statement)
    return statement
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(query.sql)
    const parameters = query.parameters as (string | number | bigint | null)[]
    // SQLite's rows have no prototype, and React hands only plain objects on to the browser.
    if (statement.columns().length > 0) return { rows: statement.all(...parameters).map((row) => ({ ...row })) as R[] }
    const { changes } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed from SQLite: read pages')
  }
}

/** One connection, given to callers in the order of their requests. */
class Turnstile {
  #tail: Promise<void> = Promise.resolve()
  #open: () => void = () => undefined

  async enter(): Promise<void> {
    const before = this.#tail
    let open: () => void = () => undefined
    this.#tail = new Promise((resolve) => {
      open = resolve
    })
    await before
    this.#open = open
  }

  leave(): void {
    this.#open()
  }
}

class NodeSqliteDriver implements Driver {
  readonly #db: DatabaseSync
  readonly #connection: NodeSqliteConnection
  readonly #turnstile = new Turnstile()

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#connection = new NodeSqliteConnection(db)
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turnstile.enter()
    return this.#connection
  }

  /** Takes the write lock at once: a reader that becomes a writer later could not wait for it. */
  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#db.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint "${name}"`))
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to "${name}"`))
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release "${name}"`))
  }

  releaseConnection(): Promise<void> {
    this.#turnstile.leave()
    return Promise.resolve()
  }

  destroy(): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
    return Promise.resolve()
  }
}

/** Kysely on Node's own SQLite. */
export class NodeSqliteDialect implements Dialect {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#db)
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new SqliteAdapter()
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db)
  }
}

/** Opens the file with what a ledger needs: a write-ahead log, an fsync for each commit, a timeout for another writer. */
export function openSqlite(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  db.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  return db
}
