/**
 * All tables. Until a version is published, this migration is edited in place. After that it is never changed: each
 * change is a new migration.
 */
import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { AUDIT_GUARD } from '../audit-guard.ts'

/** The two databases have different syntax for identity columns, and different keys for some tables. */
export type Flavour = 'sqlite' | 'postgres'

/** A number that the database gives; `primaryKey` of PostgreSQL has it after the user. */
const NUMBER: Readonly<Record<Flavour, string>> = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'bigserial not null',
}

/**
 * The tables that grow with each user: their rows are found by the user first. On PostgreSQL they may have hash
 * partitions (`DATABASE_PARTITIONS`), so each primary key and unique index has the user, no row changes its user in
 * place, and no statement joins the rows of two users. `row_users` makes names unique over all users.
 */
export const TABLES_BY_USER = [
  'transactions',
  'records',
  'onramp_sessions',
  'withdrawals',
  'withdrawal_calls',
  'postings',
  'balances',
  'payouts',
  'control_totals',
  'quarantine',
  'stream_events',
] as const

/**
 * Tables with random keys, or with numbers. PostgreSQL uses the key as the primary key. SQLite appends the rows and has
 * a narrow unique index: with the key as primary key each new row would change another page of whole rows, and these
 * pages would be most of the data that a commit writes.
 */
const KEYS = {
  stream_events: 'user_reference_id, seq',
  transactions: 'user_reference_id, transaction_uuid, kind',
  postings: 'user_reference_id, id',
  quarantine: 'user_reference_id, id',
} as const

/** The tables of `ledger/withdrawal-shapes.ts`: which columns of a withdrawal its step and status allow. */
const FITS_ITS_STEP = [
  "step in ('authorizing', 'pending', 'calling', 'ended')",
  "status in ('pending_authorization', 'processing', 'awaiting_approval', 'unknown', 'succeeded', 'failed')",
  "(status = 'pending_authorization') = (step in ('authorizing', 'pending'))",
  "(status = 'failed') = (failure is not null)",
  "(status = 'unknown') = (next_check_ms is not null)",
  "(step = 'ended' or (step = 'calling') = (called_ms is not null))",
  "(step = 'ended' and called_ms is not null) = (call_ended_ms is not null)",
  "(driver is null or step in ('authorizing', 'calling'))",
  "(early_decision is null or step in ('authorizing', 'pending'))",
  "((review is null and wait_until_ms is null) or step <> 'authorizing')",
  "(first_result is null or step <> 'authorizing')",
  "(failure_reason is null or status = 'failed')",
  "(overdue_ms is null or status not in ('succeeded', 'failed'))",
  `(called_ms is not null
    or (status in ('pending_authorization', 'failed') and transaction_uuid is null
      and (resolution is null or status = 'failed')))`,
  `(call_ended_ms is not null or (status <> 'unknown' and clock_offset_ms is null and checked_ms is null
    and reply_amount is null and reply_transaction_uuid is null))`,
  "(transaction_uuid is not null or (status <> 'succeeded' and record_status is null and paid_amount is null))",
  "(status <> 'unknown' or (record_status is null and paid_amount is null))",
]

