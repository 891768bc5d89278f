import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createChangeListeners, type ChangeListeners } from './change-listeners.ts'
import { askOutcome, createCommitMarks, probeWrite } from './commit-outcome.ts'
import { connectTo, lanePool, openPool, OUTCOME_WITHIN_MS, type Lane, type LanesShared, type Losses } from './lanes.ts'
import { createLossWatch, type LossWatch } from './lost-commits.ts'
import { migrate, MIGRATIONS, type MigrationReports } from './migrate.ts'
import type { Flavour } from './migrations/0001-initial.ts'
import { checkPartitions } from './partitions.ts'
import { createCheckpoints, PAGES_AT_MOST } from './checkpoints.ts'
import { createPrivateFile } from './database-file.ts'
import { refuseForeignLog } from './foreign-log.ts'
import { NodeSqliteDialect, openSqlite } from './node-sqlite-dialect.ts'
import type { Tables } from './schema.ts'
import { schemaGuard, type SchemaGuard } from './schema-guard.ts'
import { serversOf } from './server-address.ts'
import { serverFacts, type ServerFacts } from './server-facts.ts'
import { statementNames } from './statement-names.ts'
import { countedIn, type WriteFailures } from './store-fault.ts'
import { writeGate } from './write-gate.ts'

/** An open database of either kind. */
export interface Database {
  readonly flavour: Flavour
  /** The lane `calls`. */
  readonly db: Kysely<Tables>
  /** SQLite has one connection, which all lanes share. */
  readonly lanes: Readonly<Record<Lane, Kysely<Tables>>>
  /** Only on PostgreSQL, in the lane `calls`: for advisory locks, and for the counts of calls that instances share. */
  readonly pool: pg.Pool | null
  /** Only on PostgreSQL, in the lane `jobs`: for LISTEN. */
  readonly signals: pg.Pool | null
  /** Only on SQLite: the file, or `:memory:`. */
  readonly file: string | null
  /** Calls back after each commit of this process that changed rows. */
  readonly onChange: ChangeListeners['on']
  /** Of all lanes. */
  readonly writeFailures: Readonly<WriteFailures>
  /** Armed by `openDatabase`. */
  readonly guard: SchemaGuard
  /**
   * Null for SQLite.
   * @throws NoSessionsError behind a pooler that is not in session mode
   */
  serverFacts(): Promise<ServerFacts | null>
  /** Null for SQLite, which answers each commit itself. */
  readonly lossWatch: LossWatch | null
  close(): Promise<void>
}

