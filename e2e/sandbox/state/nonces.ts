import type { Database } from './database.ts'

/** Takes a nonce for a merchant. False when it was taken before, also by an earlier process. */
export function takeNonce(database: Database, merchantId: string, nonce: string, now: number): boolean {
  return database.run('INSERT OR IGNORE INTO nonces VALUES (?, ?, ?)', merchantId, nonce, now).changes === 1
}
