import { sql, type Kysely, type RawBuilder } from 'kysely'
import { QUARANTINE_REASONS } from '#lib/contract/operate/lists.ts'
import type { QuarantineReason } from '../../ledger/rows.ts'
import type { Tables } from '../database/schema.ts'

/** What a person should look at, besides the lines of the quarantine. */
export type WaitingKind =
  | 'payouts_unowned'
  | 'withdrawals_unknown'
  | 'withdrawals_pending'
  | 'withdrawals_awaiting'
  | 'deliveries_dead'
  | 'deliveries_failing'
  | 'users_unchecked'

export interface WaitingCount<Kind extends string = WaitingKind | QuarantineReason> {
  readonly kind: Kind
  readonly count: number
  /** There are more than `count`. */
  readonly isMore: boolean
  /** Since when the oldest waits; null if there is none, or nothing says it. */
  readonly oldestMs: number | null
}

/** Counting ends here, so that a read takes the same time however much waits. */
const MOST_COUNTED = 10_000

/** What is counted, and the time of the oldest: conditions of partial indexes, which take no parameters. */
const WAITING: Readonly<Record<WaitingKind, readonly [rows: string, oldest: string]>> = {
  payouts_unowned: [
    'payouts where owner is null and awaits_list = 0',
    'select min(first_seen_ms) from payouts where owner is null and awaits_list = 0',
  ],
  withdrawals_unknown: [
    "withdrawals where status = 'unknown'",
    "select min(created_ms) from withdrawals where status = 'unknown'",
  ],
  withdrawals_pending: [
    "withdrawals where step = 'pending'",
    "select min(created_ms) from withdrawals where step = 'pending'",
  ],
  withdrawals_awaiting: [
    "withdrawals where status = 'awaiting_approval'",
    "select min(created_ms) from withdrawals where status = 'awaiting_approval'",
  ],
  deliveries_dead: [
    "deliveries where state = 'dead'",
    `select e.created_ms from deliveries d join merchant_events e on e.cursor = d.cursor
      where d.state = 'dead' order by d.cursor limit 1`,
  ],
  deliveries_failing: [
    "deliveries where state = 'pending' and attempts > 0",
    `select min(first_ms) from (select first_ms from deliveries where state = 'pending' and attempts > 0
      limit ${MOST_COUNTED + 1}) part`,
  ],
  users_unchecked: ['users where totals_ms is null and cleared_ms is null', 'select null'],
}

/**
 * Further conditions. A withdrawal that waits too long for our own decision is counted as `withdrawals_pending`; it is
 * found by its key, whatever the planner thinks.
 */
const ONLY: Readonly<Partial<Record<string, string>>> = {
  overdue: `and (select count(*) from withdrawals w where w.user_reference_id = quarantine.user_reference_id
    and w.id = quarantine.transaction_uuid and w.step = 'pending') = 0`,
}

/** Lines get their numbers in the order of their arrival. */
function ofReason(reason: string): readonly [rows: string, oldest: string] {
  const rows = `quarantine where reason = '${reason}' and settled_ms is null ${ONLY[reason] ?? ''}`
  return [rows, `select received_ms from ${rows} order by id limit 1`]
}

const counted = (kind: string, [rows, oldest]: readonly [rows: string, oldest: string]): RawBuilder<unknown> =>
  sql.raw(`select '${kind}' as kind, (select count(*) from (select 1 from ${rows} limit ${MOST_COUNTED + 1}) part) as count,
    cast((${oldest}) as bigint) as oldest`)

const UNCHECKED = counted('users_unchecked', WAITING.users_unchecked)
const ALL = [
  ...Object.entries(WAITING).map(([kind, texts]) => counted(kind, texts)),
  ...QUARANTINE_REASONS.map((reason) => counted(reason, ofReason(reason))),
]

async function countsOf(db: Kysely<Tables>, which: readonly RawBuilder<unknown>[]): Promise<readonly WaitingCount[]> {
  const { rows } = await sql<{ kind: WaitingCount['kind']; count: number | string; oldest: number | null }>`
    ${sql.join(which, sql` union all `)}`.execute(db)
  return rows.map(({ kind, count, oldest }) => ({
    kind,
    count: Math.min(Number(count), MOST_COUNTED),
    isMore: Number(count) > MOST_COUNTED,
    oldestMs: oldest,
  }))
}

/** What waits for a person, counted from partial indexes. */
export const waitingCountsOf = (db: Kysely<Tables>) => ({
  counts: () => countsOf(db, ALL),

  async uncheckedUsers(): Promise<WaitingCount | null> {
    return (await countsOf(db, [UNCHECKED]))[0] ?? null
  },

  /** Changes when a line of the quarantine is added or settled. */
  async newestLines(): Promise<readonly [id: number | null, settledMs: number | null]> {
    const { rows } = await sql<{ id: number | null; settled: number | null }>`select
      (select id from quarantine where id > 0 order by id desc limit 1) as id,
      (select settled_ms from quarantine where settled_ms is not null order by settled_ms desc limit 1) as settled
      `.execute(db)
    return [rows[0]?.id ?? null, rows[0]?.settled ?? null]
  },

  /** When a webhook was accepted last; null if none is stored. */
  async lastWebhookMs(): Promise<number | null> {
    const row = await db
      .selectFrom('webhooks')
      .select('received_ms')
      .where('received_ms', '>', 0)
      .orderBy('received_ms', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.received_ms ?? null
  },
})
