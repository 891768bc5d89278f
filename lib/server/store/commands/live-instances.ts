import { connectDatabase } from '../database/database.ts'
import { databaseTime } from '../database/database-time.ts'
import { INSTANCE_LEASE } from '../tables/leases.ts'

/** Counts the instances that have a current lease. Only reads, and works with every version of the tables. */
export async function countLiveInstances(url: string, clock: () => number): Promise<number> {
  const database = connectDatabase(url)
  const { db, flavour } = database
  try {
    const tables = await db.introspection.getTables()
    if (!tables.some(({ name }) => name === 'leases')) return 0
    const rows = await db
      .selectFrom('leases')
      .select('name')
      .where('name', 'like', `${INSTANCE_LEASE}%`)
      .where('expires_ms', '>', databaseTime(flavour, clock).now())
      .execute()
    return rows.length
  } finally {
    await database.close()
  }
}
