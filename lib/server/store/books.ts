import type { Insertable, Kysely, Selectable } from 'kysely'
import { ZERO, type Decimal } from '#lib/contract/money.ts'
import type { BalancesTable, EntriesTable, Tables } from './schema.ts'

export interface BalanceRow {
  readonly user_reference_id: string
  readonly currency_id: string
  readonly available: Decimal
  readonly held: Decimal
  readonly overdraft: string | null
}

/** One booking: its entries sum to zero. */
export interface Posting {
  readonly posting_key: string
  readonly user_reference_id: string
  readonly currency_id: string
  readonly kind: string
  readonly entries: readonly { readonly account: string; readonly amount: Decimal }[]
  /** JSON that says more, such as an adjustment's content. */
  readonly detail?: string
}

// The store is the only writer of these columns, and what it writes are decimals.
const toBalance = (row: Selectable<BalancesTable>): BalanceRow => ({
  ...row,
  available: row.available as Decimal,
  held: row.held as Decimal,
})

export function booksOf(db: Kysely<Tables>) {
  /** In a transaction that has locked the user nobody else changes a balance, so one that was read holds. */
  const read = new Map<string, BalanceRow>()
  const keyOf = (user: string, currencyId: string): string => `${user} ${currencyId}`
  const keep = (balance: BalanceRow): BalanceRow => {
    if (db.isTransaction) read.set(keyOf(balance.user_reference_id, balance.currency_id), balance)
    return balance
  }

  return {
    async balance(user: string, currencyId: string): Promise<BalanceRow> {
      const known = read.get(keyOf(user, currencyId))
      if (known !== undefined) return known
      const row = await db
        .selectFrom('balances')
        .selectAll()
        .where('user_reference_id', '=', user)
        .where('currency_id', '=', currencyId)
        .executeTakeFirst()
      return keep(
        row
          ? toBalance(row)
          : { user_reference_id: user, currency_id: currencyId, available: ZERO, held: ZERO, overdraft: null },
      )
    },

    async balances(user: string): Promise<readonly BalanceRow[]> {
      const rows = await db.selectFrom('balances').selectAll().where('user_reference_id', '=', user).execute()
      return rows.map(toBalance)
    },

    async setBalance(balance: BalanceRow): Promise<void> {
      keep(balance)
      await db
        .insertInto('balances')
        .values(balance)
        .onConflict((conflict) =>
          conflict
            .columns(['user_reference_id', 'currency_id'])
            .doUpdateSet({ available: balance.available, held: balance.held, overdraft: balance.overdraft }),
        )
        .execute()
    },

    async findPosting(key: string): Promise<{ readonly detail: string | null; readonly created_ms: number } | null> {
      const row = await db
        .selectFrom('postings')
        .select(['detail', 'created_ms'])
        .where('posting_key', '=', key)
        .executeTakeFirst()
      return row ?? null
    },

    async post(posting: Posting, now: number): Promise<void> {
      await db
        .insertInto('postings')
        .values({
          posting_key: posting.posting_key,
          user_reference_id: posting.user_reference_id,
          currency_id: posting.currency_id,
          kind: posting.kind,
          created_ms: now,
          detail: posting.detail ?? null,
        })
        .execute()
      const rows: Insertable<EntriesTable>[] = posting.entries.map((entry) => ({
        posting_key: posting.posting_key,
        account: entry.account,
        user_reference_id: posting.user_reference_id,
        currency_id: posting.currency_id,
        amount: entry.amount,
      }))
      await db.insertInto('entries').values(rows).execute()
    },

    /** Every entry, for the check of the books. */
    async entries(): Promise<readonly (Selectable<EntriesTable> & { amount: Decimal })[]> {
      const rows = await db.selectFrom('entries').selectAll().execute()
      return rows.map((row) => ({ ...row, amount: row.amount as Decimal }))
    },

    async allBalances(): Promise<readonly BalanceRow[]> {
      return (await db.selectFrom('balances').selectAll().execute()).map(toBalance)
    },

    /** What open withdrawals hold, by user and currency. */
    async heldByWithdrawals(): Promise<readonly { user_reference_id: string; currency_id: string; amount: Decimal }[]> {
      const rows = await db
        .selectFrom('withdrawals')
        .select(['user_reference_id', 'currency_id', 'amount'])
        .where('funds', '=', 'held')
        .execute()
      return rows.map((row) => ({ ...row, amount: row.amount as Decimal }))
    },
  }
}
