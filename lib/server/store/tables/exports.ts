/** What files of any length are made from, in steps of a few rows: no statement lasts, and no transaction stays open. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, sql, type Kysely } from 'kysely'
import type { TransactionStatus } from '../../ledger/transaction-statuses.ts'
import type { RecordRow } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'
import { userEntriesOf, type UserEntryRow } from './ledger-store.ts'
import type { OwnOnramp, OwnSessionRow, OwnTransactionRow, OwnWithdrawalRow } from './user-history.ts'

/** The last record that was read; reading goes on with the one before it. */
export type RecordPlace = Pick<RecordRow, 'inserted_ms' | 'transaction_uuid'>

/** A record of the list with what we know about its transaction. */
export interface ExportedRecord extends Pick<RecordRow, 'transaction_uuid' | 'type' | 'inserted_ms' | 'record'> {
  /** The states of the user's transactions with that id, by kind; null if there is none. */
  readonly deposit: TransactionStatus | null
  readonly payout: TransactionStatus | null
  /** Of the withdrawal that the record belongs to; null if there is none. */
  readonly withdrawal_id: string | null
  readonly withdrawal_status: OwnWithdrawalRow['status'] | null
  readonly user_message: string | null
}

/** The last posting that was read. */
export interface PostingPlace {
  readonly user: string
  readonly id: number
}

/** Entries of users' own accounts with their users, and where to go on; null: there are no more. */
export interface ExportedEntries {
  readonly entries: readonly (UserEntryRow & { readonly user_reference_id: string })[]
  readonly next: PostingPlace | null
}

/** After this time the outcome of a commit is unknown. */
const COMMITS_WITHIN_MS = 10_000
const SETTLED_AGAIN_MS = 20

const RECORD = ['transaction_uuid', 'type', 'inserted_ms', 'record'] as const

function texts(flavour: Flavour) {
  const sqlite = flavour === 'sqlite'
  const mark = (at: number): string => `${sqlite ? '?' : '$'}${String(at)}`
  const among = (at: number): string =>
    sqlite ? `in (select value from json_each(?${String(at)}))` : `= any($${String(at)}::text[])`
  const joined = (kind: string): string => `left join transactions ${kind} on ${kind}.user_reference_id = ${mark(1)}
    and ${kind}.transaction_uuid = chosen.transaction_uuid and ${kind}.kind = '${kind}'`
  const onramp = (condition: string): string =>
    `select * from transactions where user_reference_id = ${mark(1)} and kind = 'onramp' and ${condition}`
  return {
    records: `select ${RECORD.map((name) => `chosen.${name}`).join(', ')}, deposit.status as deposit,
        payout.status as payout, w.id as withdrawal_id, w.status as withdrawal_status, w.user_message
      from (select * from records where user_reference_id = ${mark(1)} and inserted_ms >= ${mark(2)}
          and inserted_ms <= ${mark(3)} and (inserted_ms < ${mark(3)} or transaction_uuid < ${mark(4)})
        order by inserted_ms desc, transaction_uuid desc limit ${mark(5)}) chosen
      ${joined('deposit')} ${joined('payout')}
      left join withdrawals w on w.user_reference_id = ${mark(1)} and w.transaction_uuid = chosen.transaction_uuid
      order by chosen.inserted_ms desc, chosen.transaction_uuid desc`,
    // One select for each condition, so that each uses its own index.
    onramps: [
      onramp(`transaction_uuid ${among(2)}`),
      onramp(`deposit_uuid ${among(2)}`),
      onramp(`correlation_key ${among(3)}`),
      onramp(`tx_hash_key ${among(4)}`),
    ].join(' union '),
    sessions: `select * from onramp_sessions where user_reference_id = ${mark(1)} and correlation_key ${among(2)}
      union select * from onramp_sessions where user_reference_id = ${mark(1)} and id ${among(3)}`,
  }
}

