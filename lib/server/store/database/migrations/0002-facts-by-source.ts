import { sql, type Kysely } from 'kysely'

/**
 * Facts are kept by source, so that what a webhook said does not replace what the list said, and a transaction has a
 * standing. What was booked before counts as confirmed.
 */
const statements = [
  `create table facts_by_source (
    kind text not null, transaction_uuid text not null, status text not null, source text not null,
    content text not null, recorded_ms bigint not null, primary key (kind, transaction_uuid, status, source))`,
  `insert into facts_by_source (kind, transaction_uuid, status, source, content, recorded_ms)
    select kind, transaction_uuid, status, source, content, recorded_ms from facts`,
  'drop table facts',
  'alter table facts_by_source rename to facts',
  "alter table transactions add column standing text not null default 'confirmed'",
  // An empty key is none: it would make one transfer of all deposits that lack one.
  "update transactions set correlation_key = null where correlation_key = ''",
  'drop index transactions_correlation',
  `create index transactions_correlation on transactions (user_reference_id, currency_id, correlation_key)
    where correlation_key is not null`,
]

export async function factsBySource(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
