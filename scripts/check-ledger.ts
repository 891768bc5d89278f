/**
 * `npm run check:books`: checks the ledger's invariants over the whole database; exit code 1 when one is violated. It
 * reads one state of the database and writes nothing, so it may run beside the cashier.
 */
import { checkBooks, type LedgerReport } from '#lib/server/ledger/check-ledger.ts'
import { openSnapshot } from '#lib/server/store/snapshot.ts'
import { withDatabase } from './with-store.ts'

function print(report: LedgerReport): number {
  console.log(`${report.postings} postings, ${report.balances} balances`)
  for (const [reason, count] of Object.entries(report.allowedOverdrafts))
    console.log(`${count} balances below zero, which the rules allow: ${reason}`)
  for (const fault of report.faults) console.error(fault)
  console.log(report.ok ? 'The ledger is consistent.' : `The ledger is not consistent: ${report.faults.length} faults.`)
  return report.ok ? 0 : 1
}

await withDatabase((url) =>
  openSnapshot(url, async (books) => {
    const pending = await books.pendingMigrations()
    if (pending.length === 0) return print(await checkBooks(books))
    console.error(`The database is of an older version, start the cashier first. Not run yet: ${pending.join(', ')}`)
    return 1
  }),
)
