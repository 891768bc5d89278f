import { sql, type Kysely } from 'kysely'
import type { StreamEvent } from '#lib/contract/stream.ts'
import type { Outbox } from '../../ledger/outbox.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { compiledOnce } from '../database/compiled-once.ts'
import { insertRows, updateRows } from '../database/multi-row.ts'
import { pipelined } from '../database/pipelined.ts'
import { storeFaultOf } from '../database/store-fault.ts'
import type { Tables } from '../database/schema.ts'
import { feedWriter, numberCommitted, type FeedRow } from './feed-numbers.ts'
import { STREAM_BASE } from './unseen-numbers.ts'

export interface StoredStreamEvent {
  readonly seq: number
  readonly type: StreamEvent['type']
  /** The event's JSON, as it is sent to the reader. */
  readonly data: string
}

export interface StoredMerchantEvent {
  readonly cursor: number
  readonly entity: string
  readonly data: string
  readonly created_ms: number
}

/**
 * Writes the events of one transaction's outboxes, at its end. The rows that it locks stay locked until the commit, so
 * it locks only rows of the users, which the transaction has locked anyway.
 * @param isDelivered whether the events are also queued for the merchant's webhook
 */
export function eventWriter(flavour: Flavour, isDelivered: () => boolean) {
  const greatest = flavour === 'postgres' ? 'greatest' : 'max'
  const advanceStreams = updateRows<{ user_reference_id: string; count: number }>(
    flavour,
    'users',
    { user_reference_id: 'text', count: 'bigint' },
    ['user_reference_id'],
    (value) => ({ stream_seq: `${greatest}(stream_seq, ${STREAM_BASE}) + ${value('count')}` }),
    { returning: 'users.user_reference_id, users.stream_seq' },
  )
  const insertStreamEvents = insertRows<Tables['stream_events']>(
    flavour,
    'stream_events',
    { user_reference_id: 'text', seq: 'bigint', type: 'text', data: 'text', created_ms: 'bigint' },
    'fail',
  )
  const writeFeed = feedWriter(flavour)

  /** Gives a user's events the numbers at the end of the stream; a user without a row has no stream. */
  const streamRows = (outbox: Outbox, heads: ReadonlyMap<string, number>, now: number) =>
    outbox.users.flatMap((user_reference_id) => {
      const head = heads.get(user_reference_id)
      if (head === undefined) return []
      const events = outbox.streamOf(user_reference_id)
      return events.map((event, index) => ({
        user_reference_id,
        seq: head - events.length + index + 1,
        type: event.type,
        data: JSON.stringify(event.data),
        created_ms: now,
      }))
    })

  const feedRows = ({ feed }: Outbox, now: number): readonly FeedRow[] =>
    feed.map((item) => ({
      entity: item.entity,
      data: JSON.stringify({
        ...item.event,
        user_reference_id: item.user,
        source: item.source,
        ...(item.metadata !== undefined && { metadata: item.metadata }),
        ...(item.payment_method !== undefined && { payment_method: item.payment_method }),
        ...(item.merchant_reference !== undefined && { merchant_reference: item.merchant_reference }),
      }),
      created_ms: now,
      for_delivery: isDelivered() ? 1 : 0,
    }))

  return async (db: Kysely<Tables>, outbox: Outbox, now: number): Promise<void> => {
    const counts = outbox.users.map((user) => ({ user_reference_id: user, count: outbox.streamOf(user).length }))
    const [streams] = await pipelined(db, (runner) =>
      Promise.all([advanceStreams(runner, counts), writeFeed(runner, feedRows(outbox, now))]),
    )
    const heads = new Map(streams.map((row) => [String(row['user_reference_id']), Number(row['stream_seq'])]))
    await insertStreamEvents(db, streamRows(outbox, heads, now))
  }
}

