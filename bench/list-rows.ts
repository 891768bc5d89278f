/** Rows of the console's lists, written by the database itself. */
import { sql } from 'kysely'
import type { Store } from '../lib/server/store/store.ts'

/** This user has a twentieth of all rows. */
export const HEAVY_USER = 'heavy'
const FIRST_MS = 1_600_000_000_000
const EVERY_MS = 1000
export const idOfRow = (row: number): string => `${(row * 7919) % 1_000_003}-${row}`
export const timeOfRow = (row: number): number => FIRST_MS + row * EVERY_MS

/** Writes `count` rows into the table of each list, and an attempt for each delivery. */
export async function fillLists(store: Store, count: number): Promise<void> {
  const { flavour, lanes } = store.database
  const db = lanes.commands
  const sqlite = flavour === 'sqlite'
  const numbers = sql.raw(
    sqlite
      ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${String(count)}) select i from n)`
      : `(select generate_series(1, ${String(count)}::bigint) as i)`,
  )
  const user = sql.raw(`case when i % 20 = 0 then '${HEAVY_USER}' else 'user-' || (i * 7919 % 50000) end`)
  // Ids in no order, as random ones are.
  const id = sql.raw(`(i * 7919 % 1000003) || '-' || i`)
  const ms = sql.raw(`${String(FIRST_MS)} + i * ${String(EVERY_MS)}`)
  const money = sql.raw(`case when i % 1000 = 1 then 'XMR' else 'USDT' end as currency_code,
    case when i % 1000 = 1 then 'Monero' else 'Tron' end as network, (i % 5000) || '.' || (i % 97) as amount`)
  await sql`insert into transactions (kind, transaction_uuid, user_reference_id, status, amount, currency_id,
      currency_code, network, occurred_at, created_ms, updated_ms, standing, postings, overdue_ms)
    select case when i % 3 = 0 then 'payout' else 'deposit' end, ${id}, ${user},
      case when i % 5000 = 0 then 'processing' when i % 90 = 0 then 'failed' else 'succeeded' end,
      amount, 'c1', currency_code, network, '', ${ms}, ${ms}, 'confirmed', 0,
      case when i % 10000 = 0 then 1 else null end
    from (select i, ${money} from ${numbers} n) m`.execute(db)
  await sql`insert into withdrawals (id, user_reference_id, idempotency_key, currency_id, currency_code, network, amount,
      wallet_address, status, step, funds, transaction_uuid, failure, next_check_ms, created_ms, called_ms,
      call_ended_ms, updated_ms, overdue_ms)
    select ${id}, ${user}, 'key-' || i, 'c1', currency_code, network, amount, 'address',
      case when i % 5000 = 0 then 'unknown' when i % 90 = 0 then 'failed' else 'succeeded' end, 'ended', 'none',
      case when i % 5000 = 0 or i % 90 = 0 then null else 'payout-' || i end,
      case when i % 5000 <> 0 and i % 90 = 0 then 'refused' else null end,
      case when i % 5000 = 0 then 1 else null end, ${ms}, ${ms}, ${ms}, ${ms},
      case when i % 10000 = 0 then 1 else null end
    from (select i, ${money} from ${numbers} n) m`.execute(db)
  await sql`insert into payouts (transaction_uuid, user_reference_id, currency_id, currency_code, network, amount, inexact,
      status, first_seen_ms, updated_ms, owner)
    select ${id}, ${user}, 'c1', currency_code, network, amount, 0, 'succeeded', ${ms}, ${ms},
      case when i % 2000 = 7 then null else 'acknowledged' end
    from (select i, ${money} from ${numbers} n) m`.execute(db)
  await sql`insert into quarantine (reason, received_ms, user_reference_id, event, settled_ms)
    select case i % 4 when 0 then 'stale' when 1 then 'unknown_user' when 2 then 'overdue' else 'conflict' end,
      ${ms}, ${user}, '{}', case when i % 100 = 3 then null else 1 end
    from ${numbers} n`.execute(db)
  const entity = sql.raw(`case when i % 3 = 0 then 'payout:' else 'deposit:' end || (i * 7919 % 1000003) || '-' || i`)
  await sql`insert into merchant_events (cursor, entity, data, created_ms)
    select i, ${entity}, '{"kind":"deposit","status":"succeeded","transaction_uuid":"' || ${id} || '","amount":"5",'
      || '"currency_code":"USDT","network":"Tron","user_reference_id":"' || ${user} || '"}', ${ms}
    from ${numbers} n`.execute(db)
  await sql`insert into deliveries (cursor, entity, state, attempts, next_ms, first_ms)
    select i, ${entity}, case when i % 400 = 0 then 'dead' else 'pending' end, case when i % 300 = 0 then 0 else 2 end, ${ms}, ${ms}
    from ${numbers} n where i % 100 = 0`.execute(db)
  await sql`insert into delivery_attempts (cursor, attempt, began_ms, ended_ms, outcome, webhook_id, signature, body)
    select i, 1, ${ms}, ${ms}, case when i % 100 = 0 then '503' when i % 50007 = 0 then 'timeout' else '204' end,
      'w' || i, 's', '{}'
    from ${numbers} n`.execute(db)
  await sql`insert into audit_entries (seq, at_ms, operator_name, action, about_kind, about_id, user_reference_id,
      personal_digest, outcome, begun_seq, previous_hash, hash)
    select i, ${ms}, case when i % 100000 = 4 then 'Rare' else 'Operator ' || (i % 7) end,
      case when i % 100000 = 3 then 'user.erase' when i % 5 = 0 then 'user.open' else 'list.open' end,
      'user', ${user}, ${user}, 'd', 'done', null, 'h', 'h'
    from ${numbers} n where i % 10 <> 1`.execute(db)
  // What became of an act is about nobody.
  await sql`insert into audit_entries (seq, at_ms, operator_name, action, personal_digest, outcome, begun_seq, previous_hash, hash)
    select i, ${ms}, 'Operator ' || (i % 7), 'user.open', 'd', 'done', i - 1, 'h', 'h'
    from ${numbers} n where i % 10 = 1 and i > 1`.execute(db)
  await sql.raw(sqlite ? 'pragma wal_checkpoint(truncate)' : 'vacuum analyze').execute(db)
}
