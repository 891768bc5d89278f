import { sql, type Kysely } from 'kysely'

/** What a withdrawal remembers of its gateway's clock and reply, of the merchant's early decision, and of a person's. */
const statements = [
  'alter table withdrawals add column clock_offset_ms bigint',
  'alter table withdrawals add column reply_amount_key text',
  'alter table withdrawals add column early_decision text',
  'alter table withdrawals add column attention text',
  'alter table withdrawals add column resolution text',
  'create index withdrawals_reply on withdrawals (user_reference_id, currency_id, reply_amount_key, address_key) where reply_amount_key is not null',
  'create index withdrawals_attention on withdrawals (user_reference_id) where attention is not null',
  'create index withdrawals_created on withdrawals (created_ms, id)',
  'create index withdrawals_status on withdrawals (status, created_ms, id)',
]

export async function addUnmatchedPayouts(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
