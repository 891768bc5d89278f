/** PostgreSQL connections in lanes, so that no kind of work takes those of another. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { storeFaultOf } from './failures.ts'

/**
 * - `calls`: of the page and of the merchant's backend;
 * - `webhooks`: of the gateway; a user whose lock is held, and a burst of calls, take none of them;
 * - `jobs`: reconciliation, deliveries, retention, LISTEN;
 * - `commands`: migrations, and what an operator runs by hand. Without limits of time.
 */
export type Lane = 'calls' | 'webhooks' | 'jobs' | 'commands'

interface LaneLimits {
  /** Most connections of one instance. */
  readonly connections: number
  /** Waiting for a free connection, and opening one. */
  readonly connectMs: number
  /** Waiting for a lock that another transaction holds; 0 is for ever. */
  readonly lockMs: number
  /** PostgreSQL cancels a statement after it; 0 is never. */
  readonly statementMs: number
  /** Then the database counts as away: PostgreSQL would have cancelled the statement before. */
  readonly answerMs: number
}

/** docs/operating.md, "Database". */
export const LANES: Readonly<Record<Lane, LaneLimits>> = {
  calls: { connections: 10, connectMs: 5000, lockMs: 1500, statementMs: 10_000, answerMs: 12_000 },
  webhooks: { connections: 3, connectMs: 4000, lockMs: 500, statementMs: 4000, answerMs: 5000 },
  jobs: { connections: 6, connectMs: 10_000, lockMs: 2000, statementMs: 60_000, answerMs: 65_000 },
  commands: { connections: 2, connectMs: 10_000, lockMs: 0, statementMs: 0, answerMs: 0 },
}

/** How many connections of a database were lost. Those opened before the last loss are not used again. */
export interface Losses {
  count: number
}

type Types = NonNullable<pg.PoolConfig['types']>

export function openPool(url: string, lane: Lane, types: Types): pg.Pool {
  const { connections, connectMs, lockMs, statementMs, answerMs } = LANES[lane]
  const limits = `set lock_timeout = ${lockMs}; set statement_timeout = ${statementMs}`
  // The pool waits for the promise; its types do not say so.
  const setLimits = (client: pg.ClientBase): unknown => client.query(limits)
  const pool = new pg.Pool({
    connectionString: url,
    application_name: `cashier ${lane}`,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: answerMs,
    types,
    onConnect: setLimits,
  })
  // An idle connection that breaks must not end the process; the next query opens another.
  pool.on('error', () => undefined)
  // Nor one that breaks while it is used (its query fails) or while the ended pool still closes it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A connection that is known to be lost fails at once: a rollback would wait for its answer as long again. */
function laneClient(client: pg.PoolClient, losses: Losses): PostgresPoolClient {
  let lost: Error | null = null
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    if (lost !== null) throw lost
    try {
      return await client.query(text, [...values])
    } catch (error) {
      if (error instanceof Error && storeFaultOf(error) === 'away') {
        lost = error
        losses.count += 1
      }
      throw error
    }
  }
  // Rows are not streamed, so nobody gives a cursor instead of a text.
  return { query: query as PostgresPoolClient['query'], release: () => client.release(lost ?? undefined) }
}

/** What Kysely takes connections from. After a loss the older ones are replaced: what cut one has cut them all. */
export function lanePool(pool: pg.Pool, losses: Losses): PostgresPool {
  const openedAt = new WeakMap<object, number>()
  pool.on('connect', (client) => openedAt.set(client, losses.count))
  return {
    async connect() {
      for (;;) {
        const client = await pool.connect()
        if ((openedAt.get(client) ?? 0) === losses.count) return laneClient(client, losses)
        client.release(true)
      }
    },
    end: () => pool.end(),
  }
}
