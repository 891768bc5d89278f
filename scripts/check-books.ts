/** `npm run check:books`: proves that the ledger agrees with itself. Exit code 1 where it does not. */
import { checkBooks } from '#lib/server/ledger/check-books.ts'
import { faultsText, readEnvironment } from '#lib/server/runtime/config/environment.ts'
import { openStore } from '#lib/server/store/store.ts'

const read = readEnvironment()
if (!read.ok) {
  console.error(faultsText(read.faults))
  process.exit(1)
}
const store = await openStore({ url: read.settings.databaseUrl, clock: Date.now, deliver: false })
try {
  const { ok, faults, allowedOverdrafts, postings, balances } = await checkBooks(store)
  for (const fault of faults) console.error(fault)
  for (const [reason, count] of Object.entries(allowedOverdrafts)) console.log(`${count} below zero by ${reason}`)
  console.log(`${postings} postings, ${balances} balances, ${faults.length} faults`)
  process.exitCode = ok ? 0 : 1
} finally {
  await store.close()
}