export const exportsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const { records, onramps, sessions } = texts(flavour)
  const list = (values: readonly string[]): string | readonly string[] =>
    flavour === 'sqlite' ? JSON.stringify(values) : values
  const rowsOf = async <Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows

  const somePostings = (limit: number) =>
    db.selectFrom('postings').selectAll().orderBy('user_reference_id').orderBy('id').limit(limit)
  // Two statements: SQLite compares a user and a number together by the index's user alone.
  const postingsOf = ({ user, id }: PostingPlace, limit: number) =>
    somePostings(limit).where('user_reference_id', '=', user).where('id', '>', id).execute()
  const postingsOfLaterUsers = ({ user }: PostingPlace, limit: number) =>
    somePostings(limit).where('user_reference_id', '>', user).execute()

  return {
    /** A user's records since `fromMs`, newest first, that come before a place; null: from the newest. */
    recordsBefore: (
      user: string,
      { fromMs, before }: { readonly fromMs: number; readonly before: RecordPlace | null },
      limit: number,
    ): Promise<readonly ExportedRecord[]> =>
      rowsOf(records, [
        user,
        fromMs,
        before?.inserted_ms ?? Number.MAX_SAFE_INTEGER,
        before?.transaction_uuid ?? '',
        limit,
      ]),

    /** The user's on-ramps that one of these names, keys or hashes leads to, each with its session. */
    async onrampsOf(
      user: string,
      of: {
        readonly uuids: readonly string[]
        readonly correlationKeys: readonly string[]
        readonly hashKeys: readonly string[]
      },
    ): Promise<readonly Omit<OwnOnramp, 'listed' | 'currency'>[]> {
      const [uuids, keys, hashes] = [list(of.uuids), list(of.correlationKeys), list(of.hashKeys)]
      type Transaction = OwnTransactionRow & { readonly onramp_session_id: string | null }
      const found = await rowsOf<Transaction>(onramps, [user, uuids, keys, hashes])
      const ids = list(found.flatMap(({ onramp_session_id: id }) => id ?? []))
      const bySession = new Map((await rowsOf<OwnSessionRow>(sessions, [user, keys, ids])).map((row) => [row.id, row]))
      const linked = found.map((transaction) => {
        const session = bySession.get(transaction.onramp_session_id ?? '') ?? null
        return { session, transaction }
      })
      const used = new Set(linked.map(({ session }) => session?.id))
      const alone = [...bySession.values()].filter(({ id }) => !used.has(id))
      return [...linked, ...alone.map((session) => ({ session, transaction: null }))]
    },

    /**
     * Waits until the transactions that are open now have ended: an entry of theirs has a time before now, and nobody
     * can read it yet. Not for longer than a commit may take. SQLite has one writer, and no reader before its end.
     */
    async settled(): Promise<void> {
      if (flavour === 'sqlite') return
      const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
      const open = sql`select 1 from pg_stat_activity where datname = current_database() and state <> 'idle'
        and backend_type = 'client backend' and pid <> pg_backend_pid()
        and xact_start <= ${rows[0]?.now}::timestamptz limit 1`
      const endMs = performance.now() + COMMITS_WITHIN_MS
      while ((await open.execute(db)).rows.length > 0 && performance.now() < endMs) await sleep(SETTLED_AGAIN_MS)
    },

    /** Entries in the order of users and postings, of one user or of all. @param limit of the postings */
    async postingsAfter(user: string | null, after: PostingPlace | null, limit: number): Promise<ExportedEntries> {
      const place = after ?? { user: user ?? '', id: 0 }
      const postings = [...(await postingsOf(place, limit))]
      if (user === null && postings.length < limit)
        postings.push(...(await postingsOfLaterUsers(place, limit - postings.length)))
      const last = postings.at(-1)
      return {
        entries: postings.flatMap((posting) =>
          userEntriesOf(posting)
            .toReversed()
            .map((entry) => ({ ...entry, user_reference_id: posting.user_reference_id })),
        ),
        next: last === undefined || postings.length < limit ? null : { user: last.user_reference_id, id: last.id },
      }
    },
  }
}
