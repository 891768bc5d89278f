/** What the start and the doctor ask a PostgreSQL server before they trust it. */
import type pg from 'pg'

/** Statements on one connection reach different connections of the server. */
export class NoSessionsError extends Error {
  override readonly name = 'NoSessionsError'
  /** What a person can do. */
  readonly fix = 'set `pool_mode = session` for this database in the pooler, or connect to PostgreSQL itself'

  constructor() {
    super(
      'the pooler of DATABASE_URL is not in session mode: it gives each transaction another connection, and the cashier needs prepared statements, settings and LISTEN of its own; set `pool_mode = session`, or connect to PostgreSQL itself',
    )
  }
}

export interface ServerFacts {
  /** False: a crash of the machine loses or breaks what was committed. */
  readonly fsync: boolean
  /** False: a crash of the machine may leave half-written pages. */
  readonly fullPageWrites: boolean
  /** Whether a commit waits for a standby. */
  readonly replicated: boolean
}

/** What may be lost in a crash of the server's machine by these settings, with the fix. */
export function durabilityFaults(
  { fsync, fullPageWrites, replicated }: ServerFacts,
  mustBeReplicated: boolean,
): readonly { readonly message: string; readonly fix: string }[] {
  const fix = (setting: string): string => `set \`${setting} = on\` in postgresql.conf`
  return [
    ...(fsync ? [] : [{ message: 'fsync is off: a crash of its machine loses booked payments', fix: fix('fsync') }]),
    ...(fullPageWrites
      ? []
      : [
          { message: 'full_page_writes is off: a crash of its machine may break tables', fix: fix('full_page_writes') },
        ]),
    ...(replicated || !mustBeReplicated
      ? []
      : [
          {
            message: 'DATABASE_REPLICATED is on, and there is no synchronous standby: nothing is written',
            fix: 'start a standby, and name it in synchronous_standby_names',
          },
        ]),
  ]
}

/** In session mode a small pool may let the second connection wait. */
const SECOND_CONNECTION_MS = 500

const PID = 'select pg_backend_pid() as pid'
const pidOf = ({ rows }: pg.QueryResult): number => (rows as { readonly pid: number }[])[0]?.pid ?? 0

const STATEMENT_MODE = /statement pooling mode/

type Connect = () => Promise<pg.PoolClient>

/** Whether another connection of ours, inside a transaction, is given or displaces the server's process `pid`. */
async function isShared(client: pg.PoolClient, pid: number, connect: Connect): Promise<boolean> {
  const other = await connect()
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), SECOND_CONNECTION_MS)
  try {
    const begun = other.query(`begin; ${PID}`) as unknown as Promise<pg.QueryResult[]>
    const answer = await Promise.race([begun, late])
    begun.catch(() => undefined)
    const last = answer?.at(-1)
    return last !== undefined && (pidOf(last) === pid || pidOf(await client.query(PID)) !== pid)
  } catch (error) {
    if (error instanceof Error && STATEMENT_MODE.test(error.message)) return true
    throw error
  } finally {
    clearTimeout(timer)
    other.release(true)
  }
}

const QUESTION = `select pg_backend_pid() as pid, current_setting('fsync') = 'on' as fsync,
  current_setting('full_page_writes') = 'on' as full_page_writes,
  current_setting('synchronous_standby_names') <> '' as replicated`

interface Answer {
  readonly pid: number
  readonly fsync: boolean
  readonly full_page_writes: boolean
  readonly replicated: boolean
}

/**
 * Asks the server. A pooler gives a client a number of its own in place of the server's process; only then a second
 * connection is needed.
 * @throws NoSessionsError behind a pooler that is not in session mode
 */
export async function serverFacts(connect: Connect): Promise<ServerFacts> {
  const client = await connect()
  try {
    const [answer] = (await client.query<Answer & pg.QueryResultRow>(QUESTION)).rows
    if (answer === undefined) throw new Error('PostgreSQL gave no answer')
    const { processID } = client as pg.PoolClient & { readonly processID: number | null }
    if (answer.pid !== processID && (await isShared(client, answer.pid, connect))) throw new NoSessionsError()
    return { fsync: answer.fsync, fullPageWrites: answer.full_page_writes, replicated: answer.replicated }
  } finally {
    client.release()
  }
}
