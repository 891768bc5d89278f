/**
 * `npm run check:books`: checks the ledger's invariants over the whole database; exit code 1 when one is violated. It
 * reads one state of the database and writes nothing, so it may run beside the cashier.
 */
import { checkBooks } from '#lib/server/ledger/check-ledger.ts'
import { openSnapshot } from '#lib/server/store/snapshot.ts'
import { printLedger } from './ledger-report.ts'
import { withDatabase } from './with-store.ts'

await withDatabase((url) =>
  openSnapshot(url, async (books) => {
    const pending = await books.pendingMigrations()
    if (pending.length === 0) return printLedger(await checkBooks(books))
    console.error(`The database is of an older version, start the cashier first. Not run yet: ${pending.join(', ')}`)
    return 1
  }),
)
