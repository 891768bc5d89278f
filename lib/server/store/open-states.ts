import { sql, type Kysely, type RawBuilder } from 'kysely'
import {
  OPEN_TRANSACTION_STATUSES,
  OPEN_WITHDRAWAL_STATUSES,
  UNCONFIRMED_STANDINGS,
} from '../ledger/transaction-states.ts'
import { compiledOnce } from './compiled-once.ts'
import type { Tables } from './schema.ts'

/** As literals, or the partial indexes would not be used. */
const oneOf = (column: 'status' | 'standing', values: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`

/** When the user's oldest open transaction or withdrawal began; null if none is open. */
export const openSinceOf = (db: Kysely<Tables>) => {
  const oldest = (table: 'transactions' | 'withdrawals', isOpen: RawBuilder<boolean>) => sql`
    select * from (select created_ms from ${sql.table(table)} where user_reference_id = ${''} and ${isOpen}
      order by created_ms limit 1) as ${sql.ref(table)}`
  const all = sql.join(
    [
      oldest('transactions', oneOf('status', OPEN_TRANSACTION_STATUSES)),
      oldest('transactions', oneOf('standing', UNCONFIRMED_STANDINGS)),
      oldest('withdrawals', oneOf('status', OPEN_WITHDRAWAL_STATUSES)),
    ],
    sql` union all `,
  )
  const query = compiledOnce<{ oldest: number | null }>(db, () => ({
    compile: () => sql<{ oldest: number | null }>`select min(created_ms) as oldest from (${all}) as open`.compile(db),
  }))
  return async function openSince(user: string): Promise<number | null> {
    return (await query(user, user, user))[0]?.oldest ?? null
  }
}
