import { CompiledQuery, sql, type Kysely, type Selectable } from 'kysely'
import { postingKey } from '../../ledger/post-entries.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { OnrampRow, WithdrawalCallRow } from '../../ledger/rows.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import { selectNamed } from '../database/named-rows.ts'
import { selectNewest } from '../database/newest-rows.ts'
import { unpackBody } from '../database/packed-text.ts'
import { pipelined, type StatementRunner } from '../database/pipelined.ts'
import type {
  AuditEntriesTable,
  ControlTotalsTable,
  MerchantEventsTable,
  PostingsTable,
  Tables,
  TransactionsTable,
  WebhooksTable,
} from '../database/schema.ts'
import { storyLinksOf, type LinkedRows } from './story-links.ts'
import type { RecordedFact } from '../../ledger/facts.ts'
import type { HeldPurchase, StoryAct, StoryDelivery, StoryRows, StoryUser } from './story-rows.ts'

/** The most rows of one kind about one transaction; usually there are a few. */
const MOST_ROWS = 200

/** A purchase has one, rarely two. */
const MOST_DEPOSITS = 10

/** The keys of the postings of a transaction or a withdrawal: each has its own number. */
const postingKeys = (user: string, bookings: readonly string[], about: string, count: number) =>
  Array.from({ length: count }, (_item, index) => index + 1).flatMap((number) =>
    bookings.map((booking) => [user, postingKey(booking, about, number)] as const),
  )

