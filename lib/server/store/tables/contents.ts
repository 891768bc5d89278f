import { sql, type Kysely } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { missingObjects } from '../database/schema-objects.ts'
import type { Tables } from '../database/schema.ts'
import { FEED, FEED_FLOOR } from './feed-epoch.ts'
import { BOOKS } from './reconciliation-state.ts'
import { isSkippedAfter, isStreamBase, skippedAbove } from './unseen-numbers.ts'

/** The numbering of the merchant's feed, and the rows that it should have. */
export interface FeedContents {
  /** The last number that was given; null if its row is missing. */
  readonly counter: number | null
  /** The newest number that retention took from the feed. */
  readonly floor: number
  /** Numbers that were left out after `floor`. */
  readonly skipped: number
  /** Events after `floor`: those below it wait for their delivery alone. */
  readonly count: number
  readonly first: number | null
  readonly last: number | null
  /** The first number after an event that no event has. */
  readonly next: number | null
  readonly newestMs: number | null
  readonly hasEpoch: boolean
}

/** What `restore-check` knows of a database, besides its ledger. */
export interface Contents {
  readonly rows: ReadonlyMap<string, number>
  readonly feed: FeedContents
  readonly newestWebhookMs: number | null
  /** When the newest fact was recorded that a raw webhook brought at that time, and not quarantine later. */
  readonly newestWebhookFactMs: number | null
  /** When an instance last ran. */
  readonly aliveMs: number | null
  /** How many rows lack the rows that they were written with, by what they are. */
  readonly broken: readonly { readonly what: string; readonly count: number }[]
  /** The names of tables, keys, constraints, indexes and triggers that are missing. */
  readonly missingObjects: readonly string[]
}

/**
 * Rows that are written and deleted together with others. `rows` counts the rows that are alone, which `what` names.
 */
