import { sql, type Kysely, type RawBuilder } from 'kysely'
import { OPEN_TRANSACTION_STATUSES, UNCONFIRMED_STANDINGS } from '../../ledger/transaction-statuses.ts'
import { OPEN_WITHDRAWAL_STATUSES } from '../../ledger/withdrawal-statuses.ts'
import { compiledOnce } from '../database/compiled-once.ts'
import type { Tables } from '../database/schema.ts'

/** Uses literals, since partial indexes are not used for parameters. */
const oneOf = (column: 'status' | 'standing', values: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`

/** When the first and the last of a user's open transactions and withdrawals began. */
export interface OpenSpan {
  readonly oldestMs: number
  readonly newestMs: number
}

/** The user's open transactions and withdrawals. */
export const openStatesOf = (db: Kysely<Tables>) => {
  const outermost = (which: 'min' | 'max') => {
    const of = (table: 'transactions' | 'withdrawals', isOpen: RawBuilder<boolean>) => sql<number | null>`
      (select ${sql.raw(which)}(created_ms) from ${sql.table(table)} where user_reference_id = ${''} and ${isOpen})`
    return [
      of('transactions', oneOf('status', OPEN_TRANSACTION_STATUSES)),
      of('transactions', oneOf('standing', UNCONFIRMED_STANDINGS)),
      of('withdrawals', oneOf('status', OPEN_WITHDRAWAL_STATUSES)),
    ]
  }
  const all = [...outermost('min'), ...outermost('max')]
  const query = compiledOnce<Record<string, number | null>>(db, () => {
    const columns = all.map((time, index) => sql`${time} as ${sql.ref(`time_${index}`)}`)
    return { compile: () => sql<Record<string, number | null>>`select ${sql.join(columns)}`.compile(db) }
  })
  return {
    /** Null if nothing is open. */
    async span(user: string): Promise<OpenSpan | null> {
      const [row = {}] = await query(...all.map(() => user))
      const times = Object.values(row).filter((time) => time !== null)
      return times.length === 0 ? null : { oldestMs: Math.min(...times), newestMs: Math.max(...times) }
    },
  }
}
