/**
 * `npm run check:audit`: checks the chain of the audit log; exit code 1 if an entry was changed, removed or inserted. It
 * only reads, and may run beside the cashier. `-- --end 41:9f2c…` also compares an earlier end, from the cashier's log.
 */
import { parseArgs } from 'node:util'
import { checkAudit, type AuditEnd } from '#lib/server/store/commands/check-audit.ts'
import { openSnapshot } from '#lib/server/store/tables/snapshot.ts'
import { usageText } from './program/help.ts'
import { withDatabase } from './with-store.ts'

const END = /^(\d{1,15}):([0-9a-f]{64})$/

/** Undefined if the options cannot be read. */
function readEnd(): AuditEnd | null | undefined {
  try {
    const { end } = parseArgs({ options: { end: { type: 'string' } } }).values
    if (end === undefined) return null
    const [, entries, hash] = END.exec(end) ?? []
    return entries === undefined || hash === undefined ? undefined : { entries: Number(entries), hash }
  } catch {
    return undefined
  }
}

const noted = readEnd()
if (noted === undefined) {
  console.error(usageText('check-audit'))
  process.exitCode = 2
} else
  await withDatabase((url) =>
    openSnapshot(url, async (snapshot) => {
      const pending = await snapshot.pendingMigrations()
      if (pending.length > 0) {
        console.error(
          `The database has the schema of an older version: start the cashier first. Missing migrations: ${pending.join(', ')}`,
        )
        return 1
      }
      const { fault, end, erased } = await checkAudit(snapshot.audit, noted)
      console.log(`${end.entries} entries, ${erased} of them blanked when their person was erased`)
      if (fault === null) {
        console.log(`The audit log is whole. Its end: ${end.entries}:${end.hash}`)
        return 0
      }
      console.error(`The audit log is broken: entry ${fault.seq} ${fault.what}.`)
      return 1
    }),
  )
