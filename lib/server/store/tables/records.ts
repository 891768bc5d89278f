import type { Kysely } from 'kysely'
import type { LongAgo } from '../../ledger/long-ago.ts'
import type { RecordRow } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import type { Tables } from '../database/schema.ts'

export interface RecordsFilter {
  readonly types?: readonly string[]
  readonly fromMs?: number
  readonly untilMs?: number
}

/** The records of the gateway's list as last seen. */
export const recordsOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /** Any number of a user's records, with one statement. */
  async byUuids(user: string, uuids: readonly string[]): Promise<readonly RecordRow[]> {
    return recordsOf(db, flavour).byKeys(uuids.map((uuid) => [user, uuid]))
  },

  /** Any number of records by user and uuid, with one statement. */
  async byKeys(keys: readonly (readonly [user: string, uuid: string])[]): Promise<readonly RecordRow[]> {
    return selectByKeys<RecordRow>(flavour, 'records', ['user_reference_id', 'transaction_uuid'])(db, keys)
  },

  /**
   * The records that were stored before a scan of the whole list began.
   * @param scan `stored`: without those that its finished rounds have read (`scanned_records`); what the rounds of
   * another scan have read may be lost since
   */
  async missingSince(
    user: string,
    { sinceMs, aheadMs }: LongAgo,
    scan: 'stored' | 'of one round',
  ): Promise<readonly string[]> {
    const before = db
      .selectFrom('records')
      .select('transaction_uuid')
      .where('user_reference_id', '=', user)
      .where((where) => where.or([where('seen_ms', '<=', sinceMs), where('seen_ms', '>=', aheadMs)]))
    const unread = before.where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('scanned_records')
            .select('scanned_records.transaction_uuid')
            .whereRef('scanned_records.user_reference_id', '=', 'records.user_reference_id')
            .whereRef('scanned_records.transaction_uuid', '=', 'records.transaction_uuid'),
        ),
      ),
    )
    const rows = await (scan === 'stored' ? unread : before).execute()
    return rows.map((row) => row.transaction_uuid)
  },

  /** A user's records in the order of their uuids, after this one. */
  async pageOf(
    user: string,
    after: string,
    limit: number,
  ): Promise<
    readonly Pick<RecordRow, 'transaction_uuid' | 'type' | 'status' | 'inserted_ms' | 'record' | 'seen_ms'>[]
  > {
    return db
      .selectFrom('records')
      .select(['transaction_uuid', 'type', 'status', 'inserted_ms', 'record', 'seen_ms'])
      .where('user_reference_id', '=', user)
      .where('transaction_uuid', '>', after)
      .orderBy('transaction_uuid')
      .limit(limit)
      .execute()
  },

  /** All records that pass the filter, newest first. */
  async list(user: string, filter: RecordsFilter): Promise<readonly RecordRow[]> {
    let query = db.selectFrom('records').selectAll().where('user_reference_id', '=', user)
    if (filter.types !== undefined) query = query.where('type', 'in', filter.types)
    if (filter.fromMs !== undefined) query = query.where('inserted_ms', '>=', filter.fromMs)
    if (filter.untilMs !== undefined) query = query.where('inserted_ms', '<', filter.untilMs)
    return query.orderBy('inserted_ms', 'desc').orderBy('transaction_uuid', 'desc').execute()
  },
})
