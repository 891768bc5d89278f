/** Rows of the console's landing page and search, written by the database itself: 100,000 users, a million transactions. */
import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../lib/server/store/types.ts'

const DAYS = 90
const CURRENCIES = 20
const SLOT_MS = 900_000

/** What the rows of one transaction are found by. */
export interface KnownIds {
  readonly user: string
  readonly uuid: string
  readonly hash: string
  readonly withdrawal: string
  readonly address: string
  readonly onramp: string
  readonly key: string
  readonly session: string
  readonly depositAddress: string
  readonly request: string
}

/**
 * Returns the ids of a withdrawal, a purchase and a session in the middle.
 * @param transactions a multiple of 1000; a tenth as many users
 */
export async function fillConsole(store: Store, nowMs: number, transactions: number): Promise<KnownIds> {
  const users = transactions / 10
  const { flavour } = store.database
  // Its statements may last.
  const db = store.database.lanes.commands
  const sqlite = flavour === 'sqlite'
  const numbers = (until: number): RawBuilder<unknown> =>
    sql.raw(
      sqlite
        ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${until}) select i from n) n`
        : `(select generate_series(1, ${until}::bigint) as i) n`,
    )
  const run = (text: string, until = transactions): Promise<unknown> =>
    sql`${sql.raw(text)} ${numbers(until)}`.execute(db)
  const from = (text: string): Promise<unknown> => sql.raw(text).execute(db)
  const uuid = sqlite
    ? `lower(substr(hex(randomblob(16)), 1, 8) || '-' || substr(hex(randomblob(2)), 1, 4) || '-4000-8000-' || substr(hex(randomblob(6)), 1, 12))`
    : 'gen_random_uuid()::text'
  const ms = `${nowMs - DAYS * 86_400_000} + i * ${Math.floor((DAYS * 86_400_000) / transactions)}`
  const user = `'player-' || (i * 7919 % ${users})`

  await from('create table bench_ids (i bigint primary key, uuid text, other text)')
  await run(`insert into bench_ids select i, ${uuid}, ${uuid} from`)
  await run(
    `insert into users (user_reference_id, known, created_ms, last_seen_ms, totals_ms)
      select 'player-' || (i - 1), 1, 1, i, case when i % 10 = 0 then null else 1 end from`,
    users,
  )
  await run(
    `insert into currencies (id, currency_code, name, symbol, network, listed, position, updated_ms)
      select 'c' || i, 'C' || i, 'C' || i, 'C' || i, 'Ethereum', 1, i, 1 from`,
    CURRENCIES,
  )
  const kind = "case when i % 10 = 0 then 'payout' when i % 10 = 1 then 'onramp' else 'deposit' end"
  await from(`insert into transactions (kind, transaction_uuid, user_reference_id, status, amount, currency_id,
      currency_code, network, tx_hash, tx_hash_key, to_address, correlation_key, withdrawal_id, onramp_session_id,
      occurred_at, created_ms, updated_ms, standing, postings)
    select ${kind}, uuid, ${user}, 'succeeded', (i % 5000) || '.5', 'c' || (i % ${CURRENCIES} + 1),
      'C' || (i % ${CURRENCIES} + 1), 'Ethereum', replace(uuid || other, '-', ''), replace(uuid || other, '-', ''),
      '0x' || substr(replace(other || uuid, '-', ''), 1, 40),
      case when i % 10 = 1 then 'key-' || other end, case when i % 10 = 0 then other end,
      case when i % 10 = 1 then other end, '', ${ms}, ${ms}, 'confirmed', 0 from bench_ids`)
  await from(`insert into row_users select uuid, ${kind}, ${user} from bench_ids`)
  await from(`insert into row_users select uuid, 'withdrawal', ${user} from bench_ids where i % 10 = 0`)
  await from(`insert into row_users select uuid, 'paid', ${user} from bench_ids where i % 10 = 0`)
  await from(`insert into row_users select other, 'session', ${user} from bench_ids where i % 10 = 1`)
  await from(`insert into row_users select 'key-' || other, 'key', ${user} from bench_ids where i % 10 = 1`)
  const state = (unknown: string, failed: string, other: string): string =>
    `case when i % 5000 = 0 then ${unknown} when i % 900 = 0 then ${failed} else ${other} end`
  await from(`insert into withdrawals (id, user_reference_id, idempotency_key, currency_id, currency_code, network,
      amount, wallet_address, status, step, funds, transaction_uuid, failure, next_check_ms, created_ms, called_ms,
      call_ended_ms, updated_ms)
    select other, ${user}, 'key-' || i, 'c1', 'C1', 'Ethereum', (i % 5000) || '.5',
      '0x' || substr(replace(other || uuid, '-', ''), 1, 40), ${state("'unknown'", "'failed'", "'succeeded'")}, 'ended',
      'none', ${state('null', 'null', 'uuid')}, ${state('null', "'refused'", 'null')},
      case when i % 5000 = 0 then 1 end, ${ms}, ${ms}, ${ms}, ${ms} from bench_ids where i % 10 = 0`)
  await from(`insert into payouts (transaction_uuid, user_reference_id, currency_id, currency_code, network, amount,
      inexact, to_address, status, first_seen_ms, updated_ms, owner)
    select uuid, ${user}, 'c1', 'C1', 'Ethereum', (i % 5000) || '.5',
      0, '0x' || substr(replace(other || uuid, '-', ''), 1, 40), 'succeeded', ${ms}, ${ms},
      case when i % 1000 = 0 then null else 'acknowledged' end from bench_ids where i % 10 = 0`)
  await from(`insert into onramp_sessions (id, user_reference_id, currency_id, currency_code, network, amount,
      fiat_currency, country, correlation_key, expires_at, status, transaction_uuid, created_ms, updated_ms)
    select other, ${user}, 'c1', 'C1', 'Ethereum', '5', 'EUR', 'DE', 'key-' || other, '', 'succeeded', uuid, ${ms}, ${ms}
    from bench_ids where i % 10 = 1`)
  await from(`insert into sessions (id, user_reference_id, flows, created_ms, last_used_ms)
    select other, ${user}, '["deposit"]', ${ms}, ${ms} from bench_ids where i % 10 = 2`)
  await from(`insert into deposit_addresses (user_reference_id, currency_id, address, currency, network, created_ms)
    select ${user}, 'c1', '0x' || substr(replace(uuid || other, '-', ''), 1, 40), 'C1', 'Ethereum', ${ms}
    from bench_ids where i <= ${users}`)
  await from(`insert into request_effects select 'request-' || other, 'withdrawal', other, ${user}, ${ms}
    from bench_ids where i % 10 = 0`)
  for (const currency of [1, 2, 3]) {
    await run(
      `insert into balances select 'player-' || (i - 1), 'c${currency}', (i % 100) || '.000000000000000001', '1', null from`,
      users,
    )
    await run(
      `insert into control_totals select 'player-' || (i - 1), 'c${currency}', (i % 100) || '.5', (i % 100) || '.5', '0',
        '[]', 1 from`,
      users,
    )
  }
  await run(
    `insert into quarantine (reason, received_ms, user_reference_id, transaction_uuid, event, settled_ms)
      select case i % 5 when 0 then 'stale' when 1 then 'unknown_user' when 2 then 'overdue' when 3 then 'implausible'
        else 'conflict' end, i, 'player-' || i, 'uuid-' || i, '{}', case when i % 5 = 1 or i % 100 = 0 then null else 1 end from`,
    users,
  )
  await run(
    `insert into merchant_events (cursor, entity, data, created_ms, for_delivery)
      select i, 'deposit:' || i, '{}', ${ms}, 1 from`,
  )
  await run(
    `insert into deliveries (cursor, entity, state, attempts, next_ms, first_ms)
      select i, 'deposit:' || i, case when i % 10 = 0 then 'dead' else 'pending' end, 3, 1, i from`,
    users / 5,
  )
  await from(`update counters set value = ${transactions} where name = 'merchant_events'`)
  await from(`insert into reconciliation values ('tallied', ${transactions})`)
  await run(`insert into webhooks (received_ms, sent_s, body, outcome) select ${ms}, 1, '{}', 'applied' from`)
  const today = Math.floor(nowMs / SLOT_MS) * SLOT_MS
  for (const counted of ['deposit', 'payout', 'onramp'])
    for (let currency = 1; currency <= CURRENCIES; currency += 1)
      await run(
        `insert into tallies select ${today} - i * ${SLOT_MS}, '${counted}', 'C${currency}', 'Ethereum', i, i || '.5' from`,
        DAYS * 96,
      )
  const { rows } = await sql<KnownIds>`
    select ${sql.raw(user.replaceAll('i ', 'w.i '))} as user, w.uuid, replace(w.uuid || w.other, '-', '') as hash,
      w.other as withdrawal, '0x' || substr(replace(w.other || w.uuid, '-', ''), 1, 40) as address, o.other as onramp,
      'key-' || o.other as key, s.other as session, '0x' || substr(replace(d.uuid || d.other, '-', ''), 1, 40) as
      "depositAddress", 'request-' || w.other as request
    from bench_ids w, bench_ids o, bench_ids s, bench_ids d
    where w.i = ${transactions / 2 + 10} and o.i = ${transactions / 2 + 1} and s.i = ${transactions / 2 + 2}
      and d.i = ${users / 2 + 3}`.execute(db)
  await from('drop table bench_ids')
  await from(sqlite ? 'pragma wal_checkpoint(truncate)' : 'vacuum analyze')
  const [ids] = rows
  if (ids === undefined) throw new Error('the rows were not written')
  return ids
}
