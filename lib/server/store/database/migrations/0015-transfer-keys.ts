import { sql, type Kysely } from 'kysely'

/** A purchase and its deposit are found by user and key: their currency may have got a new id in between. */
const statements = [
  'drop index transactions_hash',
  'create index transactions_hash on transactions (user_reference_id, tx_hash_key) where tx_hash_key is not null',
  'drop index transactions_correlation',
  `create index transactions_correlation on transactions (user_reference_id, correlation_key)
    where correlation_key is not null`,
]

export async function widenTransferKeys(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
