import { storedStart } from '../../store/commands/stored-start.ts'
import type { Config } from '../config/config.ts'
import { booksFault } from '../keep-books.ts'
import { note, type Finding } from './finding.ts'

/** Says if the next start changes who keeps the ledger. */
export async function checkBooksChange({
  databaseUrl,
  ledgerMode,
}: Pick<Config, 'databaseUrl' | 'ledgerMode'>): Promise<readonly Finding[]> {
  // `checkDatabase` reports a database that cannot be read.
  const { books } = await storedStart(databaseUrl).catch(() => ({ books: null }))
  const change = booksFault(ledgerMode, books)
  const guide = 'docs/guides/operate.md, "Changing who keeps the ledger"'
  return change === null ? [] : [note('ledger', `${change}: the next start changes that; read ${guide} before`)]
}