/** Each named constraint is an invariant of `ledger/invariant.ts` (`broken-constraint.ts`). */
const tables = (flavour: Flavour): readonly string[] => {
  const number = NUMBER[flavour]
  // SQLite's own row number, so that the table needs no index for it.
  const rowNumber = flavour === 'sqlite' ? 'integer' : 'bigint'
  const bytes = flavour === 'sqlite' ? 'blob' : 'bytea'
  const primaryKey = (table: keyof typeof KEYS): string =>
    flavour === 'postgres' ? `, primary key (${KEYS[table]})` : ''
  return [
    `create table users (
      user_reference_id text primary key, known integer not null, created_ms bigint not null,
      stream_seq bigint not null default 0, stream_floor bigint not null default 0, last_seen_ms bigint not null,
      reconcile_at_ms bigint, reconciled_ms bigint, reconcile_priority integer not null default 3,
      claimed_until_ms bigint, check_after_ms bigint not null default 0, unreadable_ms bigint, whole_ms bigint,
      totals_ms bigint, cleared_ms bigint, incomplete_ms bigint, incomplete_reads integer not null default 0,
      list_told_ms bigint)`,
    `create table currencies (
      id text primary key, currency_code text not null, name text not null, symbol text not null, network text not null,
      currency_icon text, listed integer not null, position integer not null, updated_ms bigint not null,
      network_icon text, listed_as text)`,
    `create table deposit_addresses (
      user_reference_id text not null, currency_id text not null, address text not null, currency text not null,
      network text not null, created_ms bigint not null, primary key (user_reference_id, currency_id))`,
    `create table address_notes (
      user_reference_id text not null, address_id text not null, name text, forgotten_ms bigint,
      updated_ms bigint not null, primary key (user_reference_id, address_id))`,
    `create table sessions (
      id text primary key, user_reference_id text not null, flows text not null, locale text, theme text, tokens text,
      support_url text, country text, currency_ids text, return_url text, created_ms bigint not null,
      launched_ms bigint, last_used_ms bigint not null, ended_ms bigint, account_label text, metadata text,
      own_wallet integer not null default 0, time_zone text, merchant_name text)`,
    `create table launch_tokens (
      token_hash text primary key, session_id text not null, expires_ms bigint not null, used_ms bigint)`,
    `create table merchant_keys (
      id text primary key, name text not null, name_key text not null unique, scopes text not null,
      key_hash text not null unique, shown text not null, created_ms bigint not null, created_by text not null,
      last_used_ms bigint, revoked_ms bigint, revoked_by text)`,
    `create table unplaced_facts (
      kind text not null, transaction_uuid text not null, facts text not null, primary key (transaction_uuid, kind))`,
    `create table transactions (
      kind text not null, transaction_uuid text not null, user_reference_id text not null, status text not null,
      amount text, currency_id text, currency_code text not null, network text not null, to_address text,
      from_address text,
      tx_hash text, tx_hash_key text, amount_usd text, payment_method text, provider_transaction_id text,
      from_amount text, from_currency text, correlation_key text, session_reference text, withdrawal_id text,
      onramp_session_id text, credited text not null default '0', occurred_at text not null, created_ms bigint not null,
      updated_ms bigint not null, standing text not null, postings bigint not null,
      deposit_uuid text, overdue_ms bigint, vanished_ms bigint, facts text not null default '[]'${primaryKey('transactions')})`,
    `create table records (
      user_reference_id text not null, transaction_uuid text not null, type text not null, status text not null,
      inserted_ms bigint not null, inserted_at text not null, cursor text not null, record text not null,
      seen_ms bigint not null, primary key (user_reference_id, transaction_uuid))`,
    `create table list_scans (
      user_reference_id text primary key, purpose text not null, began_ms bigint not null, clock_offset_ms bigint,
      began_database_ms bigint, since_ms bigint, phase text not null, cursor text, rows_seen integer not null, fewest_total bigint,
      last_total bigint, fell integer not null, has_foreign integer not null, wanted bigint not null,
      passes integer not null, updated_ms bigint not null)`,
    `create table scanned_records (
      user_reference_id text not null, transaction_uuid text not null,
      primary key (user_reference_id, transaction_uuid))`,
    `create table onramp_sessions (
      id text not null, user_reference_id text not null, currency_id text not null, currency_code text not null,
      network text not null, amount text not null, fiat_currency text not null, country text not null,
      correlation_key text, link text, expires_at text, status text not null, transaction_uuid text, settled_uuid text,
      created_ms bigint not null, updated_ms bigint not null, metadata text, wallet_address text,
      primary key (user_reference_id, id))`,
    `create table withdrawals (
      id text not null, user_reference_id text not null, idempotency_key text not null, currency_id text not null,
      currency_code text not null, network text not null, amount text not null, wallet_address text not null,
      status text not null, step text not null, driver text,
      funds text not null, requires_approval integer not null default 0, transaction_uuid text, failure text,
      failure_reason text, user_message text, declined_at_request integer not null default 0, record_status text,
      first_result text, created_ms bigint not null, called_ms bigint, call_ended_ms bigint,
      absent_scans integer not null default 0, checks integer not null default 0, next_check_ms bigint,
      checked_ms bigint, updated_ms bigint not null, clock_offset_ms bigint, reply_amount text, early_decision text,
      resolution text, postings bigint not null default 0, paid_amount text,
      reply_transaction_uuid text, overdue_ms bigint, review text, wait_until_ms bigint, decided_by text,
      states text not null default '[]', primary key (user_reference_id, id),
      constraint fits_its_step check (${FITS_ITS_STEP.join(' and ')}))`,
    `create table withdrawal_calls (
      user_reference_id text not null, withdrawal_id text not null, purpose text not null, started_ms bigint not null,
      ended_ms bigint not null, status integer, fault text, request text, reply text,
      primary key (user_reference_id, withdrawal_id, purpose, started_ms))`,
    `create table postings (
      id ${number}, posting_key text not null, user_reference_id text not null, currency_id text not null,
      kind text not null, created_ms bigint not null, detail text, from_account text not null,
      to_account text not null, amount text not null${primaryKey('postings')},
      constraint amount_positive check (kind = 'adjustment' or (amount not like '-%' and amount <> '0')))`,
    `create table balances (
      user_reference_id text not null, currency_id text not null, available text not null, held text not null,
      overdraft text, primary key (user_reference_id, currency_id),
      constraint held_not_negative check (held not like '-%'),
      constraint overdraft_has_reason check (available not like '-%' or overdraft is not null))`,
    `create table payouts (
      transaction_uuid text not null, user_reference_id text not null, currency_id text not null,
      currency_code text not null, network text not null, amount text, inexact integer not null, to_address text,
      status text not null, inserted_ms bigint, inserted_at text, first_seen_ms bigint not null,
      updated_ms bigint not null, owner text, note text, awaits_list bigint not null default 0,
      unbooked bigint not null default 0, withdrawal_id text, primary key (user_reference_id, transaction_uuid),
      constraint owner_exists foreign key (user_reference_id, withdrawal_id)
        references withdrawals (user_reference_id, id) deferrable initially deferred,
      constraint owner_named check ((owner is not null and owner = 'withdrawal') = (withdrawal_id is not null)))`,
    `create table control_totals (
      user_reference_id text not null, currency_id text not null, gateway text not null, ledger text not null,
      difference text not null, transactions text not null, checked_ms bigint not null,
      primary key (user_reference_id, currency_id))`,
    `create table webhooks (
      id ${number}, received_ms bigint not null, sent_s bigint not null, body ${bytes} not null,
      outcome text not null, transaction_uuid text${flavour === 'postgres' ? ', primary key (id)' : ''})`,
    `create table quarantine (
      id ${number}, reason text not null, received_ms bigint not null, event_name text,
      user_reference_id text not null, transaction_uuid text, event text not null, settled_ms bigint, settled_by text,
      note text, records_seen text, release_ms bigint not null default 0${primaryKey('quarantine')})`,
    // SQLite: the rows are the index.
    `create table row_users (
      name text not null, kind text not null, user_reference_id text not null,
      primary key (name, kind))${flavour === 'sqlite' ? ' without rowid' : ''}`,
    `create table stream_events (
      user_reference_id text not null, seq bigint not null, type text not null, data text not null,
      created_ms bigint not null${primaryKey('stream_events')})`,
    `create table merchant_events (
      cursor ${rowNumber} primary key, entity text not null, data text not null, created_ms bigint not null,
      for_delivery integer not null default 1)`,
    `create table unnumbered_events (
      id ${flavour === 'sqlite' ? 'integer' : 'bigint generated always as identity'} primary key, entity text not null, data text not null,
      created_ms bigint not null, for_delivery integer not null)`,
    `create table counters (name text primary key, value bigint not null)`,
    `create table feed_epoch (name text primary key, epoch text not null)`,
    `create table deliveries (
      cursor bigint primary key, entity text not null, state text not null, attempts integer not null,
      next_ms bigint not null, first_ms bigint, last_error text, claim text)`,
    `create table delivery_attempts (
      id ${number}, cursor bigint, attempt integer not null, began_ms bigint not null, ended_ms bigint not null,
      outcome text not null, error text, webhook_id text not null, signature text not null, body text not null,
      reply_head text, reply_body text${flavour === 'postgres' ? ', primary key (id)' : ''})`,
    `create table delivery_views (
      token_hash text primary key, expires_ms bigint not null, used_ms bigint, session_hash text)`,
    `create table leases (name text primary key, holder text not null, expires_ms bigint not null)`,
    `create table reconciliation (name text primary key, value bigint not null)`,
    `create table measurements (
      currency_id text not null, measure text not null, meaning text not null, samples text not null,
      updated_ms bigint not null, primary key (currency_id, measure))`,
    `create table decision_proposals (
      id text primary key, kind text not null, subject text not null, user_reference_id text not null,
      content text not null, subject_state text not null, reason text not null, proposed_id text not null,
      proposed_name text not null, proposed_ms bigint not null, expires_ms bigint not null, decided_id text,
      decided_name text, decided_ms bigint, outcome text, detail text)`,
    `create table commit_marks (
      instance text not null, slot integer not null, value bigint not null, at_ms bigint not null,
      primary key (instance, slot))`,
    `create table instance_reports (
      instance text not null, what text not null, since_ms bigint not null, last_ms bigint not null,
      count bigint not null, detail text, primary key (instance, what))`,
    `create table tallies (
      slot_ms bigint not null, kind text not null, currency_code text not null, network text not null,
      count bigint not null, amount text not null, primary key (slot_ms, kind, currency_code, network))`,
    `create table tallied_events (
      entity text primary key, slot_ms bigint not null, currency_code text not null, network text not null,
      amount text not null)`,
    `create table book_totals (
      currency_id text primary key, available text not null, held text not null, gateway text not null,
      ledger text not null, differing bigint not null, taken_ms bigint not null)`,
    `create table request_effects (
      request_id text not null, kind text not null, name text not null, user_reference_id text not null,
      created_ms bigint not null, primary key (request_id, kind, name))`,
    `create table operators (
      id text primary key, name text not null, name_key text not null unique, role text not null,
      created_ms bigint not null, disabled_ms bigint)`,
    `create table operator_sessions (
      id text primary key, operator_id text not null, created_ms bigint not null, last_used_ms bigint not null,
      touched_ms bigint not null, ended_ms bigint)`,
    `create table operator_views (
      id text primary key, operator_id text not null, list text not null, name text not null, query text not null,
      created_ms bigint not null, unique (operator_id, list, name))`,
    `create table operator_passkeys (
      id text primary key, operator_id text not null, credential_id text not null unique, public_key text not null,
      counter bigint not null, transports text not null, name text not null, created_ms bigint not null,
      last_used_ms bigint not null, revoked_ms bigint)`,
    `create table operator_invitations (
      token_hash text primary key, operator_id text not null, created_ms bigint not null, expires_ms bigint not null)`,
    'create table operator_challenges (challenge text primary key, expires_ms bigint not null)',
    `create table audit_entries (
      seq ${rowNumber} primary key, at_ms bigint not null, operator_id text, operator_name text not null, action text not null,
      about_kind text, about_id text, user_reference_id text, reason text, detail text, salt text,
      personal_digest text not null, outcome text not null, begun_seq bigint, previous_hash text not null,
      hash text not null)`,
    `create table audit_head (id integer primary key, entries bigint not null, hash text not null, at_ms bigint not null)`,
  ]
}

