import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
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
import type { SchemaGuard } from './schema-guard.ts'

/** Prepared statements in the cache; most statements run many times. */
const STATEMENT_CACHE = 500

/** How long to wait while another program writes, and how often to try. */
const LOCK_WAIT_MS = 5000
const LOCK_RETRY_MS = 20

const SQLITE_BUSY = 5
const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === SQLITE_BUSY

type Value = string | number | bigint | Uint8Array | null

/**
 * The only parameter of a statement that runs once for each row; the returned rows are joined. `together`: the same
 * statement for `size` rows.
 */
export class RowBatch {
  readonly rows: readonly Value[][]
  readonly together: { readonly sql: string; readonly size: number } | null

  constructor(rows: readonly Value[][], together: RowBatch['together'] = null) {
    this.rows = rows
    this.together = together
  }
}

/** A statement that may change rows; it may return rows too. */
const WRITES = /^\s*(?:insert|update|delete|with\b[^]*\b(?:insert|update|delete))\b/i

interface Prepared {
  readonly statement: StatementSync
  readonly writes: boolean
  /** The names of the columns; null: the statement returns no rows. */
  readonly columns: readonly string[] | null
}

/**
 * A row as an object. SQLite's own objects have no prototype, which React does not pass to the browser, and cost three
 * times as much to make and copy.
 */
function rowOf(columns: readonly string[], values: readonly Value[]): Readonly<Record<string, Value>> {
  const row: Record<string, Value> = {}
  for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = values[at] ?? null
  return row
}

const namesOf = (statement: StatementSync): readonly string[] => statement.columns().map(({ name }) => name)

/** Gives the only connection to callers in order of request. A caller that waits for a file lock moves to the end. */
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

/** The connection that all callers share, with its prepared statements. */
class SharedConnection {
  readonly #db: DatabaseSync
  readonly #onChange: (rows: number) => void
  readonly #onFailure: (error: unknown) => void
  readonly #statements = new Map<string, Prepared>()
  /** Rows whose changes are not committed. */
  #changed = 0

  constructor(db: DatabaseSync, { onChange = () => undefined, onFailure = () => undefined }: SqliteOptions) {
    this.#db = db
    this.#onChange = onChange
    this.#onFailure = onFailure
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    const columns = namesOf(statement)
    const prepared = { statement, writes: WRITES.test(sql), columns: columns.length > 0 ? columns : null }
    if (this.#statements.size >= STATEMENT_CACHE) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }

  get isTransaction(): boolean {
    return this.#db.isTransaction
  }

  /** Reports that a statement has failed for good. */
  failed(error: unknown): void {
    this.#onFailure(error)
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    const prepared = this.#prepare(query.sql)
    const { rows, changes } = this.#run(prepared, query)
    if (prepared.writes) this.#changed += changes
    if (this.#changed > 0 && !this.#db.isTransaction) {
      const changed = this.#changed
      this.#changed = 0
      if (query.sql !== 'rollback') this.#onChange(changed)
    }
    return { rows: rows as R[], ...(prepared.columns === null && { numAffectedRows: BigInt(changes) }) }
  }

  /** Returns how many rows were changed: the conditions of a statement may leave a row as it is. */
  #runRows(statement: StatementSync, { rows, together }: RowBatch): number {
    let changes = 0
    let done = 0
    if (together !== null && rows.length >= together.size) {
      const several = this.#prepare(together.sql).statement
      for (; done + together.size <= rows.length; done += together.size)
        changes += Number(several.run(...rows.slice(done, done + together.size).flat()).changes)
    }
    for (const row of rows.slice(done)) changes += Number(statement.run(...row).changes)
    return changes
  }

  #run({ statement, columns }: Prepared, { parameters }: CompiledQuery): { rows: unknown[]; changes: number } {
    const [batch] = parameters
    if (columns === null) {
      if (batch instanceof RowBatch) return { rows: [], changes: this.#runRows(statement, batch) }
      return { rows: [], changes: Number(statement.run(...(parameters as Value[])).changes) }
    }
    // With `setReturnArrays` each row is an array, which the types do not say.
    const read = (values: readonly Value[]) => statement.all(...values) as unknown as readonly Value[][]
    const found = batch instanceof RowBatch ? batch.rows.flatMap(read) : read(parameters as Value[])
    // Another program may have added a column since.
    const names = (found[0]?.length ?? columns.length) === columns.length ? columns : namesOf(statement)
    const rows = found.map((values) => rowOf(names, values))
    return { rows, changes: rows.length }
  }
}

/**
 * The connection while one caller has it. While another program writes, the caller waits. SQLite's own wait would block
 * the whole process, including health checks; here others use the connection meanwhile, so reads continue. A
 * transaction that may write took the lock at its beginning, so nothing waits inside it.
 */
class NodeSqliteConnection implements DatabaseConnection {
  readonly #shared: SharedConnection
  readonly #turnstile: Turnstile
  /** All statements of this caller wait for it: none may run while others have the connection. */
  #pause: Promise<void> | null = null
  #inTransaction = false
  /** The first failed statement of the transaction. All others fail with its error, as on PostgreSQL. */
  #failed: { readonly error: unknown } | null = null

