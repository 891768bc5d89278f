import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { migrate } from './migrate.ts'
import type { Flavour } from './migrations/0001-initial.ts'
import { NodeSqliteDialect, openSqlite } from './node-sqlite-dialect.ts'
import type { Tables } from './schema.ts'

/** An open database of either kind. */
export interface Database {
  readonly flavour: Flavour
  readonly db: Kysely<Tables>
  /** Only on PostgreSQL: for LISTEN and advisory locks, and for the limiter that instances share. */
  readonly pool: pg.Pool | null
  /** Only SQLite: the file, or `:memory:`. */
  readonly file: string | null
  close(): Promise<void>
}

/** Sequence numbers and times fit a double exactly; amounts are text and never come here. */
const integer = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer out of range: ${text}`)
  return value
}

function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    types: {
      getTypeParser: (...[oid, format]: Parameters<typeof pg.types.getTypeParser>): unknown =>
        oid === pg.types.builtins.INT8 ? integer : (pg.types.getTypeParser(oid, format) as unknown),
    },
  })
  // An idle connection that breaks must not end the process; the next query opens another.
  pool.on('error', () => undefined)
  // Nor one that breaks while it is used (its query fails) or while the ended pool still closes it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { flavour: 'postgres', db, pool, file: null, close: () => db.destroy() }
}

function openFile(url: string): Database {
  const path = url.slice('file:'.length)
  if (path !== ':memory:') mkdirSync(dirname(resolve(path)), { recursive: true })
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openSqlite(path)) })
  return { flavour: 'sqlite', db, pool: null, file: path, close: () => db.destroy() }
}

/**
 * Opens the database that `DATABASE_URL` names (`file:path`, `postgres://…`) without touching its tables.
 * Throws if SQLite cannot open the file; PostgreSQL is connected at the first query.
 */
export const connectDatabase = (url: string): Database => (url.startsWith('file:') ? openFile(url) : openPostgres(url))

/** Opens the database and brings its tables up to date. */
export async function openDatabase(url: string): Promise<Database> {
  const database = connectDatabase(url)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
