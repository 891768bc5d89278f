import { sql, type Kysely } from 'kysely'

/** What a merchant may say of a session, and its own data with a purchase. */
const statements = [
  'alter table sessions add column account_label text',
  'alter table sessions add column metadata text',
  'alter table sessions add column own_wallet integer not null default 0',
  'alter table onramp_sessions add column metadata text',
]

export async function addSessionDetails(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
