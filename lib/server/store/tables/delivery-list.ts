import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DeliveryState } from '#lib/contract/delivery-states.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'

/** Null: any. */
export interface DeliveryFilter {
  readonly state: DeliveryState | null
  /** The gateway's uuid of a transaction, or the id of a withdrawal. */
  readonly transaction: string | null
  readonly user: string | null
  /** `delivery_attempts.outcome` of any of its attempts. */
  readonly outcome: string | null
  /** When the event was created: from this time, and before that time. */
  readonly fromMs: number | null
  readonly toMs: number | null
}

/** Events after one number and before another. */
export interface CursorRange {
  readonly after: number
  readonly before: number
}

/** An event that was queued for the merchant's webhook. */
export interface DeliveryRow {
  readonly cursor: number
  readonly entity: string
  readonly created_ms: number
  /** The event's `data` as JSON text. */
  readonly data: string
  readonly state: DeliveryState
  /** Failed attempts since it was queued. */
  readonly attempts: number
  /** When it is sent next; null unless it is pending. */
  readonly next_ms: number | null
  readonly last_error: string | null
  /** 1 while an attempt is under way. */
  readonly sending: 0 | 1
  /** The event of the same transaction that is sent before all others; null if this one may be sent. */
  readonly waits_for: number | null
}

export interface DeliveryStateCounts {
  readonly waiting: number
  readonly failing: number
  readonly dead: number
}

/**
 * Two events in the feed may be in the wrong order by this time: transactions commit in another order than they begin,
 * and clocks of instances differ.
 */
const DISORDER_MS = {
  list: 120_000,
  /** None may be left out, though a clock was wrong by hours. */
  order: 86_400_000,
} as const

const STATES: Readonly<Record<DeliveryState, string>> = {
  waiting: "d.state = 'pending' and d.attempts = 0",
  failing: "d.state = 'pending' and d.attempts > 0",
  dead: "d.state = 'dead'",
  delivered: 'd.cursor is null',
}

/** Transactions and withdrawals of one user whose events are looked up one by one. */
const MANY = 5000

/** The condition of the index of failed attempts. */
const HAS_FAILED = "a.outcome >= '3' and a.cursor is not null"

/** The entities of a transaction, and of the withdrawal that it pays. */
const entitiesOfTransaction = (id: string) => sql`
  select 'deposit:' || ${id} as entity union select 'payout:' || ${id} union select 'onramp:' || ${id}
  union select 'withdrawal:' || ${id}
  union select 'withdrawal:' || w.id from row_users r join withdrawals w
    on w.user_reference_id = r.user_reference_id and w.transaction_uuid = r.name where r.name = ${id}`

/** The entities of a user's transactions and withdrawals. */
export const entitiesOfUser = (user: string) => sql`
  select t.kind || ':' || t.transaction_uuid as entity from transactions t where t.user_reference_id = ${user}
  union select 'withdrawal:' || w.id from withdrawals w where w.user_reference_id = ${user}`

