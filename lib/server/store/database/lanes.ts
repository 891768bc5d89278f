/** PostgreSQL connections in lanes, so that one kind of work never uses the connections of another. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isRefusal, NotCommittedError, UnknownOutcomeError, WRITE_MARK } from './commit-outcome.ts'
import type { askOutcome, CommitMarks, MarkedCommit } from './commit-outcome.ts'
import { replicated, UnreplicatedError, wasWaitCancelled, watchReplication } from './replicated-commits.ts'
import type { SchemaGuard } from './schema-guard.ts'
import { withStartup, type Servers } from './server-address.ts'
import { storeFaultOf } from './store-fault.ts'
import type { StatementNames } from './statement-names.ts'
import type { WriteGate } from './write-gate.ts'

/**
 * - `calls`: from the page and the merchant's backend;
 * - `webhooks`: from the gateway; neither a locked user nor a burst of calls uses up these connections;
 * - `jobs`: reconciliation, deliveries, retention, LISTEN;
 * - `commands`: migrations, and the operator's commands. Statements and locks have no time limit.
 */
export type Lane = 'calls' | 'webhooks' | 'jobs' | 'commands'

interface LaneLimits {
  /** The most connections of one instance. */
  readonly connections: number
  /** The time limit for a free connection, and for opening a new one. */
  readonly connectMs: number
  /** The time limit for a lock that another transaction holds; 0 means none. */
  readonly lockMs: number
  /** PostgreSQL cancels a statement after this time; 0 means never. */
  readonly statementMs: number
  /** After this time the database counts as unreachable: PostgreSQL would have cancelled the statement earlier. */
  readonly answerMs: number
  /**
   * PostgreSQL ends a transaction that waits for its program for so long, and gives its locks back: the instance is frozen
   * or cut off, and the others must go on.
   */
  readonly idleMs: number
}

/**
 * For how long a lane waits for an answer. A call must have its answer before the gateway is called too late
 * (`cashier/withdrawal-call.ts`); the gateway sends a webhook again.
 */
export const OUTCOME_WITHIN_MS: Readonly<Record<Lane, number>> = {
  calls: 10_000,
  webhooks: 3000,
  jobs: 10_000,
  commands: 60_000,
}

/** docs/guides/operate.md, "Database". */
export const LANES: Readonly<Record<Lane, LaneLimits>> = {
  calls: { connections: 10, connectMs: 5000, lockMs: 1500, statementMs: 10_000, answerMs: 12_000, idleMs: 5000 },
  webhooks: { connections: 3, connectMs: 4000, lockMs: 500, statementMs: 4000, answerMs: 5000, idleMs: 5000 },
  jobs: { connections: 6, connectMs: 10_000, lockMs: 2000, statementMs: 60_000, answerMs: 65_000, idleMs: 5000 },
  commands: { connections: 2, connectMs: 10_000, lockMs: 0, statementMs: 0, answerMs: 0, idleMs: 60_000 },
}

/** After so long an idle connection asks whether the database is still there. */
const KEEP_ALIVE_AFTER_MS = 10_000

/**
 * How many connections to a database were lost. Connections that were opened before the last loss are not used again.
 */
export interface Losses {
  count: number
}

type Types = NonNullable<pg.PoolConfig['types']>

/** A server that only reads, where one that writes was asked for. */
class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError'
  /** PostgreSQL's own code for a write there. */
  readonly code = '25006'

  constructor() {
    super('the server only reads: it is a standby, or set to read-only')
  }
}

/**
 * The limits of a lane are in the startup packet. A pooler may refuse or ignore them, so the first query sets them too.
 * A commit waits at least for the disk, and for what the server waits for beside it, whatever the role or the database
 * is set to.
 */
