import { existsSync } from 'node:fs'
import type { LedgerMode } from '../../ledger/accounts.ts'
import { connectDatabase } from '../database/database.ts'
import { booksOf, ledgerStartOf } from '../tables/reconciliation-state.ts'

export interface StoredStart {
  /** The time before which nothing is booked. */
  readonly ledgerStartMs: number | null
  /** Who keeps the books. */
  readonly books: LedgerMode | null
}

/** With what the instances of a database started; nulls before the first start. Writes nothing. */
export async function storedStart(url: string): Promise<StoredStart> {
  const none = { ledgerStartMs: null, books: null }
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) return none
  const database = connectDatabase(url)
  try {
    const tables = await database.db.introspection.getTables()
    if (!tables.some(({ name }) => name === 'reconciliation')) return none
    return { ledgerStartMs: await ledgerStartOf(database.db), books: await booksOf(database.db) }
  } finally {
    await database.close()
  }
}
