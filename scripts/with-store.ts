import { existsSync } from 'node:fs'
import { isStoreFailure } from '#lib/server/store/database/store-fault.ts'
import { openStore, type Store } from '#lib/server/store/store.ts'

/** Runs a command with the `DATABASE_URL` of the environment or of `.env`. The command returns the exit code. */
export async function withDatabase(command: (url: string) => Promise<number>): Promise<void> {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const url = process.env['DATABASE_URL']?.trim() || 'file:./data/cashier.db'
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) {
    console.error(`There is no database at ${url}.`)
    process.exitCode = 1
    return
  }
  try {
    process.exitCode = await command(url)
  } catch (error) {
    if (!(error instanceof Error && isStoreFailure(error))) throw error
    console.error(`The database cannot be used: ${error.message}`)
    process.exitCode = 1
  }
}

/** Like `withDatabase`, but opens and migrates the database. */
export const withStore = (command: (store: Store) => Promise<number>): Promise<void> =>
  withDatabase(async (url) => {
    const store = await openStore({
      url,
      clock: Date.now,
      deliver: false,
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
