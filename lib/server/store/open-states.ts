import { sql, type Kysely, type RawBuilder } from 'kysely'
import {
  OPEN_TRANSACTION_STATUSES,
  OPEN_WITHDRAWAL_STATUSES,
  UNCONFIRMED_STANDINGS,
} from '../ledger/transaction-states.ts'
import type { Tables } from './schema.ts'

/** As literals, or the partial indexes would not be used. */
const oneOf = (column: 'status' | 'standing', values: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`

/** When the user's oldest open transaction or withdrawal began; null if none is open. */
export const openSinceOf = (db: Kysely<Tables>) =>
  async function openSince(user: string): Promise<number | null> {
    const oldest = (table: 'transactions' | 'withdrawals', isOpen: RawBuilder<boolean>) =>
      db
        .selectFrom(table)
        .select('created_ms')
        .where('user_reference_id', '=', user)
        .where(isOpen)
        .orderBy('created_ms')
        .limit(1)
        .executeTakeFirst()
    const found = [
      await oldest('transactions', oneOf('status', OPEN_TRANSACTION_STATUSES)),
      await oldest('transactions', oneOf('standing', UNCONFIRMED_STANDINGS)),
      await oldest('withdrawals', oneOf('status', OPEN_WITHDRAWAL_STATUSES)),
    ]
    const times = found.flatMap((row) => row?.created_ms ?? [])
    return times.length === 0 ? null : Math.min(...times)
  }
