import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** Older than this, something open is no longer looked for by comparing lists. */
const LOOK_BACK_MS = 30 * 86_400_000

/** States that the list will say more about. An `unknown` withdrawal is looked for by itself. */
export const OPEN_STATES: readonly string[] = ['processing', 'other', 'awaiting_approval']

/** Since when the user has a deposit, payout, on-ramp or withdrawal that has not come to rest; null: all have. */
export const openSinceOf = (db: Kysely<Tables>) =>
  async function openSince(user: string, nowMs: number): Promise<number | null> {
    const since = nowMs - LOOK_BACK_MS
    const [transaction, withdrawal] = [
      await db
        .selectFrom('transactions')
        .select('created_ms')
        .where('user_reference_id', '=', user)
        .where('created_ms', '>=', since)
        .where('status', 'in', OPEN_STATES)
        .orderBy('created_ms')
        .limit(1)
        .executeTakeFirst(),
      await db
        .selectFrom('withdrawals')
        .select('created_ms')
        .where('user_reference_id', '=', user)
        .where('created_ms', '>=', since)
        .where('status', 'in', OPEN_STATES)
        .orderBy('created_ms')
        .limit(1)
        .executeTakeFirst(),
    ]
    const times = [transaction, withdrawal].flatMap((row) => row?.created_ms ?? [])
    return times.length === 0 ? null : Math.min(...times)
  }
