import { DatabaseSync } from 'node:sqlite'
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
import { RowBatch, SharedConnection, type StatementHooks } from './sqlite-statements.ts'

/** How long to wait while another program writes, and how often to try. */
const LOCK_WAIT_MS = 5000
const LOCK_RETRY_MS = 20

const SQLITE_BUSY = 5
const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === SQLITE_BUSY

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

export interface SqliteOptions extends StatementHooks {
  /** Queried by each transaction that may write. */
  readonly guard?: SchemaGuard
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
