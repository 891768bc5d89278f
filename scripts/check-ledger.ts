/**
 * `npm run check:ledger`: checks the ledger's invariants over the whole database; exit code 1 when one is violated. It
 * reads a consistent snapshot of the database and writes nothing, so it may run beside the cashier.
 */
import { checkLedger } from '#lib/server/store/commands/check-ledger.ts'
import { openSnapshot } from '#lib/server/store/tables/snapshot.ts'
import { printLedger } from './ledger-report.ts'
import { withDatabase } from './with-store.ts'

await withDatabase((url) =>
  openSnapshot(url, async (ledger) => {
    const pending = await ledger.pendingMigrations()
    if (pending.length === 0) return printLedger(await checkLedger(ledger))
    console.error(
      `The database has the schema of an older version: start the cashier first. Missing migrations: ${pending.join(', ')}`,
    )
    return 1
  }),
)
