import { sql, type Kysely } from 'kysely'
import * as z from 'zod/mini'
import { lockTransactions } from '../database/lock-transactions.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { hasTransactionEnded } from '../../ledger/transaction-statuses.ts'
import type { Tables } from '../database/schema.ts'
import { openItems, type OpenItem } from './open-items.ts'
import { erasedKey } from '../../ledger/adjustment-keys.ts'
import type { TransactionRow } from '../../ledger/rows.ts'

/** Ids besides the user's own that refer to the user. */
export interface UserReferences {
  readonly uuids: ReadonlySet<string>
  readonly withdrawals: ReadonlySet<string>
}

const objectSchema = z.record(z.string(), z.unknown())

/** Reads a JSON column that holds an object. Throws if it holds something else. */
export const readObject = (json: string): Record<string, unknown> => objectSchema.parse(JSON.parse(json))

/** SQLite limits the number of values in a query. */
const CHUNK = 500

async function inChunks<T>(all: Iterable<T>, work: (part: T[]) => Promise<unknown>): Promise<void> {
  const list = [...all]
  for (let at = 0; at < list.length; at += CHUNK) await work(list.slice(at, at + CHUNK))
}

/** Personal fields of a fact or an event. Status, amounts and currency stay, since the ledger needs them. */
const PERSONAL_FIELDS = [
  'to_address',
  'from_address',
  'tx_hash',
  'provider_transaction_id',
  'payment_method',
  'correlation_key',
  'session_reference',
  'metadata',
  'merchant_reference',
]

/** The JSON object with the pseudonym in place of the user, and without personal fields. */
function redact(json: string, pseudonym: string, more: object = {}): string {
  const content = readObject(json)
  for (const name of PERSONAL_FIELDS) if (name in content) content[name] = null
  if (content['user_reference_id'] !== null) content['user_reference_id'] = pseudonym
  return JSON.stringify({ ...content, ...more })
}

