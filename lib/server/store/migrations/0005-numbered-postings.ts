import { sql, type Kysely } from 'kysely'

/**
 * A transaction or withdrawal counts its postings, so that each has a key of its own; hashes are compared without `0x`;
 * an on-ramp keeps the deposit that brought its coins.
 */
const statements = [
  'alter table transactions add column postings bigint not null default 0',
  'alter table transactions add column deposit_uuid text',
  'alter table withdrawals add column postings bigint not null default 0',
  `update transactions set postings =
    (select count(*) from postings p where p.posting_key in (
      'credit:' || transactions.kind || ':' || transactions.transaction_uuid,
      'reversal:' || transactions.kind || ':' || transactions.transaction_uuid))
    where kind <> 'payout'`,
  `update withdrawals set postings =
    (select count(*) from postings p where p.posting_key in (
      'hold:' || withdrawals.id, 'release:' || withdrawals.id, 'payout:' || withdrawals.id))`,
  "update transactions set tx_hash_key = substr(tx_hash_key, 3) where tx_hash_key like '0x%'",
  'create index transactions_deposit on transactions (deposit_uuid) where deposit_uuid is not null',
]

export async function numberPostings(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
