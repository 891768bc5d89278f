import { sql, type Kysely, type Selectable } from 'kysely'
import type { Currency } from '#lib/contract/cashier.ts'
import type { CurrenciesTable, SqlBoolean, Tables } from './schema.ts'

export interface KnownCurrency extends Currency {
  /** False if the gateway does not list it (any more): known from webhooks, for records and balances only. */
  readonly listed: boolean
}

const toCurrency = (row: Selectable<CurrenciesTable>): KnownCurrency => ({
  id: row.id,
  name: row.name,
  currency_code: row.currency_code,
  symbol: row.symbol,
  network: row.network,
  ...(row.currency_icon === null ? {} : { currency_icon: row.currency_icon }),
  listed: row.listed === 1,
})

const toRow = (currency: Currency, listed: SqlBoolean, position: number, now: number): Selectable<CurrenciesTable> => ({
  id: currency.id,
  currency_code: currency.currency_code,
  name: currency.name,
  symbol: currency.symbol,
  network: currency.network,
  currency_icon: currency.currency_icon ?? null,
  listed,
  position,
  updated_ms: now,
})

export function currenciesOf(db: Kysely<Tables>) {
  /** Events that share a transaction mostly have the same few currencies. */
  const learned = new Set<string>()

  return {
    async all(): Promise<readonly KnownCurrency[]> {
      const rows = await db.selectFrom('currencies').selectAll().orderBy('position').orderBy('id').execute()
      return rows.map(toCurrency)
    },

    async byId(id: string): Promise<KnownCurrency | null> {
      const row = await db.selectFrom('currencies').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toCurrency(row) : null
    },

    /** Replaces the listed currencies by the gateway's list; those that it no longer has stay known. */
    async replaceListed(list: readonly Currency[], now: number): Promise<void> {
      await db.updateTable('currencies').set({ listed: 0 }).where('listed', '=', 1).execute()
      for (const [position, currency] of list.entries()) {
        const row = toRow(currency, 1, position, now)
        await db
          .insertInto('currencies')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute()
      }
    },

    /** Stores the currency of a webhook or record if it is new. */
    async learn(currency: Currency, now: number): Promise<void> {
      if (learned.has(currency.id)) return
      learned.add(currency.id)
      const row = toRow(currency, 0, 1_000_000, now)
      await db
        .insertInto('currencies')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
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