const RELATIONS: readonly { readonly what: string; readonly rows: string }[] = [
  { what: 'transactions without facts', rows: "transactions t where t.facts = '[]'" },
  {
    what: 'rows that lead to a transaction that is not there',
    rows: `row_users r where r.kind in ('deposit', 'payout', 'onramp') and not exists (
      select 1 from transactions t where t.user_reference_id = r.user_reference_id and t.kind = r.kind
        and t.transaction_uuid = r.name) and not exists (
      select 1 from unplaced_facts f where f.kind = r.kind and f.transaction_uuid = r.name)`,
  },
  {
    what: 'transactions without the row that leads to their user',
    rows: `transactions t where not exists (
      select 1 from row_users r where r.name = t.transaction_uuid and r.kind = t.kind
        and r.user_reference_id = t.user_reference_id)`,
  },
  {
    what: 'withdrawals whose transaction does not lead to their user',
    rows: `withdrawals w where w.transaction_uuid is not null and not exists (
      select 1 from row_users r where r.name = w.transaction_uuid and r.kind = 'withdrawal'
        and r.user_reference_id = w.user_reference_id)`,
  },
  {
    what: 'payouts without the row that leads to their user',
    rows: `payouts p where not exists (
      select 1 from row_users r where r.name = p.transaction_uuid and r.kind = 'paid'
        and r.user_reference_id = p.user_reference_id)`,
  },
  {
    what: 'rows that lead to a payout that is not there',
    rows: `row_users r where r.kind = 'paid' and not exists (
      select 1 from payouts p where p.user_reference_id = r.user_reference_id and p.transaction_uuid = r.name)`,
  },
  {
    what: 'rows that lead to a withdrawal that is not there',
    rows: `row_users r where r.kind = 'withdrawal' and not exists (
      select 1 from withdrawals w where w.user_reference_id = r.user_reference_id and w.transaction_uuid = r.name)`,
  },
  {
    what: 'purchase sessions without the row that leads to their user',
    rows: `onramp_sessions s where not exists (
      select 1 from row_users r where r.name = s.id and r.kind = 'session'
        and r.user_reference_id = s.user_reference_id)`,
  },
  {
    what: 'adjustments of erased users without the row that leads to them',
    rows: `postings p where p.posting_key like 'adjustment::%' and not exists (
      select 1 from row_users r where r.name = p.posting_key and r.kind = 'adjustment'
        and r.user_reference_id = p.user_reference_id)`,
  },
  {
    what: 'credited transactions without their postings',
    rows: `transactions t where (t.postings > 0 or t.credited <> '0') and not exists (
      select 1 from postings p where p.user_reference_id = t.user_reference_id
        and p.posting_key = 'credit:' || t.kind || ':' || t.transaction_uuid)`,
  },
  {
    what: 'withdrawals with funds, but without their postings',
    rows: `withdrawals w where (w.postings > 0 or w.funds <> 'none') and not exists (
      select 1 from postings p where p.user_reference_id = w.user_reference_id and p.posting_key = 'hold:' || w.id)`,
  },
  {
    what: 'postings of withdrawals without their withdrawal',
    rows: `postings p where p.posting_key like 'hold:%' and p.posting_key not like 'hold:%:%' and not exists (
      select 1 from withdrawals w
      where w.user_reference_id = p.user_reference_id and w.id = substr(p.posting_key, 6))`,
  },
  {
    what: 'calls about withdrawals without their withdrawal',
    rows: `withdrawal_calls c where not exists (
      select 1 from withdrawals w where w.user_reference_id = c.user_reference_id and w.id = c.withdrawal_id)`,
  },
  {
    what: 'transactions without the withdrawal that they name',
    rows: `transactions t where t.withdrawal_id is not null and not exists (
      select 1 from withdrawals w where w.user_reference_id = t.user_reference_id and w.id = t.withdrawal_id)`,
  },
  {
    what: 'payouts without the withdrawal that they name',
    rows: `payouts p where p.withdrawal_id is not null and not exists (
      select 1 from withdrawals w where w.user_reference_id = p.user_reference_id and w.id = p.withdrawal_id)`,
  },
  {
    what: 'payouts that nobody owns, without their line in quarantine',
    rows: `payouts p where p.owner is null and p.awaits_list = 0 and not exists (
      select 1 from quarantine q where q.transaction_uuid = p.transaction_uuid and q.reason = 'unmatched_payout'
        and q.settled_ms is null)`,
  },
  {
    what: 'transactions without the purchase session that they name',
    rows: `transactions t where t.onramp_session_id is not null and t.user_reference_id <> '' and not exists (
      select 1 from onramp_sessions s where s.user_reference_id = t.user_reference_id and s.id = t.onramp_session_id)`,
  },
  {
    // A payout may have got another user since.
    what: 'proposals without the withdrawal or payout that they are about',
    rows: `decision_proposals p where not exists (
        select 1 from withdrawals w where w.user_reference_id = p.user_reference_id and w.id = p.subject)
      and not exists (
        select 1 from row_users r join payouts o
          on o.user_reference_id = r.user_reference_id and o.transaction_uuid = r.name
        where r.name = p.subject and r.kind = 'paid')`,
  },
  {
    what: 'sessions without their user',
    rows: `sessions s where not exists (
      select 1 from users u where u.user_reference_id = s.user_reference_id)`,
  },
  {
    what: 'deposit addresses without their user',
    rows: `deposit_addresses d where not exists (
      select 1 from users u where u.user_reference_id = d.user_reference_id)`,
  },
  {
    what: 'notes about addresses without their user',
    rows: `address_notes n where not exists (
      select 1 from users u where u.user_reference_id = n.user_reference_id)`,
  },
  {
    what: 'stream events without their user, or after the last number of their stream',
    rows: `stream_events e where not exists (
      select 1 from users u where u.user_reference_id = e.user_reference_id and u.stream_seq >= e.seq)`,
  },
  {
    what: 'users whose stream lacks events',
    rows: `users u where exists (
      select 1 from stream_events e where e.user_reference_id = u.user_reference_id
        and e.seq - 1 <> u.stream_floor and not ${isStreamBase('e.seq - 1')} and not exists (
          select 1 from stream_events b where b.user_reference_id = e.user_reference_id and b.seq = e.seq - 1))
      or (u.stream_seq <> u.stream_floor and not exists (
        select 1 from stream_events e where e.user_reference_id = u.user_reference_id and e.seq = u.stream_seq))`,
  },
  {
    what: 'deliveries without their event',
    rows: 'deliveries d where not exists (select 1 from merchant_events e where e.cursor = d.cursor)',
  },
  {
    what: 'ends of the audit log that count other entries',
    rows: 'audit_head h where h.entries <> (select count(*) from audit_entries)',
  },
  {
    what: 'attempts of deliveries without their event',
    rows: `delivery_attempts a where a.cursor is not null and not exists (
      select 1 from merchant_events e where e.cursor = a.cursor)`,
  },
  {
    // An erased user's records are deleted, and a record in another user's list is that list's.
    what: 'transactions of the list without their record',
    rows: `transactions t where t.user_reference_id <> '' and t.facts like '%"source":"reconciliation"%'
      and t.facts not like '%"erased":true%' and t.facts not like '%"misplaced":true%' and not exists (
        select 1 from records r where r.user_reference_id = t.user_reference_id
          and r.transaction_uuid = t.transaction_uuid)`,
  },
  {
    // A line about differences that have gone stands under a longer key.
    what: 'differences of control totals in quarantine without their totals',
    rows: `quarantine q where q.reason = 'totals_differ' and q.settled_ms is null
      and q.transaction_uuid not like '% gone' and not exists (
        select 1 from control_totals c where c.user_reference_id = q.user_reference_id
          and q.transaction_uuid = c.user_reference_id || ' ' || c.currency_id)`,
  },
  {
    // By a day: the clocks of the database and of an instance may differ.
    what: 'compared users with bookings, although there are no control totals',
    rows: `users u where not exists (select 1 from control_totals)
      and exists (select 1 from reconciliation b where b.name = 'books' and b.value = ${BOOKS.embedded})
      and exists (
        select 1 from postings p where p.user_reference_id = u.user_reference_id
          and 'gateway' in (p.from_account, p.to_account) and p.created_ms < u.totals_ms - 86400000)`,
  },
  {
    // A line outlives the event that it is about.
    what: 'webhooks that were not applied, although quarantine is empty',
    rows: `webhooks w where w.outcome not in ('applied', 'seen', 'list_conflict', 'contradiction')
      and not exists (select 1 from quarantine)`,
  },
  {
    // A later start would take another time, and what came in before it would be booked nowhere.
    what: 'users, although the start of the ledger is missing',
    rows: `users u where not exists (select 1 from reconciliation s where s.name = 'ledger_start')`,
  },
  {
    what: 'deposit addresses, although there are no currencies',
    rows: 'deposit_addresses d where not exists (select 1 from currencies)',
  },
  {
    what: 'withdrawals, although there are no currencies',
    rows: 'withdrawals w where not exists (select 1 from currencies)',
  },
]

