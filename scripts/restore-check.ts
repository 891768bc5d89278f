/**
 * `npm run restore-check -- FILE`: restores an SQLite backup into a temporary folder, migrates it to this version, and
 * checks it. With a URL `postgres://…` it checks a database into which a dump was restored, and only reads it. Exit
 * code 1 if the backup cannot be used. It needs no settings.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkLedger } from '#lib/server/store/commands/check-ledger.ts'
import { damagesOf } from '#lib/server/store/commands/backup.ts'
import { openDatabase } from '#lib/server/store/database/database.ts'
import { openSnapshot } from '#lib/server/store/tables/snapshot.ts'
import { printLedger } from './ledger-report.ts'

const checkDatabase = (url: string): Promise<number> =>
  openSnapshot(url, async (ledger) => {
    const pending = await ledger.pendingMigrations()
    if (pending.length === 0) return printLedger(await checkLedger(ledger))
    console.error(`The database has the schema of an older version. Missing migrations: ${pending.join(', ')}`)
    return 1
  })

async function checkFile(file: string): Promise<number> {
  if (!existsSync(file)) throw new Error(`there is no ${file}`)
  const folder = mkdtempSync(join(tmpdir(), 'cashier-restore-'))
  try {
    const restored = join(folder, 'cashier.db')
    copyFileSync(file, restored)
    const damages = damagesOf(restored)
    for (const damage of damages) console.error(damage)
    if (damages.length > 0) return 1
    await (await openDatabase(`file:${restored}`)).close()
    return await checkDatabase(`file:${restored}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [backup, ...more] = parseArgs({ allowPositionals: true }).positionals
if (backup === undefined || more.length > 0) {
  console.error('Name a backup: npm run restore-check -- FILE, or postgres://…')
  process.exitCode = 2
} else {
  try {
    process.exitCode = await (/^postgres(ql)?:/.test(backup) ? checkDatabase(backup) : checkFile(backup))
    console.log(process.exitCode === 0 ? 'The backup can be restored.' : 'The backup cannot be used.')
  } catch (error) {
    console.error(`The backup cannot be used: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
