import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRowsHeld } from '../database/multi-row.ts'
import type { DeliveryAttemptsTable, Tables } from '../database/schema.ts'
import { AGAIN } from './deliveries.ts'

export type DeliveryAttemptRow = Selectable<DeliveryAttemptsTable>
export type NewDeliveryAttempt = Readonly<Omit<Insertable<DeliveryAttemptsTable>, 'id'>>

/** An attempt at an event, made under a claim. */
export type ClaimedAttempt = NewDeliveryAttempt & { readonly cursor: number; readonly claim: string }

/** The attempts at one event in short. */
export interface AttemptSummary {
  readonly cursor: number
  readonly count: number
  readonly last: Pick<DeliveryAttemptRow, 'outcome' | 'error' | 'began_ms' | 'ended_ms'>
}

const COLUMNS = {
  cursor: 'bigint',
  attempt: 'bigint',
  began_ms: 'bigint',
  ended_ms: 'bigint',
  outcome: 'text',
  error: 'text',
  webhook_id: 'text',
  signature: 'text',
  body: 'text',
  reply_head: 'text',
  reply_body: 'text',
} as const

/** What was sent to the merchant's webhook, and what came back. */
export const deliveryAttemptsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const insertClaimed = insertRowsHeld<ClaimedAttempt>(
    flavour,
    'delivery_attempts',
    { ...COLUMNS, claim: 'text' },
    Object.keys(COLUMNS) as (keyof typeof COLUMNS)[],
    {
      table: 'deliveries',
      condition: (value) =>
        `held.cursor = ${value('cursor')} and held.claim in (${value('claim')}, '${AGAIN}' || ${value('claim')})`,
    },
  )
  return {
    /**
     * Records attempts whose claims hold; one statement for all of them. Inside the transaction that stores their
     * results, before these.
     */
    async record(attempts: readonly ClaimedAttempt[]): Promise<void> {
      await insertClaimed(db, attempts)
    },

    /** Records a test event. */
    async recordTest(attempt: NewDeliveryAttempt): Promise<void> {
      await db.insertInto('delivery_attempts').values(attempt).execute()
    },

    /** The attempts at an event, oldest first. */
    async of(cursor: number): Promise<readonly DeliveryAttemptRow[]> {
      return db.selectFrom('delivery_attempts').selectAll().where('cursor', '=', cursor).orderBy('id').execute()
    },

    /** The attempts at these events in short, of those that have any. */
    async summaries(cursors: readonly number[]): Promise<readonly AttemptSummary[]> {
      if (cursors.length === 0) return []
      const rows = await db
        .with('latest', (build) =>
          build
            .selectFrom('delivery_attempts')
            .select(['cursor', sql<number>`max(id)`.as('id'), sql<number>`count(*)`.as('count')])
            .where('cursor', 'in', cursors)
            .groupBy('cursor'),
        )
        .selectFrom('latest')
        .innerJoin('delivery_attempts as a', 'a.id', 'latest.id')
        .select(['latest.cursor', 'latest.count', 'a.outcome', 'a.error', 'a.began_ms', 'a.ended_ms'])
        .execute()
      return rows.flatMap(({ cursor, count, ...last }) => (cursor === null ? [] : [{ cursor, count, last }]))
    },

    /** The newest test events. */
    async tests(limit: number): Promise<readonly DeliveryAttemptRow[]> {
      return db
        .selectFrom('delivery_attempts')
        .selectAll()
        .where('cursor', 'is', null)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },
  }
}
