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

type Value = string | number | bigint | null

/** As the only parameter of a statement: it is run for each row, and the rows that it returns are joined. */
export class RowBatch {
  readonly rows: readonly Value[][]

  constructor(rows: readonly Value[][]) {
    this.rows = rows
  }
}

interface Prepared {
  readonly statement: StatementSync
  /** Asked once: `columns()` makes an object for each column. */
  readonly returnsRows: boolean
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    if (this.#statements.size >= STATEMENT_CACHE) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const prepared = this.#prepare(query.sql)
    const { statement, returnsRows } = prepared
    const [batch] = query.parameters
    if (batch instanceof RowBatch) return { rows: this.#runBatch(prepared, batch) as R[] }
    const parameters = query.parameters as Value[]
    // SQLite's rows have no prototype, and React hands only plain objects on to the browser.
    if (returnsRows) return { rows: statement.all(...parameters).map((row) => ({ ...row })) as R[] }
    const { changes } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  #runBatch({ statement, returnsRows }: Prepared, { rows }: RowBatch): unknown[] {
    if (returnsRows) return rows.flatMap((row) => statement.all(...row))
    for (const row of rows) statement.run(...row)
    return []
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

/**
 * What a ledger needs: a write-ahead log, an fsync for each commit, a timeout for another writer. 16 MB of pages stay in
 * memory: 64 MB made no webhook cheaper. The log is written back every 40 MB, when a page that changed often is written
 * once.
 */
const PRAGMAS = [
  'busy_timeout = 5000',
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  'cache_size = -16384',
  'wal_autocheckpoint = 10000',
]

export function openSqlite(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  for (const pragma of PRAGMAS) db.exec(`pragma ${pragma}`)
  return db
}
