import { existsSync } from 'node:fs'
import { isoTime } from '#lib/contract/iso-time.ts'
import { loadEnvFile } from '#lib/server/runtime/config/environment.ts'
import {
  DATABASE_PARTITIONS_RULE,
  DATABASE_URL_RULE,
  databasePartitions,
  databaseUrl,
} from '#lib/server/runtime/config/readers.ts'
import { ledgerStartFault } from '#lib/server/runtime/ledger-start.ts'
import { storedStart } from '#lib/server/store/commands/stored-start.ts'
import { ForeignLogError } from '#lib/server/store/database/foreign-log.ts'
import { PartitionsError } from '#lib/server/store/database/partitions.ts'
import { isStoreFailure } from '#lib/server/store/database/store-fault.ts'
import { openStore, type Store } from '#lib/server/store/store.ts'

/** Runs a command with the `DATABASE_URL` of the environment or of `.env`. The command returns the exit code. */
export async function withDatabase(command: (url: string) => Promise<number>): Promise<void> {
  const { DATABASE_URL } = { ...process.env, ...loadEnvFile() }
  const url = databaseUrl(DATABASE_URL?.trim() || 'file:./data/cashier.db')
  if (url === undefined) {
    console.error(`DATABASE_URL must be ${DATABASE_URL_RULE}.`)
    process.exitCode = 1
    return
  }
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) {
    console.error(`There is no database at ${url}.`)
    process.exitCode = 1
    return
  }
  try {
    process.exitCode = await command(url)
  } catch (error) {
    const isKnown = isStoreFailure(error) || error instanceof PartitionsError || error instanceof ForeignLogError
    if (!(error instanceof Error && isKnown)) throw error
    console.error(`The database cannot be used: ${error.message}`)
    process.exitCode = 1
  }
}

/** Why the database may not be written with this `LEDGER_START`; null if it may. */
async function ledgerStartFaultOf(url: string): Promise<string | null> {
  const text = process.env['LEDGER_START']?.trim() || null
  const wantedMs = text === null ? null : isoTime(text)
  if (wantedMs === undefined) return 'LEDGER_START must be an ISO time with its zone, such as 2026-11-20T00:00:00Z'
  return ledgerStartFault(wantedMs, (await storedStart(url)).ledgerStartMs)
}

/**
 * `DATABASE_PARTITIONS` of the environment, for a database without tables; null if it is not set.
 * @throws PartitionsError
 */
export function wantedPartitions(): number | null {
  const text = process.env['DATABASE_PARTITIONS']?.trim() || null
  const partitions = text === null ? null : databasePartitions(text)
  if (partitions === undefined) throw new PartitionsError(`DATABASE_PARTITIONS must be ${DATABASE_PARTITIONS_RULE}`)
  return partitions
}

/**
 * Like `withDatabase`, but opens and migrates the database. `deliver`: the merchant gets events of the command by
 * webhook. It is refused if `LEDGER_START` is not the database's, as
 * the start is: the database may be another installation's.
 */
export const withStore = (
  command: (store: Store) => Promise<number>,
  { deliver = false }: { readonly deliver?: boolean } = {},
): Promise<void> =>
  withDatabase(async (url) => {
    const fault = await ledgerStartFaultOf(url)
    if (fault !== null) {
      console.error(`Nothing was changed: ${fault}.`)
      return 1
    }
    const store = await openStore({
      url,
      clock: Date.now,
      deliver,
      partitions: wantedPartitions(),
      onMigrationWait: () => {
        console.error('The migrations wait for another program that reads the database, such as a dump.')
      },
    })
    try {
      return await command(store.lane('commands'))
    } finally {
      await store.close()
    }
  })
