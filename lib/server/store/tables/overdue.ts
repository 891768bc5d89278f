import { sql, type Kysely, type RawBuilder } from 'kysely'
import { listKey } from '../../ledger/line-key.ts'
import type { LongAgo } from '../../ledger/long-ago.ts'
import { DELIVERED_WITHIN_MS } from '../../ledger/overdue.ts'
import type { TransactionKey, TransactionRow, WithdrawalRow } from '../../ledger/rows.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Tables } from '../database/schema.ts'
import { withUser } from './row-users.ts'

export type DueWithdrawal = Pick<WithdrawalRow, 'id' | 'user_reference_id'>
/** `deposit_uuid`: of a purchase, the newest deposit that may be its own. */
export type DueTransaction = Pick<TransactionRow, 'kind' | 'transaction_uuid' | 'user_reference_id' | 'deposit_uuid'>
type PossibleDelivery = Pick<DueTransaction, 'user_reference_id' | 'transaction_uuid'> & {
  readonly deposit_uuid: string
}

export interface UnreadableList {
  readonly user_reference_id: string
  /** Since when it is unreadable or was not read completely, by the database's time. */
  readonly unreadable_ms: number
}

/** Parameters of one statement. */
const MOST_UUIDS = 1000

/** Two reads, each of a range of the index. */
async function inEither<Row>(
  { sinceMs, aheadMs }: LongAgo,
  time: RawBuilder<unknown>,
  read: (isDue: RawBuilder<boolean>, time: RawBuilder<unknown>) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const waited = await read(sql<boolean>`${time} <= ${sinceMs}`, time)
  return [...waited, ...(await read(sql<boolean>`${time} >= ${aheadMs}`, time))]
}

/** How the key of a list's report begins (`listKey`). */
const LIST = listKey('')

const DAY_MS = 86_400_000

/**
 * The newest deposit of the user and currency of the purchase `o` that succeeded after this time, was made no earlier than
 * the purchase, and is no other purchase's. A clock may be a day behind.
 */
const depositFor = (sinceMs: RawBuilder<unknown>) => sql<string | null>`(
  select d.transaction_uuid from transactions d
  where d.user_reference_id = o.user_reference_id and d.user_reference_id <> '' and d.kind = 'deposit'
    and d.status = 'succeeded' and d.standing = 'confirmed' and d.updated_ms > ${sinceMs}
    and d.created_ms >= o.created_ms - ${sql.lit(DAY_MS)} and d.updated_ms <= o.updated_ms + ${sql.lit(DELIVERED_WITHIN_MS)}
    and (d.currency_id = o.currency_id
      or (lower(d.currency_code) = lower(o.currency_code) and lower(d.network) = lower(o.network)))
    and not exists (select 1 from transactions p where p.user_reference_id = d.user_reference_id and p.kind = 'onramp'
      and p.transaction_uuid <> o.transaction_uuid and (p.deposit_uuid = d.transaction_uuid
        or p.tx_hash_key = d.tx_hash_key or p.correlation_key = d.correlation_key))
  order by d.updated_ms desc, d.transaction_uuid limit 1)`

/** A deposit came that its key, hash or uuid links with the purchase `o`: its report has ended by that. */
const IS_DELIVERED = sql<boolean>`exists (
  select 1 from transactions d
  where d.user_reference_id = o.user_reference_id and d.kind = 'deposit' and d.status = 'succeeded'
    and (d.correlation_key = o.correlation_key or d.tx_hash_key = o.tx_hash_key
      or d.transaction_uuid = o.transaction_uuid))`

/**
 * What has waited for the gateway since this time or longer, longest first (`ledger/overdue.ts`). Uses literals, since
 * partial indexes are not used for parameters.
 */
