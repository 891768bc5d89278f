import { sql, type Kysely, type Selectable } from 'kysely'
import type { Flow, Theme } from '#lib/contract/cashier.ts'
import type { Locale } from '#lib/contract/locales.ts'
import { compiledOnce } from '../database/compiled-once.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { SessionsTable, Tables } from '../database/schema.ts'
import { USER_KNOWN_MS } from './quarantine-releases.ts'
import { requestEffectsOf } from './request-effects.ts'

/** A session as the merchant requested it; every handler of the page reads it. */
export interface CashierSession {
  readonly id: string
  readonly user_reference_id: string
  readonly flows: readonly Flow[]
  readonly locale: Locale | null
  readonly theme: Theme | null
  readonly tokens: Readonly<Record<string, string>> | null
  readonly support_url: string | null
  readonly country: string | null
  readonly currency_ids: readonly string[] | null
  readonly return_url: string | null
  /** The merchant's name for the account; shown if the page is not in a frame. */
  readonly account_label: string | null
  /** What the page calls the merchant where it speaks of the way back; null: "the site you came from". */
  readonly merchant_name: string | null
  /** The merchant's own data, which is added to purchases. */
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** Whether a purchase may go to the user's own address. */
  readonly own_wallet: boolean
  /** The browser's time zone at the launch (IANA); null if it was not sent. */
  readonly time_zone: string | null
  readonly created_ms: number
  readonly last_used_ms: number
}
type Optional = 'account_label' | 'merchant_name' | 'metadata' | 'own_wallet'
export type NewSession = Omit<CashierSession, 'last_used_ms' | 'time_zone' | Optional> &
  Partial<Pick<CashierSession, Optional>>

/** A session, and whether it was launched or ended. */
export interface StoredSession {
  readonly session: CashierSession
  /** Null until its launch token is redeemed. */
  readonly launched_ms: number | null
  /** Null unless it was ended by a call. */
  readonly ended_ms: number | null
}

/** The result of redeeming a launch token. */
export type LaunchOutcome =
  | { readonly outcome: 'launched'; readonly session: CashierSession }
  | { readonly outcome: 'used' | 'expired' | 'unknown' }

