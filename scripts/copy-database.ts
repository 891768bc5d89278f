/**
 * `npm run copy-database -- file:FROM postgres://TO`: copies a whole SQLite database to PostgreSQL
 * (docs/guides/back-up.md, "Move from SQLite to PostgreSQL"). Stop the cashier first.
 */
import { existsSync } from 'node:fs'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { checkLedger } from '#lib/server/store/commands/check-ledger.ts'
import { copyDatabase } from '#lib/server/store/commands/copy-database.ts'
import type { WholeLedger } from '#lib/server/store/types.ts'
import { printLedger } from './ledger-report.ts'

async function checkBoth(from: WholeLedger, to: WholeLedger): Promise<void> {
  const [before, after] = [await checkLedger(from), await checkLedger(to)]
  printLedger(after)
  if (!isDeepStrictEqual(after, before)) throw new Error('the ledger differs after the copy')
}

const [from = '', to = '', ...more] = parseArgs({ allowPositionals: true }).positionals
const file = from.replace(/^file:/, '')
if (!from.startsWith('file:') || !/^postgres(ql)?:/.test(to) || more.length > 0) {
  console.error('Name the source and the target: npm run copy-database -- file:./data/cashier.db postgres://…')
  process.exitCode = 2
} else {
  try {
    if (!existsSync(file)) throw new Error(`there is no ${file}`)
    const counts = await copyDatabase(file, to, checkBoth)
    for (const [table, rows] of counts) console.log(`${String(rows).padStart(9)}  ${table}`)
    console.log('Copied. Set DATABASE_URL to the new database, and start the cashier.')
  } catch (error) {
    console.error(`Nothing was copied: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
