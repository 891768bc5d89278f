import { sql, type Kysely } from 'kysely'

/** The time zone comes with the launch; before, a cookie of its own kept it. */
export async function addTimeZone(db: Kysely<never>): Promise<void> {
  await sql`alter table sessions add column time_zone text`.execute(db)
}
