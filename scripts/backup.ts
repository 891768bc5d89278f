/**
 * `npm run backup -- FILE`: copies the SQLite database of `DATABASE_URL` into a new file, while the cashier runs
 * (docs/guides/back-up.md, "Make a backup and try it"). PostgreSQL has `pg_dump`.
 */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { commandText } from '#lib/server/runtime/command-text.ts'
import { backUpFile } from '#lib/server/store/commands/backup.ts'
import { usageText } from './program/help.ts'
import { withDatabase } from './with-store.ts'

const [file, ...more] = parseArgs({ allowPositionals: true }).positionals
if (file === undefined || more.length > 0) {
  console.error(`Name the file to make: ${usageText('backup')}`)
  process.exitCode = 2
} else {
  await withDatabase(async (url) => {
    if (!url.startsWith('file:')) {
      console.error(
        'This database is PostgreSQL: pg_dump --format=custom --no-unlogged-table-data --file=FILE "$DATABASE_URL"',
      )
      return 2
    }
    try {
      await backUpFile(url.slice('file:'.length), file)
    } catch (error) {
      console.error(`No backup was made: ${error instanceof Error ? error.message : String(error)}`)
      return 1
    }
    console.log(`${file}: ${statSync(file).size} bytes. Try it: ${commandText('restore-check', file)}`)
    return 0
  })
}