export function openPool(servers: Servers, lane: Lane, types: Types): pg.Pool {
  const { connections, connectMs, lockMs, statementMs, answerMs, idleMs } = LANES[lane]
  const limits = {
    lock_timeout: String(lockMs),
    statement_timeout: String(statementMs),
    idle_in_transaction_session_timeout: String(idleMs),
  }
  // PostgreSQL closes a connection whose peer acknowledges nothing; over a Unix socket the setting has no effect.
  const peerLimit = { tcp_user_timeout: String(idleMs) }
  const settings = Object.entries({ ...limits, ...peerLimit }).map(
    ([name, ms]) => `set_config('${name}', '${ms}', false)`,
  )
  const settle = `select ${settings.join(', ')}, set_config('synchronous_commit',
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, false),
    set_config('client_min_messages', 'warning', false),
    current_setting('transaction_read_only') = 'on' as reads_only`
  const prepare = async (client: pg.ClientBase): Promise<void> => {
    const { rows } = await client.query<{ reads_only: boolean }>(settle)
    if (servers.address.writable && rows[0]?.reads_only === true) throw new ReadOnlyServerError()
  }
  const pool = new pg.Pool({
    application_name: `cashier ${lane}`,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    query_timeout: answerMs,
    pipeline: true,
    types,
    // The pool waits for the promise; its types do not show it.
    onConnect: (client): unknown => prepare(client),
  })
  // Read for each new connection.
  Object.defineProperty(pool.options, 'connectionString', {
    get: () =>
      servers.startupSettings
        ? withStartup(servers.current, limits, `-c tcp_user_timeout=${String(idleMs)}`)
        : servers.current,
  })
  // An idle connection that breaks must not end the process; the next query opens another one.
  pool.on('error', () => undefined)
  // The same holds while a connection is in use (its query fails) or is closed by the ended pool.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('connect', watchReplication)
  return pool
}

/** The state that all lanes of an instance share. */
export interface LanesShared {
  readonly servers: Servers
  readonly losses: Losses
  readonly names: StatementNames
  readonly guard: SchemaGuard
  /** Called after each commit that changed rows. */
  readonly onChange: () => void
  /** Called with the error of each statement that failed. */
  readonly onFailure: (error: unknown) => void
  readonly marks: CommitMarks
  readonly gate: WriteGate
  /** Asks, on another connection, for the outcome of a COMMIT whose answer was lost. */
  readonly ask: (commit: MarkedCommit) => ReturnType<typeof askOutcome>
  /** Called before the first use of a connection, and again until it returns true. */
  readonly examine: (client: pg.PoolClient) => Promise<boolean>
}

/** What the driver says of an answer that does not come in time. */
const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'
/** A statement that may write and commits by itself, or begins a transaction that may write. */
const MAY_WRITE = /^\s*(begin$|insert|update|delete|with\b[^]*\b(insert into|update|delete from)\b)/

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE'])

/**
 * A lost connection fails at once: otherwise a rollback would wait for an answer a second time. Statements with
 * parameters are prepared under a name. If a migration has outdated a prepared statement, it runs again, but not inside
 * a transaction. A transaction that may write begins with the guard's query, in the same message, and ends with its mark
 * if it changed rows: so a COMMIT whose answer is lost, or which has not reached its standby, has an outcome all the same.
 */
