import { sql, type Kysely } from 'kysely'
import type { BalanceEvent, StreamEvent, TransactionEvent } from '#lib/contract/stream.ts'
import type { Source, Tables } from './schema.ts'

export interface StoredStreamEvent {
  readonly seq: number
  readonly type: StreamEvent['type']
  /** The event's JSON, as it is sent. */
  readonly data: string
}

export interface StoredMerchantEvent {
  readonly cursor: number
  readonly entity: string
  readonly data: string
  readonly created_ms: number
}

interface FeedItem {
  readonly entity: string
  readonly user: string | null
  readonly source: Source
  readonly event: TransactionEvent
}

/**
 * The events that a database transaction publishes. They get their sequence numbers at its end: the user's row and then
 * the one counter of the feed stay locked until the commit, so numbers have no gaps and are in commit order.
 */
export class Outbox {
  readonly #streams = new Map<string, TransactionEvent[]>()
  readonly #balances = new Map<string, Map<string, BalanceEvent>>()
  readonly #feed: FeedItem[] = []

  /** `streamUser` sees it live; the merchant's feed gets it under `user`. */
  transaction(item: FeedItem & { readonly streamUser: string | null }): void {
    this.#feed.push(item)
    if (item.streamUser === null) return
    const events = this.#streams.get(item.streamUser) ?? []
    events.push(item.event)
    this.#streams.set(item.streamUser, events)
  }

  /** Only the last state of a balance in one commit is published. */
  balance(user: string, event: BalanceEvent): void {
    const balances = this.#balances.get(user) ?? new Map<string, BalanceEvent>()
    balances.delete(event.currency_id)
    balances.set(event.currency_id, event)
    this.#balances.set(user, balances)
  }

  get users(): readonly string[] {
    return [...new Set([...this.#streams.keys(), ...this.#balances.keys()])].sort()
  }

  get isEmpty(): boolean {
    return this.#feed.length === 0 && this.users.length === 0
  }

  async write(db: Kysely<Tables>, now: number, deliver: boolean): Promise<void> {
    for (const user of this.users) await this.#writeStream(db, user, now)
    if (this.#feed.length > 0) await this.#writeFeed(db, now, deliver)
  }

  async #writeStream(db: Kysely<Tables>, user: string, now: number): Promise<void> {
    const events: StreamEvent[] = [
      ...(this.#streams.get(user) ?? []).map((data) => ({ type: 'transaction' as const, data })),
      ...[...(this.#balances.get(user)?.values() ?? [])].map((data) => ({ type: 'balance' as const, data })),
    ]
    const row = await db
      .updateTable('users')
      .set({ stream_seq: sql`stream_seq + ${events.length}` })
      .where('user_reference_id', '=', user)
      .returning('stream_seq')
      .executeTakeFirst()
    if (!row) return
    const before = row.stream_seq - events.length
    await db
      .insertInto('stream_events')
      .values(
        events.map((event, index) => ({
          user_reference_id: user,
          seq: before + index + 1,
          type: event.type,
          data: JSON.stringify(event.data),
          created_ms: now,
        })),
      )
      .execute()
  }

  async #writeFeed(db: Kysely<Tables>, now: number, deliver: boolean): Promise<void> {
    const count = this.#feed.length
    const counter = await db
      .updateTable('counters')
      .set({ value: sql`value + ${count}` })
      .where('name', '=', 'merchant_events')
      .returning('value')
      .executeTakeFirstOrThrow()
    const before = counter.value - count
    const rows = this.#feed.map((item, index) => ({
      cursor: before + index + 1,
      entity: item.entity,
      data: JSON.stringify({ ...item.event, user_reference_id: item.user, source: item.source }),
      created_ms: now,
    }))
    await db.insertInto('merchant_events').values(rows).execute()
    if (!deliver) return
    await db
      .insertInto('deliveries')
      .values(
        rows.map((row) => ({
          cursor: row.cursor,
          entity: row.entity,
          state: 'pending' as const,
          attempts: 0,
          next_ms: now,
          first_ms: null,
          last_error: null,
        })),
      )
      .execute()
  }
}

/** Reading side of the streams and of the merchant's feed. */
export const eventsOf = (db: Kysely<Tables>) => ({
  /** The last sequence number of each of these users' streams. */
  async heads(users: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (users.length === 0) return new Map()
    const rows = await db
      .selectFrom('users')
      .select(['user_reference_id', 'stream_seq'])
      .where('user_reference_id', 'in', users)
      .execute()
    return new Map(rows.map((row) => [row.user_reference_id, row.stream_seq]))
  },

  /** Head and floor of one stream; null for a user who is not known. */
  async bounds(user: string): Promise<{ readonly head: number; readonly floor: number } | null> {
    const row = await db
      .selectFrom('users')
      .select(['stream_seq', 'stream_floor'])
      .where('user_reference_id', '=', user)
      .executeTakeFirst()
    return row ? { head: row.stream_seq, floor: row.stream_floor } : null
  },

  async after(user: string, seq: number, limit: number): Promise<readonly StoredStreamEvent[]> {
    return db
      .selectFrom('stream_events')
      .select(['seq', 'type', 'data'])
      .where('user_reference_id', '=', user)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute()
  },

  async feedAfter(cursor: number, limit: number): Promise<readonly StoredMerchantEvent[]> {
    return db
      .selectFrom('merchant_events')
      .selectAll()
      .where('cursor', '>', cursor)
      .orderBy('cursor')
      .limit(limit)
      .execute()
  },
})
