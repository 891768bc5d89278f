import { sql, type Kysely, type Selectable } from 'kysely'
import { canonical, negate, ZERO, type Decimal } from '#lib/contract/money.ts'
import { entriesOf, type BalanceRow, type Booking } from '../../ledger/accounts.ts'
import { notBefore } from '../../ledger/long-ago.ts'
import type { ToldAmounts } from '../../ledger/quarantine-set.ts'
import type { PostingsTable, Tables } from '../database/schema.ts'

/** An entry of a user's own account, with data of its posting. */
export interface UserEntryRow {
  readonly id: number
  readonly posting_key: string
  readonly kind: Booking
  readonly created_ms: number
  readonly currency_id: string
  readonly account: 'available' | 'held'
  readonly amount: Decimal
}

type PostingRow = Selectable<PostingsTable>

const eitherSign = (amount: Decimal): readonly Decimal[] => [canonical(amount), canonical(negate(amount))]

/** A posting's entries for the user's own accounts, newest id first; there are at most two. */
export function userEntriesOf(posting: PostingRow): readonly UserEntryRow[] {
  const { id, posting_key, kind, created_ms, currency_id } = posting
  const entries = entriesOf(posting)
  return (['held', 'available'] as const).flatMap((account, index) =>
    entries.flatMap(({ account: own, amount }) =>
      own === account ? [{ posting_key, kind, created_ms, currency_id, account, amount, id: id * 2 + 1 - index }] : [],
    ),
  )
}

/** Postings, their entries, and the resulting balances. */
export function ledgerStoreOf(db: Kysely<Tables>) {
  return {
    async balance(user: string, currencyId: string): Promise<BalanceRow> {
      const row = await db
        .selectFrom('balances')
        .selectAll()
        .where('user_reference_id', '=', user)
        .where('currency_id', '=', currencyId)
        .executeTakeFirst()
      return row ?? { user_reference_id: user, currency_id: currencyId, available: ZERO, held: ZERO, overdraft: null }
    },

    /** Whether a user has money in this currency, in one of these accounts. */
    async holdsMoney(
      currencyId: string,
      accounts: readonly ('available' | 'held')[] = ['available', 'held'],
    ): Promise<boolean> {
      const row = await db
        .selectFrom('balances')
        .select('currency_id')
        .where('currency_id', '=', currencyId)
        .where((where) => where.or(accounts.map((account) => where(account, '<>', ZERO))))
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    async balances(user: string): Promise<readonly BalanceRow[]> {
      const own = db.selectFrom('balances').selectAll().where('user_reference_id', '=', user)
      return own.orderBy('currency_id').execute()
    },

    async findPosting(
      user: string,
      key: string,
    ): Promise<{ readonly detail: string | null; readonly created_ms: number } | null> {
      const row = await db
        .selectFrom('postings')
        .select(['detail', 'created_ms'])
        .where('user_reference_id', '=', user)
        .where('posting_key', '=', key)
        .executeTakeFirst()
      return row ?? null
    },

    /**
     * By which of these amounts, up or down, adjustments have changed the user's balance since, for each currency: also
     * under another id of the same code, by which a person may have known it.
     */
    async adjustedBy(
      user: string,
      asked: readonly ToldAmounts[],
      nowMs: number,
    ): Promise<ReadonlyMap<string, ReadonlySet<Decimal>>> {
      const adjusted = new Map<string, ReadonlySet<Decimal>>()
      for (const { currency_id, amounts, sinceMs } of asked) {
        const rows = await db
          .selectFrom('postings')
          .select('amount')
          .distinct()
          .where('user_reference_id', '=', user)
          // The range of their keys in the index.
          .where('posting_key', '>=', 'adjustment:')
          .where('posting_key', '<', 'adjustment;')
          .where((where) =>
            where.or([
              where('currency_id', '=', currency_id),
              where(
                'currency_id',
                'in',
                db
                  .selectFrom('currencies')
                  .innerJoin('currencies as own', (join) =>
                    join
                      .on('own.id', '=', currency_id)
                      .on(sql<boolean>`lower(own.currency_code) = lower(currencies.currency_code)`),
                  )
                  .select('currencies.id'),
              ),
            ]),
          )
          .where('amount', 'in', [...new Set(amounts.flatMap(eitherSign))])
          .where('created_ms', '>=', notBefore(sinceMs, nowMs))
          .execute()
        const found = new Set(rows.flatMap(({ amount }) => eitherSign(amount)))
        adjusted.set(currency_id, new Set(amounts.filter((amount) => found.has(canonical(amount)))))
      }
      return adjusted
    },

    /** The user under whose name an erased user's adjustment stands, by its `erasedKey`. */
    async erasedOwner(key: string): Promise<string | null> {
      const row = await db
        .selectFrom('row_users')
        .select('user_reference_id')
        .where('name', '=', key)
        .where('kind', '=', 'adjustment')
        .executeTakeFirst()
      return row?.user_reference_id ?? null
    },

    /**
     * The user's newest postings, newest first, and the balances at the same moment: one statement reads both.
     * @param before returns only postings with lower ids; null starts with the newest
     */
    async postingsWithBalances(
      user: string,
      before: number | null,
      limit: number,
    ): Promise<{ readonly postings: readonly PostingRow[]; readonly balances: readonly BalanceRow[] }> {
      const below = before ?? Number.MAX_SAFE_INTEGER
      const { rows } = await sql<
        (PostingRow & { readonly row: 'posting' }) | (BalanceRow & { readonly row: 'balance' })
      >`
        select 'balance' as row, b.user_reference_id, b.currency_id, b.available, b.held, b.overdraft,
          null as id, null as posting_key, null as kind, null as created_ms, null as detail, null as from_account,
          null as to_account, null as amount
        from balances b where b.user_reference_id = ${user}
        union all
        select * from (
          select 'posting' as row, p.user_reference_id, p.currency_id, null as available, null as held,
            null as overdraft, p.id, p.posting_key, p.kind, p.created_ms, p.detail, p.from_account, p.to_account, p.amount
          from postings p where p.user_reference_id = ${user} and p.id < ${below} order by p.id desc limit ${limit}) newest
        `.execute(db)
      return {
        postings: rows.flatMap((row) => (row.row === 'posting' ? [row] : [])).toSorted((a, b) => b.id - a.id),
        balances: rows.flatMap((row) => (row.row === 'balance' ? [row] : [])),
      }
    },

    /**
     * Entries of the user's own accounts, newest first. Their ids derive from the posting's id: a posting has at most
     * two.
     * @param before returns only ids below it; null starts with the newest
     */
    async userEntries(user: string, before: number | null, limit: number): Promise<readonly UserEntryRow[]> {
      const below = before ?? Number.MAX_SAFE_INTEGER
      const postings = await db
        .selectFrom('postings')
        .selectAll()
        .where('user_reference_id', '=', user)
        .where('id', '<=', Math.floor(below / 2))
        .orderBy('id', 'desc')
        // Each posting changes at least one of the user's accounts.
        .limit(limit + 1)
        .execute()
      return postings
        .flatMap(userEntriesOf)
        .filter(({ id }) => id < below)
        .slice(0, limit)
    },
  }
}
