import { sql, type Kysely } from 'kysely'
import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import type { WithdrawalColumns, WithdrawalRow } from '../../ledger/rows.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import { INSTANCE_LEASE, RESUME_LEASE } from './leases.ts'
import type { Tables } from '../database/schema.ts'

export interface WithdrawalsFilter {
  readonly status: WithdrawalStatus | null
  readonly user_reference_id: string | null
}

/** A position in the list of withdrawals, newest first. */
export type WithdrawalsPlace = Pick<WithdrawalRow, 'created_ms' | 'id'>

const one = (row: WithdrawalColumns | undefined): WithdrawalRow | null =>
  row === undefined ? null : parseWithdrawal(row)
const all = (rows: readonly WithdrawalColumns[]): readonly WithdrawalRow[] => rows.map(parseWithdrawal)

const hasLease = (time: DatabaseTime, prefix: string, of: 'driver' | 'id') =>
  sql`exists (select 1 from leases where leases.name = ${prefix} || withdrawals.${sql.ref(of)}
    and ${time.isHeld(sql.ref('leases.expires_ms'))})`

/** No instance is resuming it. */
const isFree = (time: DatabaseTime) => sql<boolean>`not ${hasLease(time, RESUME_LEASE, 'id')}`

export const withdrawalsOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) => ({
  /** A withdrawal of any user. */
  async find(id: string): Promise<WithdrawalRow | null> {
    return one(await db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst())
  },

  /** A withdrawal of this user. */
  async ofUserById(user: string, id: string): Promise<WithdrawalRow | null> {
    const query = db.selectFrom('withdrawals').selectAll().where('user_reference_id', '=', user).where('id', '=', id)
    return one(await query.executeTakeFirst())
  },

  async byKey(user: string, idempotencyKey: string): Promise<WithdrawalRow | null> {
    const row = await db
      .selectFrom('withdrawals')
      .selectAll()
      .where('user_reference_id', '=', user)
      .where('idempotency_key', '=', idempotencyKey)
      .executeTakeFirst()
    return one(row)
  },

  /** Withdrawals by user and id. */
  async byIds(keys: readonly (readonly [user: string, id: string])[]): Promise<readonly WithdrawalRow[]> {
    return all(await selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', ['user_reference_id', 'id'])(db, keys))
  },

  /** Withdrawals that pass the filter, newest first, after this position. */
  async page(filter: WithdrawalsFilter, after: WithdrawalsPlace, limit: number): Promise<readonly WithdrawalRow[]> {
    let query = db
      .selectFrom('withdrawals')
      .selectAll()
      .where(sql<boolean>`(created_ms, id) < (${after.created_ms}, ${after.id})`)
    if (filter.status !== null) query = query.where('status', '=', filter.status)
    if (filter.user_reference_id !== null) query = query.where('user_reference_id', '=', filter.user_reference_id)
    return all(await query.orderBy('created_ms', 'desc').orderBy('id', 'desc').limit(limit).execute())
  },

  /**
   * After a restore: withdrawals that were unsent in the backup may have been sent since. They are marked as called, so
   * that the next start takes their outcome as unknown and looks for evidence, and no instance sends them again.
   * Returns how many.
   */
  async doubtUnsent(): Promise<number> {
    const result = await db
      .updateTable('withdrawals')
      .set((set) => ({
        step: 'calling',
        status: 'processing',
        driver: null,
        early_decision: null,
        called_ms: set.ref('created_ms'),
        states: sql<string>`case states when '[]' then '[' else substr(states, 1, length(states) - 1) || ',' end
          || '["processing",' || ${time.now()} || ',"restored","cashier"]]'`,
      }))
      .where('step', 'in', ['authorizing', 'pending'])
      .executeTakeFirst()
    return Number(result.numUpdatedRows)
  },

  /**
   * After lost commits: nobody drives a call that is under way, so its outcome becomes unknown at once. The instance that
   * makes the call may have stored a result that is lost. A reply that comes later counts all the same.
   */
  async doubtCalls(): Promise<void> {
    await db.updateTable('withdrawals').set({ driver: null }).where('step', '=', 'calling').execute()
  },

  async ofUser(user: string, sinceMs: number, limit: number): Promise<readonly WithdrawalRow[]> {
    const rows = await db
      .selectFrom('withdrawals')
      .selectAll()
      .where('user_reference_id', '=', user)
      .where('created_ms', '>=', sinceMs)
      .orderBy('created_ms', 'desc')
      .limit(limit)
      .execute()
    return all(rows)
  },

  /** Where the user's newest successful withdrawals went, newest first. */
  async destinations(
    user: string,
    limit: number,
  ): Promise<readonly Pick<WithdrawalRow, 'network' | 'wallet_address' | 'created_ms'>[]> {
    return db
      .selectFrom('withdrawals')
      .select(['network', 'wallet_address', 'created_ms'])
      .where('user_reference_id', '=', user)
      .where('status', '=', 'succeeded')
      .orderBy('created_ms', 'desc')
      .limit(limit)
      .execute()
  },

  /** Where the user's successful withdrawals went, each place once. */
  async paidAddresses(user: string): Promise<readonly Pick<WithdrawalRow, 'network' | 'wallet_address'>[]> {
    return db
      .selectFrom('withdrawals')
      .select(['network', 'wallet_address'])
      .distinct()
      .where('user_reference_id', '=', user)
      .where('status', '=', 'succeeded')
      .execute()
  },

  /** How many withdrawals of the user were recorded after this time, without those that failed. */
  async countSince(user: string, afterMs: number): Promise<number> {
    const { count } = await db
      .selectFrom('withdrawals')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('user_reference_id', '=', user)
      .where('created_ms', '>', afterMs)
      .where('status', '<>', 'failed')
      .executeTakeFirstOrThrow()
    return count
  },

  /** Approved withdrawals whose wait is over, longest first, without those that an instance is sending. */
  async waitedLongEnough(limit: number): Promise<readonly WithdrawalRow[]> {
    const rows = await db
      .selectFrom('withdrawals')
      .selectAll()
      // As literals, since the partial index is not used for parameters.
      .where(sql<boolean>`step = 'pending' and early_decision = 'approve'`)
      .where('wait_until_ms', '<=', time.now())
      .where(isFree(time))
      .orderBy('wait_until_ms')
      .orderBy('id')
      .limit(limit)
      .execute()
    return all(rows)
  },

  /** The uncertain withdrawals of these users. */
  async dueForCheck(users: readonly string[]): Promise<readonly WithdrawalRow[]> {
    if (users.length === 0) return []
    const rows = await db
      .selectFrom('withdrawals')
      .selectAll()
      .where('user_reference_id', 'in', users)
      .where('next_check_ms', 'is not', null)
      .orderBy('next_check_ms')
      .execute()
    return all(rows)
  },

  /**
   * Withdrawals between two steps that no living instance drives, oldest first; and those that `own` has driven for too
   * long, by the clock that stored their beginning. Withdrawals that an instance is resuming are left out.
   */
  async inFlight(
    limit: number,
    own: { readonly driver: string; readonly stuckSinceMs: number } = { driver: '', stuckSinceMs: 0 },
  ): Promise<readonly WithdrawalRow[]> {
    const rows = await db
      .selectFrom('withdrawals')
      .selectAll()
      // As literals, since the partial index is not used for parameters.
      .where(sql<boolean>`step in ('authorizing', 'calling')`)
      .where(
        sql<boolean>`(driver is null or not ${hasLease(time, INSTANCE_LEASE, 'driver')}
            or (driver = ${own.driver} and coalesce(called_ms, updated_ms) < ${own.stuckSinceMs}))`,
      )
      .where(isFree(time))
      .orderBy('updated_ms')
      .orderBy('id')
      .limit(limit)
      .execute()
    return all(rows)
  },
})
