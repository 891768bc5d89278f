import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'

/**
 * Due deliveries and events that may leave quarantine are read by an index that has little else. The feed has an epoch;
 * its cursors from before are plain numbers.
 */
const statements = [
  'drop index deliveries_due',
  "create index deliveries_fresh on deliveries (next_ms, cursor) where state = 'pending' and attempts = 0",
  "create index deliveries_retry on deliveries (next_ms, cursor) where state = 'pending' and attempts > 0",
  // By state alone it seemed better to SQLite, which knows nothing of how many rows a state has.
  'drop index deliveries_state',
  "create index deliveries_pending on deliveries (cursor) where state = 'pending'",
  "create index deliveries_dead on deliveries (cursor) where state = 'dead'",
  'alter table quarantine add column release_ms bigint not null default 0',
  'create index quarantine_release on quarantine (reason, release_ms, id) where settled_ms is null',
  'drop index quarantine_user',
  'create index quarantine_user on quarantine (user_reference_id, reason, id)',
  'create index merchant_events_entity on merchant_events (entity, cursor)',
  'create table feed_epoch (name text primary key, epoch text not null, plain_cursors integer not null)',
]

export async function boundReads(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  await sql`
    insert into feed_epoch (name, epoch, plain_cursors)
    select name, ${randomBytes(6).toString('hex')}, case when value > 0 then 1 else 0 end
    from counters where name = 'merchant_events'`.execute(db)
}