const FLOOR = `coalesce((select value from counters where name = '${FEED_FLOOR}'), 0)`

const TABLES: Readonly<Record<Flavour, string>> = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  // Without unlogged tables: they are empty after a crash, and a standby cannot read them. Without partitions.
  postgres: `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
    and relkind in ('r', 'p') and relpersistence = 'p' and not relispartition order by relname`,
}

/** The facts of all transactions, a row each, as JSON. */
const FACTS: Readonly<Record<Flavour, string>> = {
  sqlite: 'transactions t, json_each(t.facts) f where f.value',
  postgres: 'transactions t, jsonb_array_elements(t.facts::jsonb) f(value) where f.value',
}

/** The columns that take their numbers from a sequence of PostgreSQL. SQLite takes the next after the largest. */
const NUMBERED = `select relname as "table", attname as "column", sequence from (
    select c.relname, a.attname, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped) numbered
  where sequence is not null order by relname`

interface Numbered {
  readonly table: string
  readonly column: string
  readonly sequence: string
}

export const contentsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const valueOf = async (query: string): Promise<number | null> => {
    const { rows } = await sql<{ value: number | null }>`${sql.raw(query)}`.execute(db)
    return rows[0]?.value ?? null
  }
  const countOf = async (rows: string): Promise<number> => (await valueOf(`select count(*) as value from ${rows}`)) ?? 0

  const rowsByTable = async (): Promise<ReadonlyMap<string, number>> => {
    const tables = await sql<{ name: string }>`${sql.raw(TABLES[flavour])}`.execute(db)
    const counts = new Map<string, number>()
    for (const { name } of tables.rows) counts.set(name, await countOf(`"${name}"`))
    return counts
  }

  const feed = async (): Promise<FeedContents> => ({
    counter: await valueOf(`select value from counters where name = '${FEED}'`),
    floor: (await valueOf(`select ${FLOOR} as value`)) ?? 0,
    skipped: (await valueOf(`select ${skippedAbove(FLOOR)} as value`)) ?? 0,
    count: await countOf(`merchant_events where cursor > ${FLOOR}`),
    first: await valueOf(`select min(cursor) as value from merchant_events where cursor > ${FLOOR}`),
    last: await valueOf('select max(cursor) as value from merchant_events'),
    next: await valueOf(`select min(e.cursor) + 1 as value from merchant_events e
      where e.cursor > ${FLOOR} and not exists (select 1 from merchant_events n where n.cursor = e.cursor + 1)
        and not ${isSkippedAfter('e.cursor')}`),
    newestMs: await valueOf('select created_ms as value from merchant_events order by cursor desc limit 1'),
    hasEpoch: (await countOf(`feed_epoch where name = '${FEED}'`)) > 0,
  })

  /** A copy by logical replication has all rows, but not the state of the sequences: each insert would fail. */
  const repeatedNumbers = async (): Promise<Contents['broken']> => {
    if (flavour === 'sqlite') return []
    const { rows } = await sql<Numbered>`${sql.raw(NUMBERED)}`.execute(db)
    const found: { what: string; count: number }[] = []
    for (const { table, column, sequence } of rows) {
      const next = `(select case when is_called then last_value + 1 else last_value end from ${sequence})`
      const count = await countOf(`"${table}" where "${column}" >= ${next}`)
      found.push({ what: `rows of ${table} whose numbers its sequence gives again`, count })
    }
    return found
  }

  return async (): Promise<Contents> => {
    const broken = [...(await repeatedNumbers())]
    for (const { what, rows } of RELATIONS) broken.push({ what, count: await countOf(rows) })
    return {
      rows: await rowsByTable(),
      feed: await feed(),
      newestWebhookMs: await valueOf('select max(received_ms) as value from webhooks'),
      newestWebhookFactMs: await valueOf(`select max(ms) as value from (
          select cast(f.value ->> 'recorded_ms' as bigint) as ms from ${FACTS[flavour]} ->> 'source' = 'webhook'
            and f.value ->> 'erased' is null) told
        where ms not in (select settled_ms from quarantine where settled_ms is not null)`),
      aliveMs: await valueOf("select value from reconciliation where name = 'alive'"),
      broken,
      missingObjects: await missingObjects(db, flavour),
    }
  }
}