/** Converts sequence numbers and times, which fit a double exactly; amounts are text and never come here. */
const integer = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer out of range: ${text}`)
  return value
}

const types = {
  getTypeParser: (...[oid, format]: Parameters<typeof pg.types.getTypeParser>): unknown =>
    oid === pg.types.builtins.INT8 ? integer : (pg.types.getTypeParser(oid, format) as unknown),
}

function openPostgres(url: string): Database {
  const guard = schemaGuard()
  const losses: Losses = { count: 0 }
  const changes = createChangeListeners()
  const writeFailures: WriteFailures = { count: 0 }
  const servers = serversOf(url)
  const marks = createCommitMarks(randomUUID())
  // Their connections are not examined: one asks for outcomes, the other recovers what was lost, which may take long.
  const own = openPool(servers, 'webhooks', types)
  const recovery = openPool(servers, 'commands', types)
  const recoveryDb = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: recovery }) })
  const watch = createLossWatch(own, recoveryDb, marks, () => guard.standbyQuery !== null)
  const shared = {
    servers,
    losses,
    names: statementNames(),
    guard,
    onChange: changes.notify,
    onFailure: countedIn(writeFailures),
    marks,
    gate: writeGate(() => probeWrite(own, marks.instance, guard.standbyQuery)),
    examine: (client: pg.PoolClient) => watch.examine(client),
  }
  const open = (lane: Lane) => {
    const pool = openPool(servers, lane, types)
    const ask: LanesShared['ask'] = (commit) => askOutcome(own, commit, guard.standbyQuery, OUTCOME_WITHIN_MS[lane])
    const lanes = lanePool(pool, { ...shared, ask })
    return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lanes }) }) }
  }
  // Each lane opens a connection at its first use.
  const lanes = { calls: open('calls'), webhooks: open('webhooks'), jobs: open('jobs'), commands: open('commands') }
  return {
    flavour: 'postgres',
    db: lanes.calls.db,
    lanes: { calls: lanes.calls.db, webhooks: lanes.webhooks.db, jobs: lanes.jobs.db, commands: lanes.commands.db },
    pool: lanes.calls.pool,
    signals: lanes.jobs.pool,
    file: null,
    onChange: changes.on,
    writeFailures,
    guard,
    serverFacts: () => serverFacts(() => connectTo(lanes.commands.pool, servers)),
    lossWatch: watch,
    async close() {
      await Promise.all(Object.values(lanes).map(({ db }) => db.destroy()))
      await watch.end()
      await recoveryDb.destroy()
      // Kysely ends only the pools that it has used.
      await Promise.all([own, recovery].map(async (pool) => pool.ending || (await pool.end())))
      await Promise.all(Object.values(lanes).map(async ({ pool }) => pool.ending || (await pool.end())))
    },
  }
}

function openFile(url: string): Database {
  const path = url.slice('file:'.length)
  if (path !== ':memory:') {
    createPrivateFile(path)
    refuseForeignLog(path)
  }
  const guard = schemaGuard()
  const changes = createChangeListeners()
  const writeFailures: WriteFailures = { count: 0 }
  const opened = openSqlite(path)
  const checkpoints = path === ':memory:' ? null : createCheckpoints(path)
  if (checkpoints !== null) opened.exec(`pragma wal_autocheckpoint = ${PAGES_AT_MOST}`)
  const db = new Kysely<Tables>({
    dialect: new NodeSqliteDialect(opened, {
      guard,
      onChange(rows) {
        checkpoints?.changed(rows)
        changes.notify()
      },
      onFailure: countedIn(writeFailures),
    }),
  })
  return {
    flavour: 'sqlite',
    db,
    lanes: { calls: db, webhooks: db, jobs: db, commands: db },
    pool: null,
    signals: null,
    file: path,
    onChange: changes.on,
    writeFailures,
    guard,
    serverFacts: () => Promise.resolve(null),
    lossWatch: null,
    async close() {
      await checkpoints?.stop()
      await db.destroy()
    },
  }
}

/**
 * Opens the database at `DATABASE_URL` (`file:path`, `postgres://…`) without changing its tables.
 * @throws DatabaseFileError
 * @throws ForeignLogError
 * @throws if SQLite cannot open the file; PostgreSQL is connected at the first query
 */
export const connectDatabase = (url: string): Database => (url.startsWith('file:') ? openFile(url) : openPostgres(url))

export interface OpenOptions extends MigrationReports {
  /** PostgreSQL is written only while its commits wait for a standby. */
  readonly replicated?: boolean
  /** `DATABASE_PARTITIONS`, for the tables of an empty PostgreSQL; null: without, or as the tables are. */
  readonly partitions?: number | null
}

/**
 * Opens the database and brings its tables up to date. After a newer version has changed the tables, no writing
 * transaction begins, and after the first refused transaction nothing is read or written at all.
 * @throws PartitionsError if the tables have another number of partitions
 * @throws NoSessionsError as `serverFacts` does
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const database = connectDatabase(url)
  try {
    await database.serverFacts()
    const { commands } = database.lanes
    const partitions = database.flavour === 'postgres' ? (options.partitions ?? null) : null
    await migrate({ db: commands, flavour: database.flavour, partitions }, MIGRATIONS, options)
    await checkPartitions(commands, partitions)
    const replicated = options.replicated === true && database.flavour === 'postgres'
    database.guard.arm(MIGRATIONS.at(-1)?.name ?? '', replicated)
    database.lossWatch?.armMarks()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
