import { existsSync } from 'node:fs'
import { connectDatabase } from '../database/database.ts'
import { ledgerStartOf } from '../tables/reconciliation-state.ts'

/** The time before which nothing is booked; null before the first start. Writes nothing. */
export async function storedLedgerStart(url: string): Promise<number | null> {
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) return null
  const database = connectDatabase(url)
  try {
    const tables = await database.db.introspection.getTables()
    return tables.some(({ name }) => name === 'reconciliation') ? await ledgerStartOf(database.db) : null
  } finally {
    await database.close()
  }
}
