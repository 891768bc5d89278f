import { sql, type Kysely } from 'kysely'
import type { Flavour } from './0001-initial.ts'

/**
 * All instances take the users to reconcile from one queue. Who is due is found by priority; what is open, unread or
 * recent is found without a scan of the table.
 */
const statements = (flavour: Flavour) => [
  'alter table users add column reconcile_priority integer not null default 3',
  'alter table users add column claimed_until_ms bigint',
  'alter table users add column check_after_ms bigint not null default 0',
  'alter table users add column unreadable_ms bigint',
  'drop index users_reconcile',
  'create index users_reconcile on users (reconcile_priority, reconcile_at_ms) where reconcile_at_ms is not null',
  'create index users_claimed on users (claimed_until_ms) where claimed_until_ms is not null',
  'create index users_unreadable on users (unreadable_ms) where unreadable_ms is not null',
  'create index users_seen on users (last_seen_ms, user_reference_id)',
  `create index transactions_open on transactions (user_reference_id, created_ms)
    where status in ('other', 'processing', 'awaiting_approval')`,
  `create index transactions_unconfirmed on transactions (user_reference_id, created_ms)
    where standing in ('unconfirmed', 'withheld')`,
  `create index withdrawals_open on withdrawals (user_reference_id, created_ms)
    where status in ('processing', 'awaiting_approval')`,
  'create table reconciliation (name text primary key, value bigint not null)',
  // What was open for over 30 days was no longer asked for.
  `update users set reconcile_priority = 1, reconcile_at_ms = coalesce(reconcile_at_ms,
      ${flavour === 'postgres' ? '(extract(epoch from now()) * 1000)::bigint' : 'unixepoch() * 1000'})
    where user_reference_id in (
      select user_reference_id from transactions where status in ('other', 'processing', 'awaiting_approval')
      union select user_reference_id from transactions where standing in ('unconfirmed', 'withheld')
      union select user_reference_id from withdrawals where status in ('processing', 'awaiting_approval'))`,
]

export async function addReconciliationQueue(db: Kysely<never>, flavour: Flavour): Promise<void> {
  for (const statement of statements(flavour)) await sql.raw(statement).execute(db)
}
