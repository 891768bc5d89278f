import type { Kysely } from 'kysely'
import { gatewayAmount, type GatewayBooking, type KnownPayout, type TotalsRules } from '../../ledger/control-totals.ts'
import type { TotalsReport } from '../../ledger/report-totals.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows } from '../database/multi-row.ts'
import type { Tables } from '../database/schema.ts'

const KNOWN_PAYOUT = [
  'transaction_uuid',
  'owner',
  'withdrawal_id',
  'unbooked',
  'status',
  'amount',
  'currency_id',
  'currency_code',
  'network',
] as const satisfies readonly (keyof KnownPayout)[]

/** What the books say about the gateway, and the last comparison with its lists. */
export const controlTotalsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const insert = insertRows<Tables['control_totals']>(
    flavour,
    'control_totals',
    {
      user_reference_id: 'text',
      currency_id: 'text',
      gateway: 'text',
      ledger: 'text',
      difference: 'text',
      transactions: 'text',
      checked_ms: 'bigint',
    },
    'fail',
  )
  return {
    /** The user's postings from or to the account `gateway`, oldest first, after this id. */
    async bookings(
      user: string,
      after: number,
      limit: number,
    ): Promise<readonly (Omit<GatewayBooking, 'currency_code' | 'network'> & { readonly id: number })[]> {
      const rows = await db
        .selectFrom('postings')
        .select(['id', 'posting_key', 'currency_id', 'amount', 'created_ms', 'from_account'])
        .where('user_reference_id', '=', user)
        .where('id', '>', after)
        .where((where) => where.or([where('from_account', '=', 'gateway'), where('to_account', '=', 'gateway')]))
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ from_account, amount, ...row }) => ({ ...row, amount: gatewayAmount(amount, from_account) }))
    },

    /** Whose the user's payouts are. */
    async owners(user: string): Promise<Pick<TotalsRules, 'payouts' | 'withdrawals'>> {
      const payouts = await db
        .selectFrom('payouts')
        .select(KNOWN_PAYOUT)
        .where('user_reference_id', '=', user)
        .execute()
      const withdrawals = await db
        .selectFrom('withdrawals')
        .select(['id', 'transaction_uuid', 'amount', 'funds', 'currency_id', 'currency_code', 'network'])
        .where('user_reference_id', '=', user)
        .where('called_ms', 'is not', null)
        .execute()
      return {
        payouts: new Map(payouts.map((row) => [row.transaction_uuid, row])),
        withdrawals: new Map(withdrawals.map((row) => [row.id, row])),
      }
    },

    /** The user's payouts that were acknowledged after a restore. */
    async unbooked(user: string): Promise<readonly KnownPayout[]> {
      return db
        .selectFrom('payouts')
        .select(KNOWN_PAYOUT)
        .where('user_reference_id', '=', user)
        .where('unbooked', '=', 1)
        .execute()
    },

    /** The last comparison of this user, with its time. */
    async withTime(user: string): Promise<readonly (TotalsReport['rows'][number] & { readonly checked_ms: number })[]> {
      return db
        .selectFrom('control_totals')
        .select(['currency_id', 'gateway', 'ledger', 'difference', 'transactions', 'checked_ms'])
        .where('user_reference_id', '=', user)
        .orderBy('currency_id')
        .execute()
    },

    /** The last comparison of this user. */
    async of(user: string): Promise<TotalsReport['rows']> {
      return db
        .selectFrom('control_totals')
        .select(['currency_id', 'gateway', 'ledger', 'difference', 'transactions'])
        .where('user_reference_id', '=', user)
        .execute()
    },

    /** Inside a transaction. */
    async replace(user: string, rows: TotalsReport['rows'], now: number): Promise<void> {
      await db.deleteFrom('control_totals').where('user_reference_id', '=', user).execute()
      await insert(
        db,
        rows.map((row) => ({ ...row, user_reference_id: user, checked_ms: now })),
      )
    },
  }
}
