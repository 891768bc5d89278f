/** `npm run check:books`: checks the ledger's invariants over the whole store; exit code 1 where one does not hold. */
import { checkBooks } from '#lib/server/ledger/check-books.ts'
import { withStore } from './with-store.ts'

await withStore(async (store) => {
  const report = await checkBooks(store)
  console.log(`${report.postings} postings, ${report.balances} balances`)
  for (const [reason, count] of Object.entries(report.allowedOverdrafts))
    console.log(`${count} below zero as the rules allow: ${reason}`)
  for (const fault of report.faults) console.error(fault)
  console.log(report.ok ? 'The books are sound.' : `The books are not sound: ${report.faults.length} faults.`)
  return report.ok ? 0 : 1
})
