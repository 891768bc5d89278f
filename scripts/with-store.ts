import { existsSync } from 'node:fs'
import { isStoreFailure } from '#lib/server/store/failures.ts'
import { openStore, type Store } from '#lib/server/store/store.ts'

/** Runs a command on the database of `DATABASE_URL` (or of `.env`). The command returns the exit code. */
export async function withStore(command: (store: Store) => Promise<number>): Promise<void> {
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
    const store = await openStore({ url, clock: Date.now, deliver: false })
    try {
      process.exitCode = await command(store.lane('commands'))
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof Error && isStoreFailure(error))) throw error
    console.error(`The database cannot be used: ${error.message}`)
    process.exitCode = 1
  }
}
