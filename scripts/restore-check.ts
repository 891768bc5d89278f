/**
 * `npm run restore-check -- FILE`: restores an SQLite backup into a temporary folder, migrates it to this version, and
 * checks it. With a URL `postgres://…` it checks a database into which a dump was restored, and only reads it. Exit
 * code 1 if the backup cannot be used. It needs no settings.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commandText } from '#lib/server/runtime/command-text.ts'
import { contentsFaults, isUnused } from '#lib/server/store/commands/check-contents.ts'
import { checkAudit } from '#lib/server/store/commands/check-audit.ts'
import { checkLedger } from '#lib/server/store/commands/check-ledger.ts'
import { damagesOf } from '#lib/server/store/commands/backup.ts'
import { dumpFormat } from '#lib/server/store/commands/postgres-dump.ts'
import { openDatabase } from '#lib/server/store/database/database.ts'
import { refuseForeignLog } from '#lib/server/store/database/foreign-log.ts'
import type { Contents } from '#lib/server/store/tables/contents.ts'
import { openSnapshot } from '#lib/server/store/tables/snapshot.ts'
import { printLedger } from './ledger-report.ts'
import { usageText } from './program/help.ts'

const timeOf = (ms: number | null): string => (ms === null ? 'none' : new Date(ms).toISOString())

/** Prints rows by table, the newest rows, and the faults. Returns the number of faults. */
function printContents(contents: Contents): number {
  const { rows, feed, newestWebhookMs } = contents
  for (const [table, count] of rows) console.log(`${String(count).padStart(9)}  ${table}`)
  const event = feed.last === null ? 'none' : `${feed.last}, ${timeOf(feed.newestMs)}`
  console.log(`Newest event of the feed: ${event}`)
  console.log(`Newest webhook: ${timeOf(newestWebhookMs)}`)
  if (isUnused(contents)) console.log('The database was never used: it has no users and no webhooks.')
  const faults = contentsFaults(contents)
  for (const fault of faults) console.error(`Rows are missing: ${fault}.`)
  const { missingObjects } = contents
  if (missingObjects.length > 0) console.error(`The schema is cut off: it lacks ${missingObjects.join(', ')}.`)
  return faults.length + missingObjects.length
}

const checkDatabase = (url: string): Promise<number> =>
  openSnapshot(url, async (ledger) => {
    const pending = await ledger.pendingMigrations()
    if (pending.length > 0) {
      console.error(`The database has the schema of an older version. Missing migrations: ${pending.join(', ')}`)
      return 1
    }
    const faults = printContents(await ledger.contents())
    const { fault, end } = await checkAudit(ledger.audit)
    if (fault === null) console.log(`The audit log is whole: ${end.entries} entries.`)
    else console.error(`The audit log is broken: entry ${fault.seq} ${fault.what}.`)
    return printLedger(await checkLedger(ledger)) === 0 && faults === 0 && fault === null ? 0 : 1
  })

/** The command that restores a dump of PostgreSQL; null for any other file. */
function restoreCommand(dump: string): string | null {
  if (!existsSync(dump)) return null
  const archive = `pg_restore --no-owner --dbname=cashier_check ${dump}`
  if (statSync(dump).isDirectory()) return existsSync(join(dump, 'toc.dat')) ? archive : null
  const format = dumpFormat(dump)
  if (format === 'archive') return archive
  return format === 'script' ? `psql --set=ON_ERROR_STOP=1 --dbname=cashier_check --file=${dump}` : null
}

async function checkFile(file: string): Promise<number> {
  if (!existsSync(file)) throw new Error(`there is no ${file}`)
  const folder = mkdtempSync(join(tmpdir(), 'cashier-restore-'))
  try {
    const restored = join(folder, 'cashier.db')
    refuseForeignLog(file)
    copyFileSync(file, restored)
    // A snapshot of the disk has the last commits in its log alone.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${restored}-wal`)
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
const restore = backup === undefined ? null : restoreCommand(backup)
if (backup === undefined || more.length > 0) {
  console.error(`Name a backup:\n${usageText('restore-check')}`)
  process.exitCode = 2
} else if (restore !== null) {
  console.error(`This is a dump of PostgreSQL. Restore it, and check that database:
  createdb cashier_check
  ${restore}
  ${commandText('restore-check', 'postgres://…/cashier_check')}`)
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