/** Reads the streams and the merchant's feed. */
export const eventsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const version = async () => (await sql<{ data_version: number }>`pragma data_version`.execute(db)).rows
  /** The users with their numbers as a table `k (id, seq)`. */
  const cursorsTable = (cursors: ReadonlyMap<string, number>) =>
    flavour === 'postgres'
      ? sql`unnest(${[...cursors.keys()]}::text[], ${[...cursors.values()]}::bigint[]) as k(id, seq)`
      : sql`(select value ->> 0 as id, value ->> 1 as seq from json_each(${JSON.stringify([...cursors])})) k`
  const boundsOf = compiledOnce(db, () =>
    db
      .selectFrom('users')
      .select(['stream_seq', 'stream_floor', sql.raw<number>(STREAM_BASE).as('base')])
      .where('user_reference_id', '=', ''),
  )
  const holding = compiledOnce(db, () =>
    db
      .selectFrom('stream_events')
      .select(sql.lit(1).as('held'))
      .where('user_reference_id', '=', '')
      .where('seq', '=', 0)
      .unionAll(
        db
          .selectFrom('users')
          .select(sql.lit(1).as('held'))
          .where('user_reference_id', '=', '')
          .where('stream_floor', '=', 0),
      )
      .unionAll(db.selectNoFrom(sql.lit(1).as('held')).where(sql.raw<number>(STREAM_BASE), '=', 0)),
  )
  const eventsAfter = compiledOnce(db, () =>
    db
      .selectFrom('stream_events')
      .select(['seq', 'type', 'data'])
      .where('user_reference_id', '=', '')
      .where('seq', '>', 0)
      .orderBy('seq')
      .limit(1),
  )
  return {
    /**
     * SQLite: a number that changes after a commit of another process. Null on PostgreSQL, which has no such number.
     */
    async foreignVersion(): Promise<number | null> {
      if (flavour === 'postgres') return null
      return (await version())[0]?.data_version ?? null
    },

    /**
     * Of these users, by the last sequence number that their readers have, those whose streams have gone on, and those
     * who do not exist any more (null).
     */
    async movedOn(cursors: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number | null>> {
      if (cursors.size === 0) return new Map()
      const { rows } = await sql<{ id: string; stream_seq: number | null }>`
        select k.id, u.stream_seq from ${cursorsTable(cursors)} left join users u on u.user_reference_id = k.id
        where u.stream_seq is null or u.stream_seq > k.seq`.execute(db)
      return new Map(rows.map((row) => [row.id, row.stream_seq]))
    },

    /** Head and floor of one stream; null for an unknown user. */
    async bounds(user: string): Promise<{ readonly head: number; readonly floor: number } | null> {
      const [row] = await boundsOf(user)
      if (row === undefined) return null
      return { head: Math.max(row.stream_seq, row.base), floor: row.stream_floor }
    },

    /** Whether all events of a stream after this number are stored, and no event after it was lost. */
    async holds(user: string, seq: number): Promise<boolean> {
      return (await holding(user, seq, user, seq, seq)).length > 0
    },

    async after(user: string, seq: number, limit: number): Promise<readonly StoredStreamEvent[]> {
      return eventsAfter(user, seq, limit)
    },

    /** Gives all committed events of the feed their numbers; deliveries become due with them. */
    async number(): Promise<void> {
      await numberCommitted(flavour, db, 'wait')
    },

    /**
     * The feed after a number. It may lack the newest events: inside a transaction, and while an instance is frozen that
     * numbers them.
     */
    async feedAfter(cursor: number, limit: number): Promise<readonly StoredMerchantEvent[]> {
      if (!db.isTransaction)
        await numberCommitted(flavour, db, 'wait').catch((error: unknown) => {
          if (storeFaultOf(error) !== 'locked') throw error
        })
      return db
        .selectFrom('merchant_events')
        .select(['cursor', 'entity', 'data', 'created_ms'])
        .where('cursor', '>', cursor)
        .orderBy('cursor')
        .limit(limit)
        .execute()
    },
  }
}
