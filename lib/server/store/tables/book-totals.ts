import { sql, type Kysely } from 'kysely'
import type { BalanceRow } from '../../ledger/accounts.ts'
import type { SqlBoolean } from '../../ledger/rows.ts'
import type { BookTotalsTable, Tables } from '../database/schema.ts'

export type BookTotal = BookTotalsTable

/** The last row of a page; the next page begins after it. */
export type BookPlace = Pick<BalanceRow, 'user_reference_id' | 'currency_id'>

const isAfter = ({ user_reference_id: user, currency_id: currency }: BookPlace) =>
  sql<boolean>`(user_reference_id, currency_id) > (${user}, ${currency})`

/** Sums over all users, and the pages that they are taken from. */
export const bookTotalsOf = (db: Kysely<Tables>) => ({
  async balancesAfter(place: BookPlace, limit: number): Promise<readonly (BookPlace & BalanceRow)[]> {
    return db
      .selectFrom('balances')
      .selectAll()
      .where(isAfter(place))
      .orderBy('user_reference_id')
      .orderBy('currency_id')
      .limit(limit)
      .execute()
  },

  async controlTotalsAfter(
    place: BookPlace,
    limit: number,
  ): Promise<readonly (BookPlace & Pick<Tables['control_totals'], 'gateway' | 'ledger'> & { differs: SqlBoolean })[]> {
    return (
      db
        .selectFrom('control_totals')
        .select(['user_reference_id', 'currency_id', 'gateway', 'ledger'])
        // Two transactions of opposite amounts do not show in the difference.
        .select(sql<SqlBoolean>`case when transactions = '[]' then 0 else 1 end`.as('differs'))
        .where(isAfter(place))
        .orderBy('user_reference_id')
        .orderBy('currency_id')
        .limit(limit)
        .execute()
    )
  },

  /** Inside a transaction. */
  async replace(rows: readonly BookTotal[]): Promise<void> {
    await db.deleteFrom('book_totals').execute()
    if (rows.length > 0)
      await db
        .insertInto('book_totals')
        .values([...rows])
        .execute()
  },

  async all(): Promise<readonly BookTotal[]> {
    return db.selectFrom('book_totals').selectAll().execute()
  },
})
