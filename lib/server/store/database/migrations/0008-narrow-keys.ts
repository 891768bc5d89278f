import { sql, type Kysely } from 'kysely'
import type { Flavour } from './0001-initial.ts'

/** Rows in the order of their time. */
const rebuilt = (table: string, timeColumn: string, columns: string): readonly string[] => {
  const names = columns
    .split(',')
    .map((column) => column.trim().split(' ')[0] ?? '')
    .join(', ')
  return [
    `create table ${table}_rebuilt (${columns})`,
    `insert into ${table}_rebuilt (${names}) select ${names} from ${table} order by ${timeColumn}`,
    `drop table ${table}`,
    `alter table ${table}_rebuilt rename to ${table}`,
  ]
}

/**
 * SQLite: rows that have a random key are appended, and only a narrow index has the key. In a tree of whole rows each
 * new one changed a page of its own, and such pages were most of what a commit had to write.
 */
const sqlite: readonly string[] = [
  ...rebuilt(
    'facts',
    'recorded_ms',
    `kind text not null, transaction_uuid text not null, status text not null, source text not null,
      content text not null, recorded_ms bigint not null`,
  ),
  'create unique index facts_key on facts (transaction_uuid, kind, status, source)',
  ...rebuilt(
    'stream_events',
    'created_ms',
    `user_reference_id text not null, seq bigint not null, type text not null, data text not null,
      created_ms bigint not null`,
  ),
  'create unique index stream_events_key on stream_events (user_reference_id, seq)',
  'create index stream_events_created on stream_events (created_ms)',
  ...rebuilt(
    'transactions',
    'created_ms',
    `kind text not null, transaction_uuid text not null, user_reference_id text, status text not null, amount text,
      currency_id text, currency_code text not null, network text not null, to_address text, from_address text,
      tx_hash text, tx_hash_key text, amount_usd text, payment_method text, provider_transaction_id text,
      from_amount text, from_currency text, correlation_key text, session_reference text, withdrawal_id text,
      onramp_session_id text, credited text not null default '0', occurred_at text not null, created_ms bigint not null,
      updated_ms bigint not null, standing text not null, postings bigint not null, deposit_uuid text`,
  ),
  'create unique index transactions_key on transactions (transaction_uuid, kind)',
  'create index transactions_user on transactions (user_reference_id, created_ms)',
  `create index transactions_hash on transactions (user_reference_id, currency_id, tx_hash_key)
    where tx_hash_key is not null`,
  'create index transactions_onramp on transactions (onramp_session_id) where onramp_session_id is not null',
  `create index transactions_correlation on transactions (user_reference_id, currency_id, correlation_key)
    where correlation_key is not null`,
  'create index transactions_deposit on transactions (deposit_uuid) where deposit_uuid is not null',
  `create index transactions_open on transactions (user_reference_id, created_ms)
    where status in ('other', 'processing', 'awaiting_approval')`,
  `create index transactions_unconfirmed on transactions (user_reference_id, created_ms)
    where standing in ('unconfirmed', 'withheld')`,
]

/** Only outbound webhooks ask for the events of one transaction, so only theirs are in that index. */
const feed: readonly string[] = [
  'alter table merchant_events add column for_delivery integer not null default 1',
  'drop index merchant_events_entity',
  'create index merchant_events_entity on merchant_events (entity, cursor) where for_delivery = 1',
]

export async function narrowKeys(db: Kysely<never>, flavour: Flavour): Promise<void> {
  for (const statement of [...(flavour === 'sqlite' ? sqlite : []), ...feed]) await sql.raw(statement).execute(db)
}