/** Everything that is stored about a transaction, or about a withdrawal with its payouts, in a few round trips. */
export function storyReaderOf(db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) {
  const linked = storyLinksOf(db, flavour, MOST_ROWS + 1)
  const sessionsNamed = selectNamed<OnrampRow>(flavour, { table: 'onramp_sessions', kinds: "'session'", column: 'id' })
  const sessionsKeyed = selectNamed<OnrampRow>(flavour, {
    ...{ table: 'onramp_sessions', kinds: "'key'", column: 'correlation_key' },
  })
  const depositsBy = (column: 'tx_hash_key' | 'correlation_key') =>
    selectByKeys<TransactionsTable>(flavour, 'transactions', ['user_reference_id', column])
  const [depositsByHash, depositsByKey] = [depositsBy('tx_hash_key'), depositsBy('correlation_key')]
  const callsOf = selectByKeys<WithdrawalCallRow>(flavour, 'withdrawal_calls', ['user_reference_id', 'withdrawal_id'])
  const postingsBy = selectByKeys<Selectable<PostingsTable>>(flavour, 'postings', ['user_reference_id', 'posting_key'])
  const totalsOf = selectByKeys<ControlTotalsTable>(flavour, 'control_totals', ['user_reference_id'])
  const newest = <Row>(table: string, column: string, order: string, and?: string) =>
    selectNewest<Row>(flavour, { table, column, order, limit: MOST_ROWS + 1, ...(and !== undefined && { and }) })
  const otherWebhooks = newest<Selectable<WebhooksTable>>('webhooks', 'transaction_uuid', 'id', "outcome <> 'applied'")
  const eventsOf = newest<MerchantEventsTable>('merchant_events', 'entity', 'cursor', 'for_delivery = 1')
  const actsAbout = newest<AuditEntriesTable>('audit_entries', 'about_id', 'seq')

  /** The sessions that a purchase in quarantine names, and the deposits that may have brought its coins. */
  const ofHeld = async ({ users, sessions, keys, hashes }: HeldPurchase) => {
    const pairs = (values: readonly string[]) => users.flatMap((user) => values.map((value) => [user, value] as const))
    const [byId, byKey, byHash, keyed] = await pipelined(db, (runner) =>
      Promise.all([
        sessionsNamed(runner, sessions),
        sessionsKeyed(runner, keys),
        depositsByHash(runner, pairs(hashes)),
        depositsByKey(runner, pairs(keys)),
      ]),
    )
    const deposits = [...byHash, ...keyed].filter(({ kind }) => kind === 'deposit')
    return {
      sessions: byId.length > 0 ? byId : byKey,
      uuids: [...new Set(deposits.map(({ transaction_uuid }) => transaction_uuid))].slice(0, MOST_DEPOSITS),
    }
  }

  /** A webhook that was applied came at the time at which its fact was recorded. */
  const appliedWebhooks = async (
    runner: StatementRunner,
    facts: readonly RecordedFact[],
  ): Promise<readonly Selectable<WebhooksTable>[]> => {
    const told = facts.filter(({ fact }) => fact.source === 'webhook')
    if (told.length === 0) return []
    const times = told.map(({ recorded_ms }) => recorded_ms)
    const uuids = told.map(({ fact }) => fact.transaction_uuid)
    const query =
      flavour === 'sqlite'
        ? CompiledQuery.raw(
            `select w.* from json_each(?) k cross join webhooks w where w.received_ms = k.value ->> 0
              and w.transaction_uuid = k.value ->> 1 and w.outcome = 'applied'`,
            [JSON.stringify(times.map((ms, index) => [ms, uuids[index]]))],
          )
        : CompiledQuery.raw(
            `select w.* from unnest($1::bigint[], $2::text[]) as k(ms, uuid) cross join lateral (
              select * from webhooks where webhooks.received_ms = k.ms and webhooks.transaction_uuid = k.uuid
                and webhooks.outcome = 'applied' offset 0) w`,
            [times, uuids],
          )
    return (await runner.executeQuery<Selectable<WebhooksTable>>(query)).rows
  }

  const usersOf = async (runner: StatementRunner, users: readonly string[]): Promise<readonly StoryUser[]> => {
    if (users.length === 0) return []
    const query = sql<Omit<StoryUser, 'is_claimed'> & { readonly is_claimed: 0 | 1 }>`
      select user_reference_id, reconcile_at_ms - ${time.now()} as reconcile_in_ms, whole_ms, unreadable_ms,
        case when ${time.isHeld(sql.ref('claimed_until_ms'))} then 1 else 0 end as is_claimed
      from users where user_reference_id in (${sql.join(users)})`
    const { rows } = await runner.executeQuery(query.compile(db))
    return rows.map(({ is_claimed, ...row }) => ({ ...row, is_claimed: is_claimed === 1 }))
  }

  const withDeliveries = async (events: readonly MerchantEventsTable[]): Promise<readonly StoryDelivery[]> => {
    if (events.length === 0) return []
    const cursors = sql.join(events.map(({ cursor }) => cursor))
    const waiting = sql<NonNullable<StoryDelivery['delivery']> & { readonly cursor: number }>`
      select cursor, state, attempts, first_ms, next_ms - ${time.now()} as next_in_ms
      from deliveries where cursor in (${cursors})`
    const made = sql<StoryDelivery['attempts'][number] & { readonly cursor: number }>`
      select cursor, began_ms, ended_ms, outcome, error, reply_head, reply_body
      from delivery_attempts where cursor in (${cursors}) order by id`
    const [queued, attempts] = await pipelined(db, (runner) =>
      Promise.all([runner.executeQuery(waiting.compile(db)), runner.executeQuery(made.compile(db))]),
    )
    const deliveryOf = new Map(queued.rows.map(({ cursor, ...delivery }) => [cursor, delivery]))
    const attemptsOf = Map.groupBy(attempts.rows, ({ cursor }) => cursor)
    return events.map(({ cursor, entity, data, created_ms }) => ({
      ...{ cursor, entity, data, created_ms, attempts: attemptsOf.get(cursor) ?? [] },
      delivery: deliveryOf.get(cursor) ?? null,
    }))
  }

  const withOutcomes = async (acts: readonly AuditEntriesTable[]): Promise<readonly StoryAct[]> => {
    const begun = acts.filter(({ outcome }) => outcome === 'begun').map(({ seq }) => seq)
    const rows =
      begun.length === 0
        ? []
        : await db
            .selectFrom('audit_entries')
            .select(['begun_seq', 'outcome'])
            .where('begun_seq', 'in', begun)
            .execute()
    const endOf = new Map(rows.map(({ begun_seq, outcome }) => [begun_seq, outcome]))
    return acts.map((act) => ({ ...act, ended: act.outcome === 'begun' ? (endOf.get(act.seq) ?? null) : act.outcome }))
  }

  const withDetails = async (rows: LinkedRows, held: readonly OnrampRow[] = []): Promise<StoryRows | null> => {
    const { transactions, withdrawals, payouts, records, lines, uuids } = rows
    const about = [...transactions, ...withdrawals, ...payouts, ...records, ...lines]
    const users = [...new Set(about.map(({ user_reference_id }) => user_reference_id ?? NO_USER))].filter(
      (user) => user !== NO_USER,
    )
    const ids = withdrawals.map(({ id }) => id)
    const entities = [
      ...ids.map((id) => `withdrawal:${id}`),
      ...transactions.map(({ kind, transaction_uuid }) => `${kind}:${transaction_uuid}`),
    ]
    const keys = [
      ...transactions.flatMap((row) =>
        postingKeys(
          row.user_reference_id ?? NO_USER,
          ['credit', 'reversal'],
          `${row.kind}:${row.transaction_uuid}`,
          row.postings,
        ),
      ),
      ...withdrawals.flatMap((row) =>
        postingKeys(row.user_reference_id, ['hold', 'release', 'payout'], row.id, row.postings),
      ),
    ]
    const [applied, others, events, postings, calls, named, acts, lists, totals] = await pipelined(db, (runner) =>
      Promise.all([
        appliedWebhooks(runner, rows.facts),
        otherWebhooks(runner, uuids),
        eventsOf(runner, entities),
        postingsBy(runner, keys),
        callsOf(
          runner,
          withdrawals.map(({ user_reference_id, id }) => [user_reference_id, id]),
        ),
        sessionsNamed(
          runner,
          transactions.flatMap(({ onramp_session_id }) => onramp_session_id ?? []),
        ),
        actsAbout(runner, [...uuids, ...ids]),
        usersOf(runner, users),
        totalsOf(
          runner,
          users.map((user) => [user]),
        ),
      ]),
    )
    if (about.length === 0 && others.length === 0) return null
    return {
      ...rows,
      ...{ webhooks: [...applied, ...others].map(unpackBody), deliveries: await withDeliveries(events) },
      onramps: [...new Map([...named, ...held].map((row) => [row.id, row])).values()],
      ...{ postings, calls, acts: await withOutcomes(acts), users: lists, totals },
      is_cut: [lines, others, events, acts].some((some) => some.length > MOST_ROWS),
    }
  }

  return {
    /**
     * Everything about the transaction with this uuid, and what belongs to it; null if nothing is stored.
     * @param held by which the session and the deposits of a purchase in quarantine are found
     */
    async ofTransaction(uuid: string, held: HeldPurchase | null = null): Promise<StoryRows | null> {
      const { sessions, uuids } = held === null ? { sessions: [], uuids: [] } : await ofHeld(held)
      return withDetails(await linked({ uuids: [uuid, ...uuids.filter((one) => one !== uuid)], keys: [] }), sessions)
    },

    /** Everything about a withdrawal and its payouts; null if there is no such withdrawal. */
    async ofWithdrawal(id: string): Promise<StoryRows | null> {
      const row = await db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst()
      if (row === undefined) return null
      const { user_reference_id } = parseWithdrawal(row)
      return withDetails(await linked({ uuids: [], keys: [[user_reference_id, id]] }))
    },
  }
}
