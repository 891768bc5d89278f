/**
 * `npm run copy-database -- file:FROM postgres://TO`: copies a whole SQLite database to PostgreSQL
 * (docs/guides/back-up.md, "Move from SQLite to PostgreSQL"). It refuses to run beside an instance, and marks the source
 * as copied; `--undo` removes the mark, unless an instance runs on the copy, and does what `npm run restored` does.
 */
import { existsSync } from 'node:fs'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { commandText } from '#lib/server/runtime/command-text.ts'
import { checkLedger } from '#lib/server/store/commands/check-ledger.ts'
import { copyDatabase, undoCopy } from '#lib/server/store/commands/copy-database.ts'
import type { WholeLedger } from '#lib/server/store/types.ts'
import { printLedger } from './ledger-report.ts'
import { usageLines } from './program/help.ts'
import { restoredLines } from './restored-lines.ts'
import { wantedPartitions } from './with-store.ts'

async function checkBoth(from: WholeLedger, to: WholeLedger): Promise<void> {
  const [before, after] = [await checkLedger(from), await checkLedger(to)]
  printLedger(after)
  if (!isDeepStrictEqual(after, before)) throw new Error('the ledger differs after the copy')
}

/** Each line of the usage, with what it is for. */
function usage(): string {
  const purposes = ['Name the source and the target', 'To use the source again after a copy', 'If the copy is gone']
  return usageLines('copy-database')
    .map((line, index) => `${purposes[index] ?? 'Or'}: ${line}`)
    .join('\n')
}

async function copy(file: string, to: string): Promise<number> {
  const { counts, unmarked } = await copyDatabase(file, to, checkBoth, wantedPartitions())
  for (const [table, rows] of counts) console.log(`${String(rows).padStart(9)}  ${table}`)
  console.log('Copied. Set DATABASE_URL to the new database, and start the cashier.')
  if (unmarked === null) return 0
  console.error(`Do not start the cashier on ${file} again: it could not be marked as copied (${unmarked.message}).`)
  return 1
}

async function undo(file: string, to: string | null): Promise<number> {
  const doubted = await undoCopy(file, to)
  if (doubted === null) console.log(`${file} was not copied.`)
  else {
    console.log(
      `The cashier starts on ${file} again. Do not use the copy any more: the two do not know each other's changes.`,
    )
    console.log(`The same was done as by \`${commandText('restored')}\`: the feed has a new epoch.`)
    for (const line of restoredLines('the copy', 'the last withdrawal on the copy')) console.log(line)
    if (doubted > 0)
      console.log(
        `Withdrawals that waited for the merchant when it was copied: ${doubted}. The copy may have sent them, so their status is unknown until the gateway's list shows whether they exist.`,
      )
  }
  return 0
}

interface Request {
  readonly undone: boolean
  readonly from: string
  /** Null only for a copy that does not exist any more. */
  readonly to: string | null
}

/** Null if the arguments are wrong. */
function readArguments(): Request | null {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { undo: flag, gone: flag } })
    const [from = '', to = '', ...more] = positionals
    const right = from.startsWith('file:') && (values.gone ? values.undo && to === '' : /^postgres(ql)?:/.test(to))
    return right && more.length === 0 ? { undone: values.undo, from, to: values.gone ? null : to } : null
  } catch {
    return null
  }
}

const request = readArguments()
if (request === null) {
  console.error(usage())
  process.exitCode = 2
} else {
  const file = request.from.slice('file:'.length)
  try {
    if (!existsSync(file)) throw new Error(`there is no ${file}`)
    const { to } = request
    process.exitCode = request.undone || to === null ? await undo(file, to) : await copy(file, to)
  } catch (error) {
    const what = request.undone ? 'Nothing was changed' : 'Nothing was copied'
    console.error(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
