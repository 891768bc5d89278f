import type { Kysely } from 'kysely'
import {
  OPEN_TRANSACTION_STATUSES,
  OPEN_WITHDRAWAL_STATUSES,
  UNCONFIRMED_STANDINGS,
} from '../ledger/transaction-states.ts'
import type { Tables } from './schema.ts'

/** Anything open for longer than this is no longer reconciled. */
const LOOK_BACK_MS = 30 * 86_400_000

/** When the user's oldest open transaction or withdrawal began; null if none is open. */
export const openSinceOf = (db: Kysely<Tables>) =>
  async function openSince(user: string, nowMs: number): Promise<number | null> {
    const since = nowMs - LOOK_BACK_MS
    const [transaction, withdrawal] = [
      await db
        .selectFrom('transactions')
        .select('created_ms')
        .where('user_reference_id', '=', user)
        .where('created_ms', '>=', since)
        .where((where) =>
          where.or([where('status', 'in', OPEN_TRANSACTION_STATUSES), where('standing', 'in', UNCONFIRMED_STANDINGS)]),
        )
        .orderBy('created_ms')
        .limit(1)
        .executeTakeFirst(),
      await db
        .selectFrom('withdrawals')
        .select('created_ms')
        .where('user_reference_id', '=', user)
        .where('created_ms', '>=', since)
        .where('status', 'in', OPEN_WITHDRAWAL_STATUSES)
        .orderBy('created_ms')
        .limit(1)
        .executeTakeFirst(),
    ]
    const times = [transaction, withdrawal].flatMap((row) => row?.created_ms ?? [])
    return times.length === 0 ? null : Math.min(...times)
  }