/** Steps of erasing one user (`scripts/erase-user.ts`, docs/explanation/security.md). */
export const erasureOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /** Inside a transaction: prevents messages about other users from changing these transactions until it ends. */
  lock: (uuids: ReadonlySet<string>): Promise<void> => lockTransactions(flavour, db, uuids),

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
    const named = async (table: 'transactions' | 'records' | 'onramp_sessions'): Promise<(string | null)[]> => {
      const query = db.selectFrom(table).select('transaction_uuid').where('user_reference_id', '=', user)
      return (await query.execute()).map((row) => row.transaction_uuid)
    }
    const withdrawals = await db
      .selectFrom('withdrawals')
      .select(['id', 'transaction_uuid'])
      .where('user_reference_id', '=', user)
      .execute()
    const uuids = [
      ...(await named('transactions')),
      ...(await named('records')),
      ...(await named('onramp_sessions')),
      ...withdrawals.map((row) => row.transaction_uuid),
    ]
    return {
      uuids: new Set(uuids.filter((uuid) => uuid !== null)),
      withdrawals: new Set(withdrawals.map(({ id }) => id)),
    }
  },

  async webhooksAfter(id: string, limit: number): Promise<readonly { readonly id: string; readonly body: string }[]> {
    return db.selectFrom('webhooks').select(['id', 'body']).where('id', '>', id).orderBy('id').limit(limit).execute()
  },

  async webhooksSince(receivedMs: number): Promise<readonly { readonly id: string; readonly body: string }[]> {
    return db.selectFrom('webhooks').select(['id', 'body']).where('received_ms', '>=', receivedMs).execute()
  },

  async deleteWebhooks(ids: Iterable<string>): Promise<void> {
    await inChunks(ids, (part) => db.deleteFrom('webhooks').where('id', 'in', part).execute())
  },

  async redactMerchantEvents(cursors: Iterable<number>, pseudonym: string): Promise<void> {
    for (const cursor of cursors) {
      const row = await db.selectFrom('merchant_events').select('data').where('cursor', '=', cursor).executeTakeFirst()
      if (row === undefined) continue
      const data = redact(row.data, pseudonym)
      await db.updateTable('merchant_events').set({ data }).where('cursor', '=', cursor).execute()
    }
  },

  /** Deletes the rows that only serve the user. Returns how many webhooks waiting in quarantine were among them. */
  async deletePersonalRows(user: string, uuids: ReadonlySet<string>): Promise<{ readonly quarantined: number }> {
    const sessions = db.selectFrom('sessions').select('id').where('user_reference_id', '=', user)
    await db.deleteFrom('launch_tokens').where('session_id', 'in', sessions).execute()
    for (const table of [
      'sessions',
      'deposit_addresses',
      'records',
      'list_scans',
      'scanned_records',
      'onramp_sessions',
      'stream_events',
      'users',
    ] as const)
      await db.deleteFrom(table).where('user_reference_id', '=', user).execute()
    const open = db.deleteFrom('quarantine').where('settled_ms', 'is', null)
    const settled = db.deleteFrom('quarantine').where('settled_ms', 'is not', null)
    const own = await open.where('user_reference_id', '=', user).executeTakeFirst()
    await settled.where('user_reference_id', '=', user).execute()
    let quarantined = own.numDeletedRows
    await inChunks(uuids, async (part) => {
      const theirs = await open.where('transaction_uuid', 'in', part).executeTakeFirst()
      await settled.where('transaction_uuid', 'in', part).execute()
      quarantined += theirs.numDeletedRows
    })
    return { quarantined: Number(quarantined) }
  },

  /**
   * Redacts ended transactions but keeps the data for the ledger and the detection of duplicates. A transaction that
   * has not ended has no postings and is deleted: if it ends later, for a new user with that id, it starts again.
   */
  async redactTransactions(uuids: ReadonlySet<string>, user: string, pseudonym: string): Promise<void> {
    const rows: TransactionState[] = []
    await inChunks(uuids, async (part) => {
      const found = await db
        .selectFrom('transactions')
        .select(['kind', 'transaction_uuid', 'user_reference_id', 'status', 'credited'])
        .where('transaction_uuid', 'in', part)
        .where((where) => where.or([where('user_reference_id', '=', user), where('user_reference_id', 'is', null)]))
        .execute()
      rows.push(...found)
    })
    for (const row of rows) await (hasEnded(row) ? redactOne(db, row, pseudonym) : deleteOne(db, row))
  },

  async redactWithdrawals(user: string, pseudonym: string): Promise<void> {
    await db
      .updateTable('withdrawals')
      .set({
        user_reference_id: pseudonym,
        idempotency_key: sql<string>`'erased:' || id`,
        wallet_address: '',
        failure_reason: null,
        user_message: null,
        first_result: null,
        resolution: null,
      })
      .where('user_reference_id', '=', user)
      .execute()
  },

  /** Payouts stay, so that none becomes open again. */
  async redactPayouts(user: string, pseudonym: string): Promise<void> {
    await db
      .updateTable('payouts')
      .set({ user_reference_id: pseudonym, to_address: null, note: null })
      .where('user_reference_id', '=', user)
      .execute()
  },

  /** The ledger keeps every amount under the pseudonym; of an adjustment's reference only a hash stays. */
  async pseudonymizeLedger(user: string, pseudonym: string): Promise<void> {
    const named = await db
      .selectFrom('postings')
      .select(['id', 'posting_key', 'detail'])
      .where('user_reference_id', '=', user)
      .where('kind', '=', 'adjustment')
      .execute()
    for (const { id, posting_key: key, detail: told } of named) {
      const posting_key = erasedKey(key)
      const detail = told === null ? null : redact(told, pseudonym, { reference: '' })
      await db.updateTable('postings').set({ posting_key, detail }).where('id', '=', id).execute()
    }
    for (const table of ['postings', 'balances', 'control_totals'] as const)
      await db.updateTable(table).set({ user_reference_id: pseudonym }).where('user_reference_id', '=', user).execute()
  },
})

type TransactionState = Pick<TransactionRow, 'kind' | 'transaction_uuid' | 'user_reference_id' | 'status' | 'credited'>

const hasEnded = ({ status, credited }: TransactionState): boolean => hasTransactionEnded(status) || credited !== '0'

async function deleteOne(db: Kysely<Tables>, { kind, transaction_uuid }: TransactionState): Promise<void> {
  for (const table of ['facts', 'transactions'] as const)
    await db.deleteFrom(table).where('kind', '=', kind).where('transaction_uuid', '=', transaction_uuid).execute()
}

async function redactOne(
  db: Kysely<Tables>,
  { kind, transaction_uuid, user_reference_id }: TransactionState,
  pseudonym: string,
): Promise<void> {
  const facts = await db
    .selectFrom('facts')
    .select(['status', 'source', 'content'])
    .where('kind', '=', kind)
    .where('transaction_uuid', '=', transaction_uuid)
    .execute()
  for (const { status, source, content } of facts)
    await db
      .updateTable('facts')
      .set({ content: redact(content, pseudonym, { erased: true }) })
      .where('kind', '=', kind)
      .where('transaction_uuid', '=', transaction_uuid)
      .where('status', '=', status)
      .where('source', '=', source)
      .execute()
  await db
    .updateTable('transactions')
    .set({
      user_reference_id: user_reference_id === null ? null : pseudonym,
      to_address: null,
      from_address: null,
      tx_hash: null,
      tx_hash_key: null,
      payment_method: null,
      provider_transaction_id: null,
      correlation_key: null,
      session_reference: null,
      onramp_session_id: null,
    })
    .where('kind', '=', kind)
    .where('transaction_uuid', '=', transaction_uuid)
    .execute()
}
