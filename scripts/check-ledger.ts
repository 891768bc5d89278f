/** `npm run check:books`: checks the ledger's invariants over the whole database; exit code 1 when one is violated. */
import { checkLedger } from '#lib/server/ledger/check-ledger.ts'
import { withStore } from './with-store.ts'

await withStore(async (store) => {
  const report = await checkLedger(store)
  console.log(`${report.postings} postings, ${report.balances} balances`)
  for (const [reason, count] of Object.entries(report.allowedOverdrafts))
    console.log(`${count} balances below zero, which the rules allow: ${reason}`)
  for (const fault of report.faults) console.error(fault)
  console.log(report.ok ? 'The ledger is consistent.' : `The ledger is not consistent: ${report.faults.length} faults.`)
  return report.ok ? 0 : 1
})
