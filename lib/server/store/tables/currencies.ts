import { sql, type Kysely, type Selectable } from 'kysely'
import type { Currency } from '#lib/contract/cashier.ts'
import type { SqlBoolean } from '../../ledger/rows.ts'
import type { KnownCurrency } from '../../ledger/unit-of-work.ts'
import type { CurrenciesTable, Tables } from '../database/schema.ts'

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
})

/** The row of a currency that only a webhook or record has named. */
export const learnedRow = (currency: Currency, now: number): Selectable<CurrenciesTable> =>
  toRow(currency, 0, 1_000_000, now)

export function currenciesOf(db: Kysely<Tables>) {
  return {
    async all(): Promise<readonly KnownCurrency[]> {
      const rows = await db.selectFrom('currencies').selectAll().orderBy('position').orderBy('id').execute()
      return rows.map(toCurrency)
    },

    async byId(id: string): Promise<KnownCurrency | null> {
      const row = await db.selectFrom('currencies').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toCurrency(row) : null
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