  constructor(shared: SharedConnection, turnstile: Turnstile) {
    this.#shared = shared
    this.#turnstile = turnstile
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const giveUp = performance.now() + LOCK_WAIT_MS
    for (;;) {
      if (this.#pause !== null) await this.#pause
      // With a full disk or an error of it SQLite has rolled the transaction back, and would commit this statement alone.
      if (this.#failed !== null) throw this.#failed.error
      try {
        return this.#shared.execute(query)
      } catch (error) {
        if (!isLocked(error) || !this.#mayRepeat(query) || performance.now() >= giveUp) {
          this.#shared.failed(error)
          if (this.#inTransaction) this.#failed ??= { error }
          throw error
        }
      }
      this.#pause ??= this.#giveWay()
    }
  }

  transactionBegan(): void {
    this.#inTransaction = true
    this.#failed = null
  }

  transactionEnded(): void {
    this.#inTransaction = false
  }

  /** What the work of the transaction still sends fails from now on. */
  rollBack(): void {
    this.#inTransaction = false
    this.#failed ??= { error: new Error('the transaction was rolled back') }
    if (this.#shared.isTransaction) this.#shared.execute(CompiledQuery.raw('rollback'))
  }

  /** A batch is not repeated, since some of its rows may be written already. */
  #mayRepeat({ parameters: [first] }: CompiledQuery): boolean {
    return !this.#shared.isTransaction && !(first instanceof RowBatch)
  }

  async #giveWay(): Promise<void> {
    this.#turnstile.leave()
    await sleep(LOCK_RETRY_MS)
    await this.#turnstile.enter()
    this.#pause = null
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed from SQLite: read pages')
  }
}

class NodeSqliteDriver implements Driver {
  readonly #db: DatabaseSync
  readonly #shared: SharedConnection
  readonly #turnstile = new Turnstile()
  readonly #guard: SchemaGuard | null

  constructor(db: DatabaseSync, options: SqliteOptions) {
    this.#db = db
    this.#guard = options.guard ?? null
    this.#shared = new SharedConnection(db, options)
  }

  init(): Promise<void> {
    // From here on this driver waits, not SQLite.
    this.#db.exec('pragma busy_timeout = 0')
    return Promise.resolve()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard?.assertCurrent()
    await this.#turnstile.enter()
    return new NodeSqliteConnection(this.#shared, this.#turnstile)
  }

  /** Takes the write lock at once: a transaction that reads first could not wait for the lock later. */
  async beginTransaction(connection: NodeSqliteConnection, { accessMode }: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'))
    connection.transactionBegan()
    if (accessMode !== 'read only') await this.#askGuard(connection)
  }

  async #askGuard(connection: NodeSqliteConnection): Promise<void> {
    const question = this.#guard?.query ?? null
    if (question === null) return
    try {
      const { rows } = await connection.executeQuery<{ name: string }>(CompiledQuery.raw(question))
      this.#guard?.check(rows)
    } catch (error) {
      // Kysely rolls back only transactions whose begin succeeded.
      await this.rollbackTransaction(connection)
      throw error
    }
  }

  async commitTransaction(connection: NodeSqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    connection.transactionEnded()
  }

  rollbackTransaction(connection: NodeSqliteConnection): Promise<void> {
    connection.rollBack()
    return Promise.resolve()
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

export interface SqliteOptions {
  /** Queried by each transaction that may write. */
  readonly guard?: SchemaGuard
  /** Called after each commit that changed rows, with their number. */
  readonly onChange?: (rows: number) => void
  /** Called with the error of each statement that failed. */
  readonly onFailure?: (error: unknown) => void
}

/** Callers wait for the connection at the turnstile, so Kysely may request several at a time. */
class WaitingSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Kysely on Node's own SQLite. */
export class NodeSqliteDialect implements Dialect {
  readonly #db: DatabaseSync
  readonly #options: SqliteOptions

  constructor(db: DatabaseSync, options: SqliteOptions = {}) {
    this.#db = db
    this.#options = options
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#db, this.#options)
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new WaitingSqliteAdapter()
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db)
  }
}

/**
 * Settings for a ledger: a write-ahead log, an fsync for each commit, and a timeout for another writer while the file
 * is opened. 4 MB of pages stay in memory: 16 and 64 MB made webhooks no faster. The log is written back every 40 MB, so
 * that a page with many changes is written once; a server does it in a thread (`checkpoints.ts`).
 */
const PRAGMAS = [
  'busy_timeout = 5000',
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  'cache_size = -4096',
  'wal_autocheckpoint = 10000',
]

export function openSqlite(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  for (const pragma of PRAGMAS) db.exec(`pragma ${pragma}`)
  return db
}
