import { sql, type Kysely } from 'kysely'
import type { Flavour } from './0001-initial.ts'

/**
 * A transaction or withdrawal counts its postings, so that each has a key of its own; hashes are compared without `0x`;
 * an on-ramp keeps the deposit that brought its coins.
 */
const columns = [
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
]

/** What is found by its key alone: SQLite keeps such a row in the key's own tree. */
const FACTS = 'kind, transaction_uuid, status, source, content, recorded_ms'
const STREAM = 'user_reference_id, seq, type, data, created_ms'
const TRANSACTIONS = `kind, transaction_uuid, user_reference_id, status, amount, currency_id, currency_code, network,
  to_address, from_address, tx_hash, tx_hash_key, amount_usd, payment_method, provider_transaction_id, from_amount,
  from_currency, correlation_key, session_reference, withdrawal_id, onramp_session_id, credited, occurred_at, created_ms,
  updated_ms, standing, postings, deposit_uuid`
const FEED = 'cursor, entity, data, created_ms'

const rebuilt = (table: string, columnList: string, definition: string): readonly string[] => [
  `create table ${table}_rebuilt (${definition}`,
  `insert into ${table}_rebuilt (${columnList}) select ${columnList} from ${table}`,
  `drop table ${table}`,
  `alter table ${table}_rebuilt rename to ${table}`,
]

const keysFor: Readonly<Record<Flavour, readonly string[]>> = {
  sqlite: [
    ...rebuilt(
      'facts',
      FACTS,
      `kind text not null, transaction_uuid text not null, status text not null, source text not null,
        content text not null, recorded_ms bigint not null,
        primary key (transaction_uuid, kind, status, source)) without rowid`,
    ),
    ...rebuilt(
      'stream_events',
      STREAM,
      `user_reference_id text not null, seq bigint not null, type text not null, data text not null,
        created_ms bigint not null, primary key (user_reference_id, seq)) without rowid`,
    ),
    ...rebuilt(
      'transactions',
      TRANSACTIONS,
      `kind text not null, transaction_uuid text not null, user_reference_id text, status text not null, amount text,
        currency_id text, currency_code text not null, network text not null, to_address text, from_address text,
        tx_hash text, tx_hash_key text, amount_usd text, payment_method text, provider_transaction_id text,
        from_amount text, from_currency text, correlation_key text, session_reference text, withdrawal_id text,
        onramp_session_id text, credited text not null default '0', occurred_at text not null, created_ms bigint not null,
        updated_ms bigint not null, standing text not null, postings bigint not null, deposit_uuid text,
        primary key (transaction_uuid, kind)) without rowid`,
    ),
    ...rebuilt(
      'merchant_events',
      FEED,
      'cursor integer primary key, entity text not null, data text not null, created_ms bigint not null)',
    ),
    'create index stream_events_created on stream_events (created_ms)',
    'create index merchant_events_created on merchant_events (created_ms)',
    'create index transactions_user on transactions (user_reference_id, created_ms)',
    'create index transactions_hash on transactions (user_reference_id, currency_id, tx_hash_key) where tx_hash_key is not null',
    'create index transactions_onramp on transactions (onramp_session_id) where onramp_session_id is not null',
    `create index transactions_correlation on transactions (user_reference_id, currency_id, correlation_key)
      where correlation_key is not null`,
  ],
  postgres: [
    'alter table facts drop constraint facts_by_source_pkey',
    'alter table facts add primary key (transaction_uuid, kind, status, source)',
    'alter table transactions drop constraint transactions_pkey',
    'alter table transactions add primary key (transaction_uuid, kind)',
    'drop index transactions_uuid',
  ],
}

/**
 * A posting has two entries of one amount, so it is one row: the entries follow from it. Amounts are canonical
 * decimals.
 */
const postings = [
  'alter table postings add column from_account text',
  'alter table postings add column to_account text',
  'alter table postings add column amount text',
  `update postings set
    from_account = (select account from entries e where e.posting_key = postings.posting_key and e.account = case postings.kind
      when 'credit' then 'gateway' when 'hold' then 'available' when 'release' then 'held' when 'payout' then 'held'
      when 'adjustment' then 'merchant' else 'available' end),
    to_account = (select account from entries e where e.posting_key = postings.posting_key and e.account = case postings.kind
      when 'reversal' then 'gateway' when 'hold' then 'held' when 'payout' then 'gateway'
      when 'late_payout' then 'gateway' else 'available' end)`,
  `update postings set amount =
    (select amount from entries e where e.posting_key = postings.posting_key and e.account = postings.to_account)`,
  'drop table entries',
]

const indexes = ['create index transactions_deposit on transactions (deposit_uuid) where deposit_uuid is not null']

export async function numberPostings(db: Kysely<never>, flavour: Flavour): Promise<void> {
  for (const statement of [...columns, ...keysFor[flavour], ...postings, ...indexes])
    await sql.raw(statement).execute(db)
}
