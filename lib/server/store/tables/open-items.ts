import { sql, type Kysely } from 'kysely'
import { EVENT_NAMES } from '../../ledger/disputes.ts'
import { LATE_FOR_MS } from '../../ledger/payouts/attempts.ts'
import type { QuarantineReason } from '../../ledger/rows.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import { UNCONFIRMED_STANDINGS } from '../../ledger/transaction-statuses.ts'
import { ENDED_WITHDRAWAL_STATUSES, LATE_FAILURES } from '../../ledger/withdrawal-statuses.ts'
import type { Tables } from '../database/schema.ts'
import { entitiesOfUser } from './delivery-list.ts'

/** What keeps a user from being erased. */
export interface OpenItem {
  readonly what: string
  readonly id: string
  readonly status: string
}

/** A purchase without an event may be paid for a day (docs/explanation/page-api.md, "Rows that the list lacks"). */
const PURCHASE_FOR_MS = 86_400_000

/** Afterwards the control totals, which are compared at least once a week, have told of the missing deposit. */
const DEPOSIT_FOR_MS = 8 * 86_400_000

/** A person must decide about money. */
const FOR_A_PERSON: readonly QuarantineReason[] = [
  'implausible',
  'list_conflict',
  'contradiction',
  'late_payout',
  'unmatched_payout',
  'overdue',
  'totals_differ',
]

/** What would be lost without a word if the user were erased now. */
export async function openItems(db: Kysely<Tables>, user: string, now: number): Promise<readonly OpenItem[]> {
  const withdrawals = await db
    .selectFrom('withdrawals')
    .select(['id', 'status'])
    .where('user_reference_id', '=', user)
    .where((where) =>
      where.or([
        where('status', 'not in', ENDED_WITHDRAWAL_STATUSES),
        where('funds', '=', 'held'),
        // Its payout may still show up, or another in place of the one that failed: nobody would own it.
        where.and([
          where('status', '=', 'failed'),
          where('updated_ms', '>=', now - LATE_FOR_MS),
          where.or([where('transaction_uuid', 'is not', null), where('failure', 'in', LATE_FAILURES)]),
        ]),
      ]),
    )
    .execute()
  const payouts = await db
    .selectFrom('payouts')
    .select(['transaction_uuid as id', 'status'])
    .where('user_reference_id', '=', user)
    .where('owner', 'is', null)
    .execute()
  const purchases = await db
    .selectFrom('onramp_sessions')
    .select(['id', 'status'])
    .where('user_reference_id', '=', user)
    .where('wallet_address', 'is', null)
    .where('status', '=', 'pending')
    .where('updated_ms', '>', now - PURCHASE_FOR_MS)
    .execute()
  const sessions = db.selectFrom('onramp_sessions').select('id').where('user_reference_id', '=', user)
  const transactions = await db
    .selectFrom('transactions')
    .select(['kind', 'transaction_uuid as id', 'status'])
    .where((where) =>
      where.or([
        where('user_reference_id', '=', user),
        where('onramp_session_id', 'in', sessions.where('wallet_address', 'is', null)),
      ]),
    )
    .where(sql<boolean>`(overdue_ms is null or overdue_ms <= updated_ms)`)
    .where((where) =>
      where.or([
        where('standing', 'in', UNCONFIRMED_STANDINGS),
        where.and([
          where('kind', '=', 'onramp'),
          where('onramp_session_id', 'is not', null),
          where.or([
            where('status', '=', 'processing'),
            // Its deposit would be credited again if the user came back; without a named user it is the only credit.
            where.and([
              where('status', '=', 'succeeded'),
              where('deposit_uuid', 'is', null),
              where.or([where('user_reference_id', '=', NO_USER), where('updated_ms', '>', now - DEPOSIT_FOR_MS)]),
            ]),
          ]),
        ]),
      ]),
    )
    .execute()
  const own = sql<string>`(select transaction_uuid from transactions where user_reference_id = ${user}
    union select transaction_uuid from payouts where user_reference_id = ${user}
    union select transaction_uuid from withdrawals where user_reference_id = ${user} and transaction_uuid is not null)`
  const lines = await db
    .selectFrom('quarantine')
    .select(['id', 'reason'])
    // A line about another user, too, is deleted with the transaction or payout that it names.
    .where((where) => where.or([where('user_reference_id', '=', user), sql<boolean>`transaction_uuid in ${own}`]))
    .where('settled_ms', 'is', null)
    .where((where) =>
      where.or([
        where('reason', 'in', FOR_A_PERSON),
        // The list never tells of a purchase.
        where.and([where('event_name', '=', EVENT_NAMES.onramp), where('reason', '<>', 'unknown_user')]),
      ]),
    )
    .execute()
  // Under another name the merchant could book nothing by it. One that is no longer tried has an exception of its own.
  const { rows: events } = await sql<{ readonly id: string }>`
    select entity as id from deliveries where state = 'pending' and entity in (${entitiesOfUser(user)})
    union select entity as id from unnumbered_events where for_delivery = 1 and entity in (${entitiesOfUser(user)})
    order by 1`.execute(db)
  return [
    ...withdrawals.map((one) => ({ what: 'withdrawal', ...one })),
    ...payouts.map((one) => ({ what: 'payout', ...one })),
    ...purchases.map((one) => ({ what: 'purchase', ...one })),
    ...transactions.map(({ kind, ...one }) => ({ what: kind === 'onramp' ? 'purchase' : kind, ...one })),
    ...events.map(({ id }) => ({ what: 'event', id, status: 'not delivered' })),
    ...lines.map(({ id, reason }) => ({ what: 'quarantine', id: String(id), status: reason })),
  ]
}
