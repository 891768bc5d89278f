import { sql, type Kysely, type Selectable } from 'kysely'
import type { Currency } from '#lib/contract/cashier.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { SqlBoolean } from '../../ledger/rows.ts'
import type { KnownCurrency } from '../../ledger/unit-of-work.ts'
import type { CurrenciesTable, Tables } from '../database/schema.ts'

/** A currency with what the gateway's list said against its stored meaning. */
export interface StoredCurrency extends KnownCurrency {
  /** Another currency that the list gave its id to; until that meaning is taken, the currency is not offered. */
  readonly listed_as: Currency | null
  /** The open quarantine line about it. */
  readonly report: number | null
}

/** The currency of a row. */
export const toCurrency = (row: Selectable<CurrenciesTable>): KnownCurrency => ({
  id: row.id,
  name: row.name,
  currency_code: row.currency_code,
  symbol: row.symbol,
  network: row.network,
  ...(row.currency_icon === null ? {} : { currency_icon: row.currency_icon }),
  ...(row.network_icon === null ? {} : { network_icon: row.network_icon }),
  listed: row.listed === 1,
})

const toRow = (currency: Currency, listed: SqlBoolean, position: number, now: number): Selectable<CurrenciesTable> => ({
  id: currency.id,
  currency_code: currency.currency_code,
  name: currency.name,
  symbol: currency.symbol,
  network: currency.network,
  currency_icon: currency.currency_icon ?? null,
  network_icon: currency.network_icon ?? null,
  listed,
  position,
  updated_ms: now,
  listed_as: null,
})

/** The row of a currency that only a webhook or record has named. */
export const learnedRow = (currency: Currency, now: number): Selectable<CurrenciesTable> =>
  toRow(currency, 0, 1_000_000, now)

export function currenciesOf(db: Kysely<Tables>, flavour: Flavour) {
  const withReports = () =>
    db
      .selectFrom('currencies')
      .selectAll()
      // The report stands under the currency's id instead of a transaction's.
      .select(
        sql<number | null>`case when listed_as is not null then (select max(q.id) from quarantine q
          where q.reason = 'contradiction' and q.settled_ms is null and q.transaction_uuid = currencies.id) end`.as(
          'report',
        ),
      )

  const toStored = (row: Selectable<CurrenciesTable> & { readonly report: number | null }): StoredCurrency => ({
    ...toCurrency(row),
    listed_as: row.listed_as === null ? null : (JSON.parse(row.listed_as) as Currency),
    report: row.report,
  })

  return {
    async all(): Promise<readonly KnownCurrency[]> {
      const rows = await db.selectFrom('currencies').selectAll().orderBy('position').orderBy('id').execute()
      return rows.map(toCurrency)
    },

    async byId(id: string): Promise<KnownCurrency | null> {
      const row = await db.selectFrom('currencies').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toCurrency(row) : null
    },

    async withReports(): Promise<readonly StoredCurrency[]> {
      return (await withReports().orderBy('position').orderBy('id').execute()).map(toStored)
    },

    /** Inside a transaction: locks all rows, so that no other transaction stores a list before this one ends. */
    async lockAll(): Promise<void> {
      const query = db.selectFrom('currencies').select('id').orderBy('id')
      await (flavour === 'postgres' ? query.forUpdate() : query).execute()
    },

    /** Inside a transaction: these currencies, whose names no other transaction changes before this one ends. */
    async keepNames(ids: readonly string[]): Promise<readonly KnownCurrency[]> {
      if (ids.length === 0) return []
      const query = db.selectFrom('currencies').selectAll().where('id', 'in', ids).orderBy('id')
      return (await (flavour === 'postgres' ? query.forShare() : query).execute()).map(toCurrency)
    },

    /** Takes a currency off the offer, because the gateway's list gives its id to another one. */
    async markChanged(id: string, listedAs: Currency): Promise<void> {
      await db
        .updateTable('currencies')
        .set({ listed: 0, listed_as: JSON.stringify(listedAs) })
        .where('id', '=', id)
        .execute()
    },

    /**
     * Replaces the listed currencies by the gateway's list. Currencies that are no longer listed stay known. The icon
     * of a network stays if the list has none.
     */
    async replaceListed(list: readonly Currency[], now: number): Promise<void> {
      await db.updateTable('currencies').set({ listed: 0 }).where('listed', '=', 1).execute()
      for (const [position, currency] of list.entries()) {
        const row = toRow(currency, 1, position, now)
        const { network_icon, ...others } = row
        await db
          .insertInto('currencies')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(network_icon === null ? others : row))
          .execute()
      }
    },

    async count(): Promise<number> {
      const row = await db
        .selectFrom('currencies')
        .select(sql<number>`count(*)`.as('n'))
        .where('listed', '=', 1)
        .executeTakeFirstOrThrow()
      return row.n
    },
  }
}
