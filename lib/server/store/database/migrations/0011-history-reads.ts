import { sql, type Kysely } from 'kysely'

/** A history reads the on-ramps of a user's transactions, which may be few among many deposits. */
const statements = [
  "create index transactions_onramps on transactions (user_reference_id, created_ms) where kind = 'onramp'",
]

export async function indexOnramps(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