export const overdueOf = (db: Kysely<Tables>, time: DatabaseTime) => ({
  withdrawals: (waited: LongAgo, limit: number): Promise<readonly DueWithdrawal[]> =>
    inEither(waited, sql`coalesce(call_ended_ms, called_ms)`, (isDue, time) =>
      db
        .selectFrom('withdrawals')
        .select(['id', 'user_reference_id'])
        .where(
          sql<boolean>`overdue_ms is null and called_ms is not null
            and status in ('processing', 'awaiting_approval', 'unknown')`,
        )
        .where(isDue)
        .orderBy(time)
        .limit(limit)
        .execute(),
    ),

  /** Withdrawals that a rule has caught, and that have waited for a person since this time or longer. */
  reviews: (waited: LongAgo, limit: number): Promise<readonly DueWithdrawal[]> =>
    inEither(waited, sql`coalesce(wait_until_ms, created_ms)`, (isDue, time) =>
      db
        .selectFrom('withdrawals')
        .select(['id', 'user_reference_id'])
        .where(sql<boolean>`step = 'pending' and review is not null and overdue_ms is null`)
        .where(isDue)
        .orderBy(time)
        .limit(limit)
        .execute(),
    ),

  /** Without the payouts of withdrawals that have not ended. */
  async transactions(waited: LongAgo, limit: number): Promise<readonly DueTransaction[]> {
    const found = await inEither(waited, sql`updated_ms`, (isDue, time) =>
      db
        .selectFrom('transactions as o')
        .select(['kind', 'transaction_uuid', 'user_reference_id'])
        .select(sql<string | null>`case when kind = 'onramp' then ${depositFor(sql`0`)} end`.as('deposit_uuid'))
        .where(
          sql<boolean>`(overdue_ms is null or overdue_ms <= updated_ms) and (withdrawal_id is null or standing = 'withheld')
            and standing <> 'before' and (user_reference_id <> '' or onramp_session_id is not null)
            and (status in ('other', 'processing', 'awaiting_approval') or standing in ('unconfirmed', 'withheld')
              or (kind = 'onramp' and status = 'succeeded' and deposit_uuid is null
            and (user_reference_id = '' or onramp_session_id is null or amount is null)))`,
        )
        .where(isDue)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('withdrawals')
                .select('withdrawals.id')
                .whereRef('withdrawals.user_reference_id', '=', 'o.user_reference_id')
                .whereRef('withdrawals.transaction_uuid', '=', 'o.transaction_uuid')
                .where('withdrawals.status', 'not in', ['succeeded', 'failed']),
            ),
          ),
        )
        .orderBy(time)
        .limit(limit)
        .execute(),
    )
    return found.map(withUser)
  },

  /** The purchases that were reported, of whose line a person has disposed, and the deposits that may be theirs since. */
  async deliveries(limit: number): Promise<readonly PossibleDelivery[]> {
    const { rows } = await sql<PossibleDelivery>`
      select user_reference_id, transaction_uuid, deposit_uuid from (
        select o.user_reference_id, o.transaction_uuid, ${depositFor(sql`o.overdue_ms`)} as deposit_uuid
        from transactions o join users on users.user_reference_id = o.user_reference_id
        where o.kind = 'onramp' and o.overdue_ms is not null and o.deposit_uuid is null and not ${IS_DELIVERED}
          and not exists (select 1 from quarantine q where q.transaction_uuid = o.transaction_uuid and q.reason = 'overdue'
            and q.settled_ms is null)) reported
      where deposit_uuid is not null limit ${limit}`.execute(db)
    return rows
  },

  /** The users with payouts that no list of their own and no event has shown for this long. */
  async awaited(waited: LongAgo, limit: number): Promise<readonly string[]> {
    const found = await inEither(waited, sql`first_seen_ms`, (isDue, time) =>
      db
        .selectFrom('payouts')
        .innerJoin('users', 'users.user_reference_id', 'payouts.user_reference_id')
        .select('payouts.user_reference_id')
        .where(sql<boolean>`owner is null and awaits_list = 1 and status <> 'failed'`)
        .where(isDue)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('transactions')
                .select('transactions.transaction_uuid')
                .whereRef('transactions.user_reference_id', '=', 'payouts.user_reference_id')
                .whereRef('transactions.transaction_uuid', '=', 'payouts.transaction_uuid')
                .where('transactions.kind', '=', 'payout'),
            ),
          ),
        )
        .orderBy(time)
        .limit(limit)
        .execute(),
    )
    return [...new Set(found.map(({ user_reference_id }) => user_reference_id))]
  },

  /**
   * The users whose lists have been partly unreadable, or never completely read although it was tried again, for this
   * long, of whom nobody was told since then, longest first.
   */
  async lists(forMs: number, limit: number): Promise<readonly UnreadableList[]> {
    const since = time.after(-forMs)
    const { rows } = await sql<UnreadableList>`
      with due as (
        select user_reference_id, list_told_ms, unreadable_ms as since_ms from users
        where unreadable_ms is not null and unreadable_ms <= ${since}
        union all
        select user_reference_id, list_told_ms, incomplete_ms as since_ms from users
        where incomplete_ms is not null and incomplete_ms <= ${since} and incomplete_reads > 1)
      select user_reference_id, min(since_ms) as unreadable_ms from due
      where list_told_ms is null or list_told_ms < since_ms
      group by user_reference_id order by 2 limit ${limit}`.execute(db)
    return rows
  },

  /** The users about whose lists an open line stands, although the list was read completely since. */
  async readableAgain(limit: number): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('quarantine')
      .innerJoin('users', 'users.user_reference_id', 'quarantine.user_reference_id')
      .select('users.user_reference_id')
      .where('reason', '=', 'overdue')
      .where('settled_ms', 'is', null)
      .where('transaction_uuid', '=', sql<string>`${LIST} || users.user_reference_id`)
      .where('unreadable_ms', 'is', null)
      .where('incomplete_ms', 'is', null)
      .limit(limit)
      .execute()
    return rows.map(({ user_reference_id }) => user_reference_id)
  },

  /** The user's transactions whose records were reported as vanished; also a payout that an event gave to another user. */
  async vanished(user: string): Promise<readonly TransactionKey[]> {
    const moved = db
      .selectFrom('payouts as p')
      .innerJoin('transactions as t', (join) =>
        join.onRef('t.transaction_uuid', '=', 'p.transaction_uuid').on('t.kind', '=', 'payout'),
      )
      .select(['t.kind', 't.transaction_uuid'])
      .where('p.user_reference_id', '=', user)
      .where('t.user_reference_id', '!=', user)
      .where('t.vanished_ms', 'is not', null)
    return db
      .selectFrom('transactions')
      .select(['kind', 'transaction_uuid'])
      .where('user_reference_id', '=', user)
      .where('vanished_ms', 'is not', null)
      .unionAll(moved)
      .execute()
  },

  /** Those of these transactions about which a line with reason `contradiction` is open. */
  async openContradictions(uuids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (let from = 0; from < uuids.length; from += MOST_UUIDS) {
      const query = db
        .selectFrom('quarantine')
        .select('transaction_uuid')
        .where('transaction_uuid', 'in', uuids.slice(from, from + MOST_UUIDS))
        .where('settled_ms', 'is', null)
        .where('reason', '=', 'contradiction')
      for (const { transaction_uuid } of await query.execute())
        if (transaction_uuid !== null) found.add(transaction_uuid)
    }
    return found
  },
})
