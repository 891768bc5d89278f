import { sql, type Kysely, type Selectable } from 'kysely'
import { erasedKey } from '../../ledger/adjustment-keys.ts'
import { UNAPPLIED_REASONS } from '../../ledger/quarantine-reasons.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { unpackBody } from '../database/packed-text.ts'
import type { PostingsTable, Tables } from '../database/schema.ts'
import { erasedEntry, type AuditRow } from './audit-chain.ts'
import { inChunks } from './in-chunks.ts'
import { openItems, type OpenItem } from './open-items.ts'
import { operatorViewsOf } from './operator-views.ts'
import { redact } from './redact-json.ts'
import { redactTransactions } from './redact-transactions.ts'

/** Ids besides the user's own that refer to the user. */
export interface UserReferences {
  readonly uuids: ReadonlySet<string>
  /** On-ramp sessions: their ids and keys. */
  readonly sessions: ReadonlySet<string>
  readonly withdrawals: ReadonlySet<string>
}

type MovedTable = 'withdrawals' | 'payouts' | 'postings' | 'balances' | 'control_totals'

/** Where the detail of an audit entry names a user: by an id, as a filter, or by what was searched. */
const NAMED_IN_DETAIL = ['user_reference_id', 'user', 'q'] as const

/** Steps of erasing one user (`scripts/erase-user.ts`, docs/explanation/security.md). */
export const erasureOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const position = sql.raw(flavour === 'postgres' ? 'strpos' : 'instr')

  /** Replaces the user's rows by rows of another user: no row changes its user in place. */
  const move = async <Table extends MovedTable>(
    table: Table,
    user: string,
    change: (row: Selectable<Tables[Table]>) => Selectable<Tables[Table]>,
  ): Promise<void> => {
    const all = sql<Selectable<Tables[Table]>>`select * from ${sql.table(table)} where user_reference_id = ${user}`
    const { rows } = await all.execute(db)
    await sql`delete from ${sql.table(table)} where user_reference_id = ${user}`.execute(db)
    await inChunks(rows.map(change), (part) =>
      db
        .insertInto(table)
        .values(part as never)
        .execute(),
    )
  }

  return {
    /** SQLite: from now on this connection overwrites deleted data in the file. PostgreSQL's vacuum does the same. */
    async overwriteDeleted(): Promise<void> {
      if (flavour === 'sqlite') await sql`pragma secure_delete = on`.execute(db)
    },

    /** Whether anything is stored under this id, even if it is only a webhook in quarantine. */
    async hasData(user: string): Promise<boolean> {
      for (const table of ['users', 'quarantine', 'records', 'balances'] as const) {
        const query = db.selectFrom(table).select('user_reference_id').where('user_reference_id', '=', user)
        if ((await query.executeTakeFirst()) !== undefined) return true
      }
      return false
    },

    /** What would be lost without a word if the user were erased now. */
    open: (user: string, now: number): Promise<readonly OpenItem[]> => openItems(db, user, now),

    async references(user: string): Promise<UserReferences> {
      const named = async (table: 'transactions' | 'payouts'): Promise<(string | null)[]> => {
        const query = db.selectFrom(table).select('transaction_uuid').where('user_reference_id', '=', user)
        return (await query.execute()).map((row) => row.transaction_uuid)
      }
      // The gateway's list of this user may show another one's transaction, too.
      const listed = await db
        .selectFrom('records')
        .select('transaction_uuid')
        .where('user_reference_id', '=', user)
        .where(
          sql<boolean>`not exists (select 1 from row_users n join users o on o.user_reference_id = n.user_reference_id
            where n.name = records.transaction_uuid and n.user_reference_id <> ${user})`,
        )
        .execute()
      const withdrawals = await db
        .selectFrom('withdrawals')
        .select(['id', 'transaction_uuid'])
        .where('user_reference_id', '=', user)
        .execute()
      const sessions = await db
        .selectFrom('onramp_sessions')
        .select(['id', 'correlation_key', 'transaction_uuid'])
        .where('user_reference_id', '=', user)
        .execute()
      const uuids = [
        ...(await named('transactions')),
        ...(await named('payouts')),
        ...[...listed, ...sessions, ...withdrawals].map((row) => row.transaction_uuid),
      ]
      const names = sessions.flatMap(({ id, correlation_key }) => [id, correlation_key])
      return {
        uuids: new Set(uuids.filter((uuid) => uuid !== null)),
        sessions: new Set(names.filter((name) => name !== null)),
        withdrawals: new Set(withdrawals.map(({ id }) => id)),
      }
    },

    async webhooksAfter(id: number, limit: number): Promise<readonly { readonly id: number; readonly body: string }[]> {
      const query = db.selectFrom('webhooks').select(['id', 'body']).where('id', '>', id).orderBy('id').limit(limit)
      return (await query.execute()).map(unpackBody)
    },

    async webhooksSince(receivedMs: number): Promise<readonly { readonly id: number; readonly body: string }[]> {
      const query = db.selectFrom('webhooks').select(['id', 'body']).where('received_ms', '>=', receivedMs)
      return (await query.execute()).map(unpackBody)
    },

    async deleteWebhooks(ids: Iterable<number>): Promise<void> {
      await inChunks(ids, (part) => db.deleteFrom('webhooks').where('id', 'in', part).execute())
    },

    async redactMerchantEvents(cursors: Iterable<number>, pseudonym: string): Promise<void> {
      for (const cursor of cursors) {
        const row = await db
          .selectFrom('merchant_events')
          .select('data')
          .where('cursor', '=', cursor)
          .executeTakeFirst()
        if (row === undefined) continue
        const data = redact(row.data, pseudonym)
        await db.updateTable('merchant_events').set({ data }).where('cursor', '=', cursor).execute()
      }
    },

    /** The entries of the audit log that name the user, or something of the user's, and are not blank yet. */
    async auditEntries(user: string, references: UserReferences): Promise<readonly AuditRow[]> {
      const found = new Map<number, AuditRow>()
      const query = db.selectFrom('audit_entries').selectAll().where('salt', 'is not', null)
      const add = (rows: readonly AuditRow[]): void => rows.forEach((row) => found.set(row.seq, row))
      const names = NAMED_IN_DETAIL.map(
        (field) => sql<boolean>`${position}(detail, ${`${JSON.stringify(field)}:${JSON.stringify(user)}`}) > 0`,
      )
      add(await query.where((where) => where.or([where('user_reference_id', '=', user), ...names])).execute())
      await inChunks([user, ...references.uuids, ...references.sessions, ...references.withdrawals], async (part) =>
        add(await query.where('about_id', 'in', part).execute()),
      )
      return [...found.values()].toSorted((one, other) => one.seq - other.seq)
    },

    /** Takes what belongs to a person out of these entries; their chain stays whole. */
    async blankAuditEntries(rows: readonly AuditRow[]): Promise<void> {
      for (const row of rows)
        await db.updateTable('audit_entries').set(erasedEntry(row)).where('seq', '=', row.seq).execute()
    },

    /**
     * Deletes what was sent and answered about these events. An attempt that is under way loses its claim, and so leaves
     * no record.
     */
    async deleteDeliveryAttempts(cursors: Iterable<number>): Promise<void> {
      await inChunks(cursors, async (part) => {
        await db.updateTable('deliveries').set({ claim: null }).where('cursor', 'in', part).execute()
        await db.deleteFrom('delivery_attempts').where('cursor', 'in', part).execute()
      })
    },

    /** Deletes the rows that only serve the user. Returns how many webhooks waiting in quarantine were among them. */
    async deletePersonalRows(user: string, uuids: ReadonlySet<string>): Promise<{ readonly quarantined: number }> {
      const sessions = db.selectFrom('sessions').select('id').where('user_reference_id', '=', user)
      await db.deleteFrom('launch_tokens').where('session_id', 'in', sessions).execute()
      for (const table of [
        'sessions',
        'deposit_addresses',
        'address_notes',
        'records',
        'list_scans',
        'scanned_records',
        'onramp_sessions',
        'withdrawal_calls',
        'stream_events',
        'decision_proposals',
        'request_effects',
        'users',
      ] as const)
        await db.deleteFrom(table).where('user_reference_id', '=', user).execute()
      await operatorViewsOf(db).removeAbout(user)
      const open = db.deleteFrom('quarantine').where('settled_ms', 'is', null)
      const settled = db.deleteFrom('quarantine').where('settled_ms', 'is not', null)
      const own = await open.where('user_reference_id', '=', user).executeTakeFirst()
      await settled.where('user_reference_id', '=', user).execute()
      let quarantined = own.numDeletedRows
      // An event that was not applied and names another user is theirs, whatever transaction it names. The other lines
      // tell of the erased user's transaction, too.
      const rest = sql<boolean>`(user_reference_id = ${NO_USER} or reason not in (${sql.join(UNAPPLIED_REASONS)}))`
      await inChunks(uuids, async (part) => {
        const about = await open.where('transaction_uuid', 'in', part).where(rest).executeTakeFirst()
        await settled.where('transaction_uuid', 'in', part).where(rest).execute()
        quarantined += about.numDeletedRows
      })
      return { quarantined: Number(quarantined) }
    },

    redactTransactions: (uuids: ReadonlySet<string>, user: string, pseudonym: string): Promise<void> =>
      redactTransactions(db, flavour, { uuids, user, pseudonym }),

    async redactWithdrawals(user: string, pseudonym: string): Promise<void> {
      await move('withdrawals', user, (row) => ({
        ...row,
        user_reference_id: pseudonym,
        idempotency_key: `erased:${row.id}`,
        wallet_address: '',
        failure_reason: null,
        user_message: null,
        first_result: null,
        resolution: null,
      }))
    },

    /** Payouts stay, so that none becomes open again. */
    async redactPayouts(user: string, pseudonym: string): Promise<void> {
      await move('payouts', user, (row) => ({ ...row, user_reference_id: pseudonym, to_address: null, note: null }))
    },

    /**
     * The ledger keeps every amount under the pseudonym; of an adjustment's reference only a hash stays, which leads to
     * the pseudonym.
     */
    async pseudonymizeLedger(user: string, pseudonym: string): Promise<void> {
      const hashes: string[] = []
      const hashed = ({ posting_key, detail }: Pick<PostingsTable, 'posting_key' | 'detail'>) => {
        const name = erasedKey(posting_key)
        hashes.push(name)
        return { posting_key: name, detail: detail === null ? null : redact(detail, pseudonym, { reference: '' }) }
      }
      await move('postings', user, (row) => ({
        ...row,
        user_reference_id: pseudonym,
        ...(row.kind === 'adjustment' && hashed(row)),
      }))
      await inChunks(hashes, (part) =>
        db
          .insertInto('row_users')
          .values(part.map((name) => ({ name, kind: 'adjustment', user_reference_id: pseudonym }) as const))
          .execute(),
      )
      for (const table of ['balances', 'control_totals'] as const)
        await move(table, user, (row) => ({ ...row, user_reference_id: pseudonym }))
    },

    /** What led to the user leads to the pseudonym, and the names of sessions that are gone lead nowhere. */
    async renameRows({ uuids, sessions }: UserReferences, user: string, pseudonym: string): Promise<void> {
      await inChunks(sessions, (part) =>
        db
          .deleteFrom('row_users')
          .where('name', 'in', part)
          .where('kind', 'in', ['session', 'key'])
          .where('user_reference_id', '=', user)
          .execute(),
      )
      await inChunks(uuids, (part) =>
        db
          .updateTable('row_users')
          .set({ user_reference_id: pseudonym })
          .where('name', 'in', part)
          .where('user_reference_id', '=', user)
          .execute(),
      )
    },
  }
}