/** An index for each query of a page or a job. */
const indexes = [
  'create index users_reconcile on users (reconcile_priority, reconcile_at_ms) where reconcile_at_ms is not null',
  'create index users_claimed on users (claimed_until_ms) where claimed_until_ms is not null',
  'create index users_unreadable on users (unreadable_ms) where unreadable_ms is not null',
  'create index users_incomplete on users (incomplete_ms) where incomplete_ms is not null',
  'create index users_seen on users (last_seen_ms, user_reference_id)',
  'create index users_totals on users (totals_ms) where reconcile_at_ms is null',
  // Whose list was never compared with the books, or not since a restore.
  'create index users_unchecked on users (user_reference_id) where totals_ms is null and cleared_ms is null',
  'create index deposit_addresses_address on deposit_addresses (lower(address))',
  'create index sessions_user on sessions (user_reference_id)',
  'create index sessions_ended on sessions (last_used_ms)',
  'create index launch_tokens_expires on launch_tokens (expires_ms)',
  'create index launch_tokens_session on launch_tokens (session_id)',
  'create index operator_sessions_used on operator_sessions (last_used_ms)',
  'create index operator_sessions_operator on operator_sessions (operator_id, last_used_ms)',
  // Without the currency: its id may have changed between a purchase and its deposit.
  // A search has no user: what it looks for comes first.
  'create index transactions_hash on transactions (tx_hash_key, user_reference_id) where tx_hash_key is not null',
  `create index transactions_correlation on transactions (correlation_key, user_reference_id)
    where correlation_key is not null`,
  `create index transactions_reference on transactions (session_reference)
    where session_reference is not null and onramp_session_id is null`,
  `create index transactions_onramp on transactions (user_reference_id, onramp_session_id)
    where onramp_session_id is not null`,
  `create index transactions_deposit on transactions (user_reference_id, deposit_uuid)
    where deposit_uuid is not null`,
  // A history reads the user's on-ramps, which may be few among many deposits.
  "create index transactions_onramps on transactions (user_reference_id, created_ms) where kind = 'onramp'",
  `create index transactions_open on transactions (user_reference_id, created_ms)
    where status in ('other', 'processing', 'awaiting_approval')`,
  `create index transactions_unconfirmed on transactions (user_reference_id, created_ms)
    where standing in ('unconfirmed', 'withheld')`,
  'create index transactions_vanished on transactions (user_reference_id) where vanished_ms is not null',
  // The console's lists, newest first (`lists/transactions-list.ts`).
  'create index transactions_created on transactions (created_ms, transaction_uuid, kind)',
  `create index transactions_attention on transactions (created_ms, transaction_uuid, kind)
    where overdue_ms is not null or vanished_ms is not null or standing = 'disputed'`,
  // What waits for the gateway (`ledger/overdue.ts`).
  `create index transactions_waiting on transactions (updated_ms)
    where (overdue_ms is null or overdue_ms <= updated_ms) and (withdrawal_id is null or standing = 'withheld')
    and standing <> 'before' and (user_reference_id <> '' or onramp_session_id is not null)
    and (status in ('other', 'processing', 'awaiting_approval') or standing in ('unconfirmed', 'withheld')
      or (kind = 'onramp' and status = 'succeeded' and deposit_uuid is null
          and (user_reference_id = '' or onramp_session_id is null or amount is null)))`,
  // Purchases that were reported: their deposits may come unnamed.
  `create index transactions_undelivered on transactions (user_reference_id, transaction_uuid)
    where kind = 'onramp' and overdue_ms is not null and deposit_uuid is null`,
  'create index list_scans_updated on list_scans (updated_ms)',
  'create index records_user on records (user_reference_id, inserted_ms)',
  // A record of an unknown type may be all that is known of a transaction.
  'create index records_uuid on records (transaction_uuid)',
  'create index onramp_user on onramp_sessions (user_reference_id, created_ms)',
  // The last key that a reply gave: it tells how the gateway names us.
  `create index onramp_replied on onramp_sessions (created_ms)
    where link is not null and correlation_key is not null`,
  `create index onramp_correlation on onramp_sessions (user_reference_id, correlation_key)
    where correlation_key is not null`,
  'create unique index withdrawals_key on withdrawals (user_reference_id, idempotency_key)',
  // Merchants name a withdrawal without its user.
  'create index withdrawals_id on withdrawals (id)',
  'create index withdrawals_user on withdrawals (user_reference_id, created_ms)',
  'create index withdrawals_created on withdrawals (created_ms, id)',
  'create index withdrawals_status on withdrawals (status, created_ms, id)',
  `create index withdrawals_open on withdrawals (user_reference_id, created_ms)
    where status in ('processing', 'awaiting_approval')`,
  // The withdrawals that may take a payout, or whose call is under way.
  `create index withdrawals_attempts on withdrawals (user_reference_id)
    where status <> 'succeeded' or step = 'calling'`,
  `create unique index withdrawals_uuid on withdrawals (user_reference_id, transaction_uuid)
    where transaction_uuid is not null`,
  'create index withdrawals_next on withdrawals (next_check_ms) where next_check_ms is not null',
  "create index withdrawals_step on withdrawals (step) where step in ('authorizing', 'calling')",
  `create index withdrawals_waiting on withdrawals (coalesce(call_ended_ms, called_ms))
    where overdue_ms is null and called_ms is not null and status in ('processing', 'awaiting_approval', 'unknown')`,
  // A person decides about them.
  "create index withdrawals_pending on withdrawals (created_ms) where step = 'pending'",
  'create index withdrawals_address on withdrawals (lower(wallet_address), created_ms)',
  `create index withdrawals_approved on withdrawals (wait_until_ms)
    where step = 'pending' and early_decision = 'approve'`,
  `create index withdrawals_caught on withdrawals (coalesce(wait_until_ms, created_ms))
    where step = 'pending' and review is not null and overdue_ms is null`,
  'create index withdrawals_overdue on withdrawals (user_reference_id) where overdue_ms is not null',
  'create index withdrawal_calls_started on withdrawal_calls (started_ms)',
  'create index payouts_user on payouts (user_reference_id, first_seen_ms)',
  'create index payouts_seen on payouts (first_seen_ms, transaction_uuid)',
  'create index payouts_to_own on payouts (first_seen_ms) where owner is null and awaits_list = 0',
  // Which a person is asked about if no list of the user's own shows them.
  'create index payouts_awaited on payouts (first_seen_ms) where owner is null and awaits_list = 1',
  'create index payouts_address on payouts (lower(to_address), first_seen_ms) where to_address is not null',
  // Those that nobody owns, and those of which a person said so.
  "create index payouts_open on payouts (user_reference_id) where owner is null or owner = 'acknowledged'",
  'create index payouts_unowned on payouts (first_seen_ms, transaction_uuid) where owner is null',
  'create index payouts_withdrawal on payouts (user_reference_id, withdrawal_id) where withdrawal_id is not null',
  'create unique index postings_once on postings (user_reference_id, posting_key)',
  'create index webhooks_received on webhooks (received_ms)',
  // One that was applied is found by the time of its fact: a new webhook needs no second index.
  "create index webhooks_about on webhooks (transaction_uuid, id) where outcome <> 'applied'",
  'create index quarantine_user on quarantine (user_reference_id, reason, id)',
  'create index quarantine_reason on quarantine (reason, id)',
  'create index quarantine_received on quarantine (received_ms)',
  'create index quarantine_about on quarantine (transaction_uuid, id)',
  'create index quarantine_open on quarantine (id) where settled_ms is null',
  'create index quarantine_open_reason on quarantine (reason, id) where settled_ms is null',
  'create index quarantine_release on quarantine (reason, release_ms, id) where settled_ms is null',
  'create index quarantine_settled on quarantine (settled_ms) where settled_ms is not null',
  'create index audit_at on audit_entries (at_ms, seq)',
  'create index audit_operator on audit_entries (operator_name, seq)',
  'create index audit_action on audit_entries (action, seq)',
  'create index audit_operator_action on audit_entries (operator_name, action, seq)',
  'create index audit_user on audit_entries (user_reference_id, seq, action, operator_name, begun_seq) where user_reference_id is not null',
  'create index audit_outcome on audit_entries (begun_seq) where begun_seq is not null',
  'create index audit_entries_about on audit_entries (about_id, seq, action, operator_name, begun_seq) where about_id is not null',
  'create index stream_events_created on stream_events (created_ms)',
  // Only outbound webhooks read the events of one transaction.
  'create index merchant_events_entity on merchant_events (entity, cursor) where for_delivery = 1',
  "create index deliveries_entity on deliveries (entity, cursor) where state = 'pending'",
  "create index deliveries_fresh on deliveries (next_ms, cursor) where state = 'pending' and attempts = 0",
  "create index deliveries_retry on deliveries (next_ms, cursor) where state = 'pending' and attempts > 0",
  // Not by state alone: SQLite does not know how many rows a state has, and preferred that index to a better one.
  "create index deliveries_waiting on deliveries (cursor) where state = 'pending' and attempts = 0",
  "create index deliveries_failing on deliveries (cursor) where state = 'pending' and attempts > 0",
  "create index deliveries_dead on deliveries (cursor) where state = 'dead'",
  // One at a time waits about a subject.
  'create unique index proposals_about on decision_proposals (kind, subject) where outcome is null',
  'create index proposals_waiting on decision_proposals (proposed_ms, id) where outcome is null',
  'create index proposals_expiry on decision_proposals (expires_ms)',
  'create index proposals_user on decision_proposals (user_reference_id)',
  'create index tallied_events_slot on tallied_events (slot_ms)',
  'create index request_effects_user on request_effects (user_reference_id)',
  'create index request_effects_created on request_effects (created_ms)',
  'create index delivery_attempts_event on delivery_attempts (cursor, id) where cursor is not null',
  // Without 2xx, so that a delivery that succeeds at once has no row here.
  "create index delivery_attempts_failed on delivery_attempts (outcome, cursor) where outcome >= '3' and cursor is not null",
  // Merchants name a delivery by its `webhook-id`.
  'create index delivery_attempts_webhook on delivery_attempts (webhook_id)',
  'create index delivery_attempts_test on delivery_attempts (id) where cursor is null',
  'create index delivery_views_expires on delivery_views (expires_ms)',
  'create unique index delivery_views_session on delivery_views (session_hash) where session_hash is not null',
]

