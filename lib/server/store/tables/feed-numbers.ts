/**
 * Numbers the events of the merchant's feed. On PostgreSQL a unit of work only appends its events to
 * `unnumbered_events`, since the lock of a counter that it holds until the end of its flush would make the commits of
 * all instances queue. Committed events get their numbers later, in batches.
 *
 * - **Without a gap, none twice**: a batch takes its events and the next numbers in one transaction, under a lock. If it
 *   ends anywhere before its commit, nothing has changed.
 * - **None is missed**: a batch takes what is committed, wherever the id is. An id that commits late gets a later number.
 * - **Order**: two units that change the same transaction of the gateway hold a common lock, of the user or of the
 *   transaction. The later unit gets this lock after the commit of the earlier unit, and takes its ids under the lock.
 *   So its ids are larger, and whoever sees its events sees the earlier ones too. Hence a batch, which is numbered in
 *   the order of ids, cannot have the later event without the earlier event, or give it a smaller number. The same
 *   holds for any two units of which one began after the commit of the other.
 */
import { CompiledQuery, type Kysely } from 'kysely'
import type { SqlBoolean } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows } from '../database/multi-row.ts'
import type { StatementRunner } from '../database/pipelined.ts'
import type { Tables } from '../database/schema.ts'
import { FEED } from './feed-epoch.ts'

/** The most events in one batch. */
const BATCH = 1000

const EVENT = 'entity, data, created_ms, for_delivery'
/** Due at once, even if the clock of the sending instance is wrong. */
const DELIVERY = `select cursor, entity, 'pending', 0, 0`
const INTO_DELIVERIES = 'insert into deliveries (cursor, entity, state, attempts, next_ms)'

/** An arbitrary number; no other program on this database may use it for its advisory lock. */
export const NUMBERING_LOCK = 7_215_310_444

/** The statement after it sees all that was committed before the lock was granted. A row's lock would need a flush. */
const LOCK = CompiledQuery.raw(`select true as locked from pg_advisory_xact_lock(${String(NUMBERING_LOCK)})`)
const TRY_LOCK = CompiledQuery.raw(`select pg_try_advisory_xact_lock(${String(NUMBERING_LOCK)}) as locked`)

/** One statement, so that all its parts see the same events. */
const NUMBER_BATCH = CompiledQuery.raw(`
  with taken as (
    delete from unnumbered_events using counters
    where name = '${FEED}' and id in (select id from unnumbered_events order by id limit ${String(BATCH)})
    returning id, value, ${EVENT}
  ), numbered as (
    insert into merchant_events (cursor, ${EVENT})
    select value + row_number() over (order by id), ${EVENT} from taken
    returning cursor, entity, for_delivery
  ), queued as (
    ${INTO_DELIVERIES} ${DELIVERY} from numbered where for_delivery = 1
  )
  update counters set value = value + (select count(*) from taken)
  where name = '${FEED}' and exists (select 1 from taken)
  returning (select count(*) from taken) as count`)

const ANY_UNNUMBERED = CompiledQuery.raw('select 1 from unnumbered_events limit 1')

/** An event of the feed before it has a number. */
export interface FeedRow {
  readonly entity: string
  readonly data: string
  readonly created_ms: number
  readonly for_delivery: SqlBoolean
}

const FEED_COLUMNS = { entity: 'text', data: 'text', created_ms: 'bigint', for_delivery: 'bigint' } as const

const QUEUE_AFTER = `${INTO_DELIVERIES} ${DELIVERY} from merchant_events where for_delivery = 1 and cursor > ?`
const COUNT_ON = `update counters set value = value + ?1 where name = '${FEED}' returning value - ?1 as before`

/**
 * Writes the events of a transaction, at its end. On SQLite the transaction numbers them itself: nobody else writes
 * meanwhile.
 */
export function feedWriter(flavour: Flavour): (runner: StatementRunner, rows: readonly FeedRow[]) => Promise<void> {
  if (flavour === 'postgres') {
    const insert = insertRows<FeedRow>(flavour, 'unnumbered_events', FEED_COLUMNS, 'fail')
    return async (runner, rows) => {
      await insert(runner, rows)
    }
  }
  const columns = { cursor: 'bigint', ...FEED_COLUMNS } as const
  const insert = insertRows<FeedRow & { readonly cursor: number }>(flavour, 'merchant_events', columns, 'fail')
  return async (runner, rows) => {
    if (rows.length === 0) return
    const { rows: counted } = await runner.executeQuery<{ before: number }>(CompiledQuery.raw(COUNT_ON, [rows.length]))
    const [counter] = counted
    if (counter === undefined) throw new Error('the counter of the feed is missing')
    await insert(
      runner,
      rows.map((row, index) => ({ ...row, cursor: counter.before + index + 1 })),
    )
    if (rows.some((row) => row.for_delivery === 1))
      await runner.executeQuery(CompiledQuery.raw(QUEUE_AFTER, [counter.before]))
  }
}

/**
 * Numbers all events that were committed before the call. Not inside a transaction.
 * @param whileOthersNumber `wait` for them, or `leave` the events to a later call
 * @returns false if it left events
 */
export async function numberCommitted(
  flavour: Flavour,
  db: Kysely<Tables>,
  whileOthersNumber: 'wait' | 'leave',
): Promise<boolean> {
  if (flavour === 'sqlite') return true
  for (let count = BATCH; count === BATCH;) {
    if ((await db.executeQuery(ANY_UNNUMBERED)).rows.length === 0) return true
    const numbered = await db.transaction().execute(async (tx) => {
      const lock = await tx.executeQuery<{ locked: boolean }>(whileOthersNumber === 'wait' ? LOCK : TRY_LOCK)
      if (lock.rows[0]?.locked !== true) return null
      const { rows } = await tx.executeQuery<{ count: number }>(NUMBER_BATCH)
      return rows[0]?.count ?? 0
    })
    if (numbered === null) return false
    count = numbered
  }
  return true
}
