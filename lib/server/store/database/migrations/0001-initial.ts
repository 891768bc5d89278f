import { sql, type Kysely } from 'kysely'

/** Identity columns are spelled differently by the two databases. */
export type Flavour = 'sqlite' | 'postgres'

/** Column lists as SQL, the same for both databases but for the identity column. */
const tables = (flavour: Flavour): readonly string[] => {
  const identity =
    flavour === 'sqlite' ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key'
  return [
    `create table users (
      user_reference_id text primary key, known integer not null, created_ms bigint not null, stream_seq bigint not null default 0,
      stream_floor bigint not null default 0, last_seen_ms bigint not null, reconcile_at_ms bigint, reconciled_ms bigint)`,
    `create table currencies (
      id text primary key, currency_code text not null, name text not null, symbol text not null, network text not null,
      currency_icon text, listed integer not null, position integer not null, updated_ms bigint not null)`,
    `create table deposit_addresses (
      user_reference_id text not null, currency_id text not null, address text not null, currency text not null,
      network text not null, created_ms bigint not null, primary key (user_reference_id, currency_id))`,
    `create table sessions (
      id text primary key, user_reference_id text not null, flows text not null, locale text, theme text, tokens text,
      support_url text, country text, currency_ids text, return_url text, created_ms bigint not null,
      launched_ms bigint, last_used_ms bigint not null, ended_ms bigint)`,
    `create table launch_tokens (
      token_hash text primary key, session_id text not null, expires_ms bigint not null, used_ms bigint)`,
    `create table facts (
      kind text not null, transaction_uuid text not null, status text not null, source text not null,
      content text not null, recorded_ms bigint not null, primary key (kind, transaction_uuid, status))`,
    `create table transactions (
      kind text not null, transaction_uuid text not null, user_reference_id text, status text not null, amount text,
      currency_id text, currency_code text not null, network text not null, to_address text, from_address text,
      tx_hash text, tx_hash_key text, amount_usd text, payment_method text, provider_transaction_id text,
      from_amount text, from_currency text, correlation_key text, session_reference text, withdrawal_id text,
      onramp_session_id text, credited text not null default '0', occurred_at text not null, created_ms bigint not null,
      updated_ms bigint not null, primary key (kind, transaction_uuid))`,
    `create table records (
      user_reference_id text not null, transaction_uuid text not null, type text not null, status text not null,
      inserted_ms bigint not null, inserted_at text not null, cursor text not null,
      record text not null, seen_ms bigint not null,
      primary key (user_reference_id, transaction_uuid))`,
    `create table onramp_sessions (
      id text primary key, user_reference_id text not null, currency_id text not null, currency_code text not null,
      network text not null, amount text not null, fiat_currency text not null, country text not null,
      correlation_key text, link text, expires_at text, status text not null, transaction_uuid text,
      created_ms bigint not null, updated_ms bigint not null)`,
    `create table withdrawals (
      id text primary key, user_reference_id text not null, idempotency_key text not null, currency_id text not null,
      currency_code text not null, network text not null, amount text not null, wallet_address text not null,
      address_key text not null, amount_key text not null, status text not null, step text not null, driver text,
      funds text not null, requires_approval integer not null default 0, transaction_uuid text, failure text,
      failure_reason text, user_message text, declined_at_request integer not null default 0, record_status text, first_result text,
      created_ms bigint not null, called_ms bigint, call_ended_ms bigint, absent_scans integer not null default 0,
      checks integer not null default 0, next_check_ms bigint, checked_ms bigint, updated_ms bigint not null)`,
    `create table postings (
      id ${identity}, posting_key text not null unique, user_reference_id text not null, currency_id text not null,
      kind text not null, created_ms bigint not null, detail text)`,
    `create table entries (
      posting_key text not null, account text not null, user_reference_id text not null, currency_id text not null,
      amount text not null, primary key (posting_key, account))`,
    `create table balances (
      user_reference_id text not null, currency_id text not null, available text not null, held text not null,
      overdraft text, primary key (user_reference_id, currency_id))`,
    `create table webhooks (
      id text primary key, received_ms bigint not null, sent_s bigint not null, body text not null, outcome text not null)`,
    `create table quarantine (
      id ${identity}, reason text not null, received_ms bigint not null, event_name text, user_reference_id text,
      transaction_uuid text, event text not null)`,
    `create table stream_events (
      user_reference_id text not null, seq bigint not null, type text not null, data text not null,
      created_ms bigint not null, primary key (user_reference_id, seq))`,
    `create table merchant_events (
      cursor bigint primary key, entity text not null, data text not null, created_ms bigint not null)`,
    `create table counters (name text primary key, value bigint not null)`,
    `create table deliveries (
      cursor bigint primary key, entity text not null, state text not null, attempts integer not null,
      next_ms bigint not null, first_ms bigint, last_error text)`,
    `create table leases (name text primary key, holder text not null, expires_ms bigint not null)`,
  ]
}

/** One index for each query that a page or a job makes. */
const indexes = [
  'create index users_reconcile on users (reconcile_at_ms) where reconcile_at_ms is not null',
  'create index sessions_user on sessions (user_reference_id)',
  'create index sessions_ended on sessions (last_used_ms)',
  'create index launch_tokens_expires on launch_tokens (expires_ms)',
  'create index launch_tokens_session on launch_tokens (session_id)',
  'create index transactions_user on transactions (user_reference_id, created_ms)',
  'create index transactions_hash on transactions (user_reference_id, currency_id, tx_hash_key) where tx_hash_key is not null',
  'create index transactions_uuid on transactions (transaction_uuid)',
  'create index transactions_onramp on transactions (onramp_session_id) where onramp_session_id is not null',
  'create index transactions_correlation on transactions (correlation_key) where correlation_key is not null',
  'create index records_user on records (user_reference_id, inserted_ms)',
  'create index onramp_user on onramp_sessions (user_reference_id, created_ms)',
  'create index onramp_correlation on onramp_sessions (correlation_key) where correlation_key is not null',
  'create unique index withdrawals_key on withdrawals (user_reference_id, idempotency_key)',
  'create index withdrawals_user on withdrawals (user_reference_id, created_ms)',
  'create index withdrawals_match on withdrawals (user_reference_id, currency_id, amount_key, address_key)',
  'create index withdrawals_uuid on withdrawals (transaction_uuid) where transaction_uuid is not null',
  'create index withdrawals_next on withdrawals (next_check_ms) where next_check_ms is not null',
  "create index withdrawals_step on withdrawals (step) where step in ('authorizing', 'calling')",
  'create index entries_user on entries (user_reference_id, currency_id)',
  'create index webhooks_received on webhooks (received_ms)',
  'create index quarantine_user on quarantine (user_reference_id, reason)',
  'create index quarantine_reason on quarantine (reason)',
  'create index stream_events_created on stream_events (created_ms)',
  'create index merchant_events_created on merchant_events (created_ms)',
  "create index deliveries_due on deliveries (next_ms) where state = 'pending'",
  "create index deliveries_entity on deliveries (entity, cursor) where state = 'pending'",
  'create index deliveries_state on deliveries (state, cursor)',
]

export async function up(db: Kysely<never>, flavour: Flavour): Promise<void> {
  for (const statement of [...tables(flavour), ...indexes]) await sql.raw(statement).execute(db)
  await sql.raw("insert into counters (name, value) values ('merchant_events', 0)").execute(db)
}