/** What the merchant's page and the browser send at the launch; locale and theme override the session's. */
export interface LaunchAppearance {
  readonly locale?: Locale
  readonly theme?: Theme
  readonly time_zone?: string
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

/** Only `addSession` writes these columns, with checked values. */
const stored = ({
  flows,
  tokens,
  currency_ids,
  metadata,
  own_wallet,
  launched_ms,
  ended_ms,
  ...row
}: Selectable<SessionsTable>): StoredSession => ({
  session: {
    ...row,
    flows: parsed(flows) as CashierSession['flows'],
    tokens: parsed(tokens) as CashierSession['tokens'],
    currency_ids: parsed(currency_ids) as CashierSession['currency_ids'],
    metadata: parsed(metadata) as CashierSession['metadata'],
    own_wallet: own_wallet === 1,
  },
  launched_ms,
  ended_ms,
})

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Runs `work` in `db` if it is a transaction, else in a new transaction. */
const inTransaction = <T>(db: Kysely<Tables>, work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/** Sessions and launch tokens; a first session makes its user known. Times are milliseconds since 1970. */
export const sessionsOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) => {
  const postgres = flavour === 'postgres'
  /** Ids as one parameter, in the form of a table `k (id)`. */
  const idsTable = (ids: readonly string[]) =>
    postgres ? sql`unnest(${ids}::text[]) as k(id)` : sql`(select value as id from json_each(${JSON.stringify(ids)})) k`
  const byId = compiledOnce(db, () => db.selectFrom('sessions').selectAll().where('id', '=', ''))
  return {
    /** Stores a session with its launch token; its user is known from then on. @param requestId that created it */
    async addSession(
      session: NewSession,
      token: { readonly hash: string; readonly expires_ms: number },
      requestId: string | null = null,
    ): Promise<void> {
      const { id, user_reference_id, created_ms } = session
      await inTransaction(db, async (tx) => {
        await tx
          .insertInto('users')
          .values({
            user_reference_id,
            known: 1,
            created_ms,
            last_seen_ms: created_ms,
            reconcile_at_ms: time.now(),
            reconciled_ms: null,
          })
          .onConflict((conflict) =>
            conflict
              .column('user_reference_id')
              .doUpdateSet({ known: 1, last_seen_ms: created_ms, reconcile_at_ms: time.now() }),
          )
          .execute()
        // The user's events may leave quarantine now, even if this process dies before it has released them.
        await tx
          .updateTable('quarantine')
          .set({ release_ms: USER_KNOWN_MS })
          .where('user_reference_id', '=', user_reference_id)
          .where('reason', '=', 'unknown_user')
          .where('settled_ms', 'is', null)
          .execute()
        await tx
          .insertInto('sessions')
          .values({
            id,
            user_reference_id,
            flows: JSON.stringify(session.flows),
            locale: session.locale,
            theme: session.theme,
            tokens: jsonOrNull(session.tokens),
            support_url: session.support_url,
            country: session.country,
            currency_ids: jsonOrNull(session.currency_ids),
            return_url: session.return_url,
            account_label: session.account_label ?? null,
            merchant_name: session.merchant_name ?? null,
            metadata: jsonOrNull(session.metadata ?? null),
            own_wallet: session.own_wallet === true ? 1 : 0,
            created_ms,
            launched_ms: null,
            last_used_ms: created_ms,
            ended_ms: null,
          })
          .execute()
        await tx
          .insertInto('launch_tokens')
          .values({ token_hash: token.hash, session_id: id, expires_ms: token.expires_ms, used_ms: null })
          .execute()
        await requestEffectsOf(tx).note({
          request_id: requestId,
          kind: 'session',
          name: id,
          user_reference_id,
          created_ms,
        })
      })
    },

    /**
     * Uses up the token and launches its session. Only one caller succeeds, even with several instances, since the
     * database lets one update through. If the session has ended meanwhile, its token counts as expired.
     */
    async redeemLaunchToken(hash: string, now: number, appearance: LaunchAppearance = {}): Promise<LaunchOutcome> {
      return inTransaction(db, async (tx): Promise<LaunchOutcome> => {
        const used = await tx
          .updateTable('launch_tokens')
          .set({ used_ms: now })
          .where('token_hash', '=', hash)
          .where('used_ms', 'is', null)
          .where('expires_ms', '>', now)
          .returning('session_id')
          .executeTakeFirst()
        if (used === undefined) {
          const token = await tx
            .selectFrom('launch_tokens')
            .select('used_ms')
            .where('token_hash', '=', hash)
            .executeTakeFirst()
          if (token === undefined) return { outcome: 'unknown' }
          return { outcome: token.used_ms === null ? 'expired' : 'used' }
        }
        const launched = await tx
          .updateTable('sessions')
          .set({ launched_ms: now, last_used_ms: now, ...appearance })
          .where('id', '=', used.session_id)
          .where('ended_ms', 'is', null)
          .returningAll()
          .executeTakeFirst()
        return launched === undefined
          ? { outcome: 'expired' }
          : { outcome: 'launched', session: stored(launched).session }
      })
    },

    async findSession(id: string): Promise<StoredSession | null> {
      const [found] = await byId(id)
      return found === undefined ? null : stored(found)
    },

    /** The user's newest sessions, newest first. */
    async ofUser(user: string, limit: number): Promise<readonly StoredSession[]> {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_reference_id', '=', user)
        .orderBy('created_ms', 'desc')
        .limit(limit)
        .execute()
      return rows.map(stored)
    },

    /** The user's sessions that no call has ended. */
    async unendedOf(user: string): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('sessions')
        .select('id')
        .where('user_reference_id', '=', user)
        .where('ended_ms', 'is', null)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** The existing sessions among these ids, in any order. */
    async findSessions(ids: readonly string[]): Promise<readonly StoredSession[]> {
      if (ids.length === 0) return []
      return (await db.selectFrom('sessions').selectAll().where('id', 'in', ids).execute()).map(stored)
    },

    /**
     * Of these sessions, those that are not alive (`alive` 0: unknown, not launched, ended, or not used or created
     * since those times), and those whose last use was stored before `touchedAfterMs`.
     */
    async noteworthySessions(
      ids: readonly string[],
      since: { readonly usedAfterMs: number; readonly createdAfterMs: number; readonly touchedAfterMs: number },
    ): Promise<readonly { readonly id: string; readonly alive: 0 | 1 }[]> {
      const isAlive = sql`(s.launched_ms is not null and s.ended_ms is null
        and s.last_used_ms > ${since.usedAfterMs} and s.created_ms > ${since.createdAfterMs})`
      const { rows } = await sql<{ id: string; alive: 0 | 1 }>`
        select k.id, case when s.id is not null and ${isAlive} then 1 else 0 end as alive
        from ${idsTable(ids)} left join sessions s on s.id = k.id
        where s.id is null or not ${isAlive} or s.last_used_ms <= ${since.touchedAfterMs}`.execute(db)
      return rows
    },

    /** Marks these sessions as used and their users as active. Skips rows that another transaction has locked. */
    async touchSessions(ids: readonly string[], now: number): Promise<void> {
      const skipLocked = sql.raw(postgres ? 'for update skip locked' : '')
      await inTransaction(db, async (tx) => {
        const { rows } = await sql<{ user_reference_id: string }>`
          update sessions set last_used_ms = ${now} where id in (
            select id from sessions where id in (select id from ${idsTable(ids)}) ${skipLocked})
          returning user_reference_id`.execute(tx)
        const users = [...new Set(rows.map((row) => row.user_reference_id))]
        await sql`
          update users set last_seen_ms = ${now} where user_reference_id in (
            select user_reference_id from users where user_reference_id in (select id from ${idsTable(users)}) ${skipLocked})`.execute(
          tx,
        )
      })
    },

    /** Language and merchant's name of the user's newest session that was launched, or was not yet. */
    async latestOf(user: string): Promise<Pick<CashierSession, 'locale' | 'merchant_name'> | null> {
      const query = db
        .selectFrom('sessions')
        .select(['locale', 'merchant_name'])
        .where('user_reference_id', '=', user)
        .orderBy('created_ms', 'desc')
        .limit(1)
      return (await query.executeTakeFirst()) ?? null
    },

    /** Ends a session at once; a session that has ended stays unchanged. False if there is no such session. */
    async endSession(id: string, now: number): Promise<boolean> {
      const ended = await db
        .updateTable('sessions')
        .set((set) => ({ ended_ms: set.fn.coalesce('ended_ms', set.val(now)) }))
        .where('id', '=', id)
        .executeTakeFirst()
      return ended.numUpdatedRows > 0n
    },

    /** Deletes sessions that were not used since `before_ms`, with their tokens, oldest first. Returns how many. */
    async deleteUnusedSessions(before_ms: number, limit = 500): Promise<number> {
      return inTransaction(db, async (tx) => {
        const old = await tx
          .selectFrom('sessions')
          .select('id')
          .where('last_used_ms', '<', before_ms)
          .orderBy('last_used_ms')
          .limit(limit)
          .execute()
        if (old.length === 0) return 0
        const ids = old.map(({ id }) => id)
        await tx.deleteFrom('launch_tokens').where('session_id', 'in', ids).execute()
        await tx.deleteFrom('sessions').where('id', 'in', ids).execute()
        return old.length
      })
    },
  }
}
