import type { Kysely } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows } from '../database/multi-row.ts'
import type { Measure, MeasurementsTable, Tables } from '../database/schema.ts'

export type MeasurementRow = MeasurementsTable

/** The feed's last event that was measured, in `reconciliation`. */
const CURSOR = 'measured'

/** What is known of each currency: at most one row for each measure, which holds its samples. */
export const measurementsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const insert = insertRows<MeasurementRow>(
    flavour,
    'measurements',
    { currency_id: 'text', measure: 'text', meaning: 'text', samples: 'text', updated_ms: 'bigint' },
    'replace',
    ['currency_id', 'measure'],
  )
  return {
    async all(): Promise<readonly MeasurementRow[]> {
      return db.selectFrom('measurements').selectAll().orderBy('currency_id').execute()
    },

    /** Puts rows in the place of those with the same currency and measure. */
    async put(rows: readonly MeasurementRow[]): Promise<void> {
      await insert(db, rows)
    },

    async remove(measure: Measure, currencyIds: readonly string[]): Promise<void> {
      if (currencyIds.length === 0) return
      await db
        .deleteFrom('measurements')
        .where('currency_id', 'in', currencyIds)
        .where('measure', '=', measure)
        .execute()
    },

    async cursor(): Promise<number> {
      const row = await db.selectFrom('reconciliation').select('value').where('name', '=', CURSOR).executeTakeFirst()
      return row?.value ?? 0
    },

    async setCursor(value: number): Promise<void> {
      await db
        .insertInto('reconciliation')
        .values({ name: CURSOR, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
  }
}