function laneClient(client: pg.PoolClient, shared: LanesShared): PostgresPoolClient {
  const { losses, names, onChange, onFailure, guard, marks, gate, ask } = shared
  let lost: Error | null = null
  let inTransaction = false
  let changed = false
  /** Whether the transaction ends with a mark although it has changed nothing: so what it read is confirmed. */
  let confirms = false
  const begin = async (question: string): Promise<pg.QueryResult> => {
    const [begun, newer] = (await client.query(`begin; ${question}`)) as unknown as [pg.QueryResult, pg.QueryResult]
    guard.check(newer.rows as { readonly name: string }[])
    return begun
  }
  const { stream } = client.connection
  const send = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    // Everything sent in one turn of the event loop goes out in one write.
    stream.cork()
    process.nextTick(() => {
      stream.uncork()
    })
    if (text === 'begin' && guard.query !== null) return begin(guard.query)
    const name = values.length > 0 ? names.nameOf(text) : undefined
    try {
      return await client.query({ text, values: [...values], ...(name !== undefined && { name }) })
    } catch (error) {
      if (!names.areOutdatedBy(error) || inTransaction) throw error
      return client.query(text, [...values])
    }
  }
  const lose = (error: Error): void => {
    lost = error
    losses.count += 1
  }
  const commit = async (marked: MarkedCommit): Promise<Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>> => {
    const mark = send(WRITE_MARK, marked.values)
    mark.catch(() => undefined)
    try {
      const committed = send('commit', [])
      const result = await replicated(
        client,
        committed,
        guard.standbyQuery === null ? null : send(guard.standbyQuery, []),
      )
      await mark
      marked.committed()
      gate.open()
      return result
    } catch (error) {
      if (!(error instanceof Error) || isRefusal(error)) {
        marked.failed()
        // If the mark was refused, COMMIT only says that the transaction is aborted.
        throw await mark.then(
          () => error,
          (cause: unknown) => cause,
        )
      }
      if (isSilence(error)) gate.close()
      const outcome = await ask(marked)
      // An unknown outcome keeps its mark for itself. The answer is a commit too.
      if (outcome === null) gate.close()
      else gate.open()
      if (outcome === null) throw new UnknownOutcomeError(error)
      if (outcome === 'not committed') {
        marked.failed()
        throw new NotCommittedError(error)
      }
      marked.committed()
      lose(error)
      return { command: 'COMMIT', rowCount: null, rows: [] }
    }
  }
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    if (lost !== null) throw lost
    if (gate.isClosed && !inTransaction && MAY_WRITE.test(text)) await gate.pass()
    try {
      const marked = text === 'commit' && (changed || confirms) ? marks.begin() : null
      const result = await (marked === null ? send(text, values) : commit(marked))
      if (marked === null && wasWaitCancelled(client)) throw new UnknownOutcomeError(new UnreplicatedError())
      if (/^(begin|start transaction)/.test(text)) inTransaction = true
      else if (text === 'commit' || text === 'rollback') inTransaction = false
      if (!inTransaction || text === 'begin') confirms = inTransaction && guard.standbyQuery !== null
      changed ||= CHANGES.has(result.command) && (result.rowCount ?? 0) > 0
      if (changed && !inTransaction) {
        changed = false
        if (text !== 'rollback') onChange()
      }
      return result
    } catch (error) {
      onFailure(error)
      if (isSilence(error) && !inTransaction && MAY_WRITE.test(text)) gate.close()
      if (error instanceof NotCommittedError || (error instanceof Error && storeFaultOf(error) === 'away')) {
        lose(error)
      } else if (text === 'begin' && error instanceof Error) {
        // The transaction may have begun, and nothing will roll it back.
        lost = error
      }
      throw error
    }
  }
  // Rows are not streamed, so the argument is never a cursor.
  return { query: query as PostgresPoolClient['query'], release: () => client.release(lost ?? undefined) }
}

const REFUSED_STARTUP = /startup parameter/
/** All connections of the pool are in use: no fault of the server. */
const POOL_IN_USE = 'timeout exceeded when trying to connect'

/** A connection to the first server that can be used, beginning with the one that worked last. */
export async function connectTo(pool: pg.Pool, servers: Servers): Promise<pg.PoolClient> {
  for (let left = servers.address.urls.length; ; left -= 1) {
    const { current, startupSettings } = servers
    try {
      return await pool.connect()
    } catch (error) {
      if (!(error instanceof Error) || error.message === POOL_IN_USE) throw error
      if (startupSettings && REFUSED_STARTUP.test(error.message)) {
        servers.startupSettings = false
        left += 1
        continue
      }
      servers.leave(current)
      if (left <= 1) throw error
    }
  }
}

/**
 * The pool for Kysely. After a loss the older connections are replaced: the same cause has probably cut all of them.
 */
export function lanePool(pool: pg.Pool, shared: LanesShared): PostgresPool {
  const { losses, guard, servers, examine } = shared
  const examined = new WeakSet<pg.PoolClient>()
  const examineOnce = async (client: pg.PoolClient): Promise<void> => {
    if (examined.has(client)) return
    try {
      if (await examine(client)) examined.add(client)
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  const openedAt = new WeakMap<object, number>()
  pool.on('connect', (client) => openedAt.set(client, losses.count))
  return {
    async connect() {
      for (;;) {
        guard.assertCurrent()
        const client = await connectTo(pool, servers)
        if ((openedAt.get(client) ?? 0) !== losses.count) {
          client.release(true)
          continue
        }
        await examineOnce(client)
        return laneClient(client, shared)
      }
    },
    end: () => pool.end(),
    options: pool.options,
  }
}
