import { sql } from 'kysely'
import { connectDatabase, type Database } from '../database/database.ts'
import { databaseTime } from '../database/database-time.ts'
import { INSTANCE_LEASE } from '../tables/leases.ts'

export interface LiveInstances {
  readonly count: number
  /** Until the last of their leases ends, if none is renewed. */
  readonly forMs: number
}

/** The instances that have a current lease. Only reads, and works with every version of the tables. */
export async function liveInstancesOf({ db, flavour }: Database, clock: () => number): Promise<LiveInstances> {
  const now = databaseTime(flavour, clock).now()
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'leases')) return { count: 0, forMs: 0 }
  const rows = await db
    .selectFrom('leases')
    .select(sql<number>`expires_ms - ${now}`.as('left_ms'))
    .where('name', 'like', `${INSTANCE_LEASE}%`)
    .where('expires_ms', '>', now)
    .execute()
  return { count: rows.length, forMs: Math.max(0, ...rows.map(({ left_ms }) => left_ms)) }
}

/** The same for a database that this process has not opened. */
export async function findLiveInstances(url: string, clock: () => number): Promise<LiveInstances> {
  const database = connectDatabase(url)
  try {
    return await liveInstancesOf(database, clock)
  } finally {
    await database.close()
  }
}

/** Tells a person why a command does not run beside these instances; null if there are none. */
export const liveInstancesFault = (what: string, { count, forMs }: LiveInstances): string | null =>
  count === 0
    ? null
    : `Instances that run on ${what}: ${count}. Stop them first. An instance that was killed, or that ran when a backup was made, counts for up to ${Math.ceil(forMs / 1000)} s more.`
