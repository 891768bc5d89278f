import type { Insertable, Kysely } from 'kysely'
import { ZERO, type Decimal } from '#lib/contract/money.ts'
import type { BalanceRow, Booking, Posting } from '../ledger/accounts.ts'
import type { EntriesTable, Tables } from './schema.ts'

/** An entry of a user's own account, with its posting. */
export interface UserEntryRow {
  readonly id: number
  readonly posting_key: string
  readonly kind: Booking
  readonly created_ms: number
  readonly currency_id: string
  readonly account: 'available' | 'held'
  readonly amount: Decimal
}

/** Postings, their entries, and the balances that they add up to. */
export function ledgerStoreOf(db: Kysely<Tables>) {
  /** A transaction that has locked the user is the only writer of its balances, so one that was read stays true. */
  const read = new Map<string, BalanceRow>()
  const keyOf = (user: string, currencyId: string): string => `${user} ${currencyId}`
  const remember = (balance: BalanceRow): BalanceRow => {
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
      return remember(
        row ?? { user_reference_id: user, currency_id: currencyId, available: ZERO, held: ZERO, overdraft: null },
      )
    },

    async balances(user: string): Promise<readonly BalanceRow[]> {
      return db.selectFrom('balances').selectAll().where('user_reference_id', '=', user).execute()
    },

    async setBalance(balance: BalanceRow): Promise<void> {
      remember(balance)
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

    async insertPosting(posting: Posting, now: number): Promise<void> {
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

    /**
     * Entries of the user's own accounts, newest first. Their ids follow from the posting's: one posting has at most two.
     * @param before ids below it; null for the newest
     */
    async userEntries(user: string, before: number | null, limit: number): Promise<readonly UserEntryRow[]> {
      const heldIncluded = before === null ? Number.MAX_SAFE_INTEGER : Math.floor(before / 2)
      const all = before === null ? Number.MAX_SAFE_INTEGER : Math.ceil(before / 2)
      const rows = await db
        .selectFrom('postings')
        .innerJoin('entries', 'entries.posting_key', 'postings.posting_key')
        .select(['postings.id', 'postings.posting_key', 'postings.kind', 'postings.created_ms', 'postings.currency_id'])
        .select(['entries.account', 'entries.amount'])
        .where('postings.user_reference_id', '=', user)
        .where('postings.id', '<', all)
        .where((where) =>
          where.or([
            where('entries.account', '=', 'available'),
            where.and([where('entries.account', '=', 'held'), where('postings.id', '<', heldIncluded)]),
          ]),
        )
        .orderBy('postings.id', 'desc')
        .orderBy('entries.account', 'desc')
        .limit(limit)
        .execute()
      return rows.flatMap(({ id, account, ...row }) =>
        account === 'available' || account === 'held'
          ? [{ ...row, account, id: id * 2 + (account === 'held' ? 1 : 0) }]
          : [],
      )
    },
  }
}