/** SQLite finds a line of the quarantine by its number, which is also the number of the row. */
const SQLITE_INDEXES = Object.entries(KEYS)
  .filter(([table]) => table !== 'quarantine')
  .map(([table, columns]) => `create unique index ${table}_key on ${table} (${columns})`)

const POSTGRES_ONLY = [
  // Which reasons open lines have: without it the planner reads all of them for a reason that none has.
  'create statistics quarantine_open_reasons (mcv) on reason, settled_ms from quarantine',
  // Lists and persons name a line by its number alone.
  'create index quarantine_id on quarantine (id)',
  // For all instances together (`tables/call-counts.ts`); on SQLite the one instance counts by itself.
  'create unlogged table rate_limits (key text primary key, count integer not null, until_ms bigint not null)',
]

/**
 * Texts are compared by their bytes, as SQLite does: both databases sort alike, an index finds the texts that begin with
 * a part of an id, and no upgrade of the system's collations changes an index.
 */
const BY_BYTES = ' text collate "C"'
const byBytes = (statement: string): string => statement.replaceAll(/ text\b(?!\[)/g, BY_BYTES)

const isByUser = (table: string): boolean => (TABLES_BY_USER as readonly string[]).includes(table)

/** The same statement for a table with hash partitions, and the statements that make these. */
function partitioned(statement: string, partitions: number): readonly string[] {
  const table = /^create table (\w+)/.exec(statement)?.[1] ?? ''
  if (!isByUser(table)) return [statement]
  const parts = Array.from(
    { length: partitions },
    (_item, part) =>
      `create table ${table}_${part} partition of ${table} for values with (modulus ${partitions}, remainder ${part})`,
  )
  return [`${statement} partition by hash (user_reference_id)`, ...parts]
}

/**
 * What makes everything but the first rows.
 * @param partitions of PostgreSQL's tables by user; null: they have none
 */
export function statements(flavour: Flavour, partitions: number | null): readonly string[] {
  const made = flavour === 'postgres' ? tables(flavour).map(byBytes) : tables(flavour)
  const all = partitions === null ? made : made.flatMap((statement) => partitioned(statement, partitions))
  const own = flavour === 'sqlite' ? SQLITE_INDEXES : POSTGRES_ONLY
  return [...all, ...own, ...indexes, ...AUDIT_GUARD[flavour]]
}

/** @param partitions as of `statements` */
export async function up(db: Kysely<never>, flavour: Flavour, partitions: number | null): Promise<void> {
  for (const statement of statements(flavour, partitions)) await sql.raw(statement).execute(db)
  await sql.raw("insert into counters (name, value) values ('merchant_events', 0)").execute(db)
  await sql.raw("insert into audit_head (id, entries, hash, at_ms) values (1, 0, '', 0)").execute(db)
  await sql`insert into feed_epoch (name, epoch) values ('merchant_events', ${randomBytes(22).toString('hex')})`.execute(
    db,
  )
}
