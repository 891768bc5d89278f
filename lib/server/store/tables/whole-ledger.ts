import { setImmediate as nextTick } from 'node:timers/promises'
import { sql, type Kysely, type Selectable } from 'kysely'
import type { Decimal } from '#lib/contract/money.ts'
import { entriesOf, type BalanceRow } from '../../ledger/accounts.ts'
import { pendingMigrations } from '../database/migrate.ts'
import type { PostingsTable, Tables } from '../database/schema.ts'

/** The amount that an open withdrawal holds. */
export interface HoldRow {
  readonly id: string
  readonly user_reference_id: string
  readonly currency_id: string
  readonly amount: Decimal
}

const PAGE = 1000

/** Reads page by page, each after the last row of the previous page. */
async function* pages<Row>(page: (after: Row | null, limit: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after: Row | null = null; ;) {
    const rows: Row[] = await page(after, PAGE)
    if (rows.length > 0) yield rows
    after = rows.at(-1) ?? null
    if (rows.length < PAGE) return
    // SQLite answers without a turn of the event loop.
    await nextTick()
  }
}

/** After this user, and this row of the user. */
const isAfter = (column: 'id' | 'currency_id', user: string, row: string | number) =>
  sql<boolean>`(user_reference_id, ${sql.ref(column)}) > (${user}, ${row})`

/** The whole ledger, page by page, for commands that read everything (`checkLedger`). */
export const wholeLedgerOf = (db: Kysely<Tables>) => ({
  /** The names of migrations that this build knows and the database has not run. */
  pendingMigrations: () => pendingMigrations({ db }),

  /** Every entry; the two entries of a posting follow each other. */
  async *entries() {
    const postings = pages<Selectable<PostingsTable>>((after, limit) => {
      const query = db.selectFrom('postings').selectAll().orderBy('user_reference_id').orderBy('id').limit(limit)
      return (after === null ? query : query.where(isAfter('id', after.user_reference_id, after.id))).execute()
    })
    for await (const page of postings) yield page.flatMap(entriesOf)
  },

  balances: () =>
    pages<BalanceRow>((after, limit) => {
      const query = db
        .selectFrom('balances')
        .selectAll()
        .orderBy('user_reference_id')
        .orderBy('currency_id')
        .limit(limit)
      if (after === null) return query.execute()
      return query.where(isAfter('currency_id', after.user_reference_id, after.currency_id)).execute()
    }),

  /** The amounts that open withdrawals hold. */
  holds: () =>
    pages<HoldRow>((after, limit) => {
      const query = db
        .selectFrom('withdrawals')
        .select(['id', 'user_reference_id', 'currency_id', 'amount'])
        .where('funds', '=', 'held')
        .orderBy('user_reference_id')
        .orderBy('id')
        .limit(limit)
      return (after === null ? query : query.where(isAfter('id', after.user_reference_id, after.id))).execute()
    }),
})

export type WholeLedger = ReturnType<typeof wholeLedgerOf>
