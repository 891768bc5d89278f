import { sql, type Kysely } from 'kysely'

/** The gateway names a network's icon in records and events, not in its list of currencies. */
export async function addNetworkIcons(db: Kysely<never>): Promise<void> {
  await sql`alter table currencies add column network_icon text`.execute(db)
}