/** Deliveries for a person: lists by filter, oldest or newest first. */
export const deliveryListOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) => {
  const postgres = flavour === 'postgres'
  /** As one parameter. */
  const among = (column: RawBuilder<unknown>, cursors: readonly number[]) =>
    postgres
      ? sql<boolean>`${column} = any(${cursors}::bigint[])`
      : sql<boolean>`${column} in (select value from json_each(${JSON.stringify(cursors)}))`
  const userOf = sql.raw(postgres ? "(e.data::json ->> 'user_reference_id')" : "(e.data ->> 'user_reference_id')")

  const within = (column: string, { after, before }: CursorRange) => {
    const cursor = sql.ref(column)
    return sql`${cursor} > ${after} and ${cursor} < ${before}`
  }

  /** The index is read for each entity, even if there are no statistics. */
  const ofEntities = (entities: RawBuilder<unknown>, range: CursorRange) =>
    postgres
      ? sql`select e.cursor from (${entities}) x cross join lateral (
          select m.cursor from merchant_events m
          where m.for_delivery = 1 and m.entity = x.entity and ${within('m.cursor', range)} offset 0) e`
      : sql`select e.cursor from (${entities}) x cross join merchant_events e
          where e.for_delivery = 1 and e.entity = x.entity and ${within('e.cursor', range)}`

  const countOf = (table: 'transactions' | 'withdrawals', user: string) => sql<number>`
    (select count(*) from (select 1 from ${sql.table(table)} where user_reference_id = ${user} limit ${MANY + 1}) as part)`

  /** Of such a user the feed itself has many: it is read instead of each transaction's events. */
  const hasMany = async (user: string): Promise<boolean> => {
    const { rows } = await sql<{ count: number | string }>`
      select ${countOf('transactions', user)} + ${countOf('withdrawals', user)} as count`.execute(db)
    return Number(rows[0]?.count ?? 0) > MANY
  }

  /** The narrowest part of the filter that an index knows. @param byUser whether the user's transactions are few */
  const source = ({ state, transaction, user, outcome }: DeliveryFilter, range: CursorRange, byUser: boolean) => {
    if (transaction !== null) return ofEntities(entitiesOfTransaction(transaction), range)
    if (user !== null && byUser) return ofEntities(entitiesOfUser(user), range)
    if (outcome !== null && outcome >= '3')
      return sql`select distinct a.cursor from delivery_attempts a
        where a.outcome = ${outcome} and ${sql.raw(HAS_FAILED)} and ${within('a.cursor', range)}`
    if (state !== null && state !== 'delivered')
      return sql`select d.cursor from deliveries d where ${sql.raw(STATES[state])} and ${within('d.cursor', range)}`
    return sql`select e.cursor from merchant_events e where ${within('e.cursor', range)}`
  }

  const conditions = ({ state, user, outcome, fromMs, toMs }: DeliveryFilter): readonly RawBuilder<unknown>[] => [
    sql`e.for_delivery = 1`,
    ...(state === null ? [] : [sql.raw(STATES[state])]),
    ...(user === null ? [] : [sql`${userOf} = ${user}`]),
    ...(outcome === null
      ? []
      : [sql`exists (select 1 from delivery_attempts a where a.cursor = e.cursor and a.outcome = ${outcome})`]),
    ...(fromMs === null ? [] : [sql`e.created_ms >= ${fromMs}`]),
    ...(toMs === null ? [] : [sql`e.created_ms < ${toMs}`]),
  ]

  /** A number of the feed before which all events are older than this time. */
  const numberAt = async (ms: number): Promise<number> => {
    const isOlder = sql`(select m.created_ms from merchant_events m where m.cursor >= (lo + hi) / 2 order by m.cursor
      limit 1) < ${ms}`
    const { rows } = await sql<{ lo: number }>`
      with recursive halves (lo, hi) as (
        select (select coalesce(min(cursor), 0) from merchant_events where cursor > 0),
          (select coalesce(max(cursor), -1) + 1 from merchant_events where cursor > 0)
        union all
        select case when ${isOlder} then (lo + hi) / 2 + 1 else lo end, case when ${isOlder} then hi else (lo + hi) / 2 end
        from halves where lo < hi
      ) select lo from halves where lo >= hi`.execute(db)
    return rows[0]?.lo ?? 0
  }

  const atMost = (state: keyof DeliveryStateCounts, limit: number) => sql<number>`
    (select count(*) from (select 1 from deliveries d where ${sql.raw(STATES[state])} limit ${limit}) as counted)`

  return {
    /** The numbers that events of these times can have. */
    async range(
      { fromMs, toMs }: Pick<DeliveryFilter, 'fromMs' | 'toMs'>,
      of: keyof typeof DISORDER_MS = 'list',
    ): Promise<CursorRange> {
      const disorderMs = DISORDER_MS[of]
      return {
        after: fromMs === null ? 0 : Math.max(0, (await numberAt(fromMs - disorderMs)) - 1),
        before: toMs === null ? Number.MAX_SAFE_INTEGER : await numberAt(toMs + disorderMs),
      }
    },

    /** The next numbers in a range that the filter may accept, at most `limit`. */
    async candidates(
      filter: DeliveryFilter,
      range: CursorRange,
      order: 'oldest' | 'newest',
      limit: number,
    ): Promise<readonly number[]> {
      const { transaction, user } = filter
      const byUser = transaction === null && user !== null && !(await hasMany(user))
      const { rows } = await sql<{ cursor: number }>`${source(filter, range, byUser)}
        order by 1 ${sql.raw(order === 'oldest' ? 'asc' : 'desc')} limit ${limit}`.execute(db)
      return rows.map(({ cursor }) => cursor)
    },

    /**
     * Those of these numbers that the filter accepts.
     * @param untriedSinceMs leaves out those that had an attempt since this time
     */
    async accepted(
      filter: DeliveryFilter,
      cursors: readonly number[],
      untriedSinceMs: number | null = null,
    ): Promise<ReadonlySet<number>> {
      if (cursors.length === 0) return new Set()
      const untried = sql`not exists (
        select 1 from delivery_attempts a where a.cursor = e.cursor and a.began_ms >= ${untriedSinceMs})`
      const all = [...conditions(filter), ...(untriedSinceMs === null ? [] : [untried])]
      const { rows } = await sql<{ cursor: number }>`
        select e.cursor from merchant_events e left join deliveries d on d.cursor = e.cursor
        where ${among(sql.ref('e.cursor'), cursors)} and ${sql.join(all, sql` and `)}`.execute(db)
      return new Set(rows.map(({ cursor }) => cursor))
    },

    /** Those of these events that were queued for delivery, by number. */
    async rows(cursors: readonly number[]): Promise<ReadonlyMap<number, DeliveryRow>> {
      if (cursors.length === 0) return new Map()
      const { rows } = await sql<DeliveryRow>`
        select e.cursor, e.entity, e.created_ms, e.data, d.last_error, coalesce(d.attempts, 0) as attempts,
          case ${sql.join(
            Object.entries(STATES).map(([state, condition]) => sql`when ${sql.raw(condition)} then ${sql.lit(state)}`),
            sql` `,
          )} end as state,
          case when d.state = 'pending' then d.next_ms end as next_ms,
          case when d.claim is not null and ${time.isHeld(sql.ref('d.next_ms'))} then 1 else 0 end as sending,
          case when d.state = 'pending' then (
            select min(h.cursor) from deliveries h where h.state = 'pending' and h.entity = d.entity and h.cursor < d.cursor
          ) end as waits_for
        from merchant_events e left join deliveries d on d.cursor = e.cursor
        where ${among(sql.ref('e.cursor'), cursors)} and e.for_delivery = 1`.execute(db)
      return new Map(rows.map((row) => [row.cursor, row]))
    },

    /** When the event was created; null if there is none with this number. */
    async createdMs(cursor: number): Promise<number | null> {
      const row = await db
        .selectFrom('merchant_events')
        .select('created_ms')
        .where('cursor', '=', cursor)
        .executeTakeFirst()
      return row?.created_ms ?? null
    },

    /** How many there are by state, each at most `limit`. */
    async stateCounts(limit: number): Promise<DeliveryStateCounts> {
      const { rows } = await sql<DeliveryStateCounts>`select ${atMost('waiting', limit)} as waiting,
        ${atMost('failing', limit)} as failing, ${atMost('dead', limit)} as dead`.execute(db)
      return rows[0] ?? { waiting: 0, failing: 0, dead: 0 }
    },
  }
}
