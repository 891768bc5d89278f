import { sql, type Kysely } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'
import type { Tables } from './schema.ts'

/** What points at a user besides the user's id. */
export interface Traces {
  readonly uuids: ReadonlySet<string>
  readonly withdrawals: ReadonlySet<string>
}

/** SQLite takes so many values in a query and no more. */
const AT_ONCE = 500

async function inParts<T>(all: Iterable<T>, work: (part: T[]) => Promise<unknown>): Promise<void> {
  const list = [...all]
  for (let at = 0; at < list.length; at += AT_ONCE) await work(list.slice(at, at + AT_ONCE))
}

/** What a fact or an event may tell of a person; status, amounts and currency stay, since the books stand on them. */
const BLANKED = [
  'to_address',
  'from_address',
  'tx_hash',
  'provider_transaction_id',
  'payment_method',
  'correlation_key',
  'session_reference',
]

/** The JSON object with the pseudonym and nothing else that tells of the user. */
function blank(json: string, pseudonym: string, more: object = {}): string {
  const content = JSON.parse(json) as Record<string, unknown>
  for (const name of BLANKED) if (name in content) content[name] = null
  if (content['user_reference_id'] !== null) content['user_reference_id'] = pseudonym
  return JSON.stringify({ ...content, ...more })
}

/** Steps of erasing one user (`scripts/erase-user.ts`, docs/data.md). */
export const erasureOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /** SQLite: what this connection deletes from now on is overwritten in the file. PostgreSQL's vacuum does as much. */
  async overwriteDeleted(): Promise<void> {
    if (flavour === 'sqlite') await sql`pragma secure_delete = on`.execute(db)
  },

  /** Whether this was told before about a user who has been erased since: known, without its content. */
  async isErased(kind: string, uuid: string, status: string): Promise<boolean> {
    const fact = await db
      .selectFrom('facts')
      .select('content')
      .where('kind', '=', kind)
      .where('transaction_uuid', '=', uuid)
      .where('status', '=', status)
      .executeTakeFirst()
    return fact !== undefined && (JSON.parse(fact.content) as { erased?: boolean }).erased === true
  },

  /** Whether anything is kept under this id, were it only a webhook in quarantine. */
  async isThere(user: string): Promise<boolean> {
    for (const table of ['users', 'quarantine'] as const) {
      const query = db.selectFrom(table).select('user_reference_id').where('user_reference_id', '=', user)
      if ((await query.executeTakeFirst()) !== undefined) return true
    }
    return false
  },

  /** Withdrawals that have not come to rest. */
  async openWithdrawals(user: string): Promise<readonly { readonly id: string; readonly status: string }[]> {
    return db
      .selectFrom('withdrawals')
      .select(['id', 'status'])
      .where('user_reference_id', '=', user)
      .where((where) => where.or([where('status', 'not in', ['succeeded', 'failed']), where('funds', '=', 'held')]))
      .execute()
  },

  async traces(user: string): Promise<Traces> {
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

  async dropWebhooks(ids: Iterable<string>): Promise<void> {
    await inParts(ids, (part) => db.deleteFrom('webhooks').where('id', 'in', part).execute())
  },

  async blankMerchantEvents(cursors: Iterable<number>, pseudonym: string): Promise<void> {
    for (const cursor of cursors) {
      const row = await db.selectFrom('merchant_events').select('data').where('cursor', '=', cursor).executeTakeFirst()
      if (row === undefined) continue
      const data = blank(row.data, pseudonym)
      await db.updateTable('merchant_events').set({ data }).where('cursor', '=', cursor).execute()
    }
  },

  /** All that only serves the user; gives how many webhooks in quarantine went with it. */
  async dropBelongings(user: string, uuids: ReadonlySet<string>): Promise<{ readonly quarantined: number }> {
    const sessions = db.selectFrom('sessions').select('id').where('user_reference_id', '=', user)
    await db.deleteFrom('launch_tokens').where('session_id', 'in', sessions).execute()
    for (const table of [
      'sessions',
      'deposit_addresses',
      'records',
      'onramp_sessions',
      'stream_events',
      'users',
    ] as const)
      await db.deleteFrom(table).where('user_reference_id', '=', user).execute()
    const own = await db.deleteFrom('quarantine').where('user_reference_id', '=', user).executeTakeFirst()
    let quarantined = own.numDeletedRows
    await inParts(uuids, async (part) => {
      const theirs = await db.deleteFrom('quarantine').where('transaction_uuid', 'in', part).executeTakeFirst()
      quarantined += theirs.numDeletedRows
    })
    return { quarantined: Number(quarantined) }
  },

  /**
   * Transactions keep what the books and the memory of duplicates need. One that has not ended has booked nothing and
   * goes: should its end be told to a user of that id later, it begins anew.
   */
  async blankTransactions(uuids: ReadonlySet<string>, user: string, pseudonym: string): Promise<void> {
    const rows: TransactionState[] = []
    await inParts(uuids, async (part) => {
      const found = await db
        .selectFrom('transactions')
        .select(['kind', 'transaction_uuid', 'user_reference_id', 'status', 'credited'])
        .where('transaction_uuid', 'in', part)
        .where((where) => where.or([where('user_reference_id', '=', user), where('user_reference_id', 'is', null)]))
        .execute()
      rows.push(...found)
    })
    for (const row of rows) await (hasEnded(row) ? blankOne(db, row, pseudonym) : dropOne(db, row))
  },

  async blankWithdrawals(user: string, pseudonym: string): Promise<void> {
    await db
      .updateTable('withdrawals')
      .set({
        user_reference_id: pseudonym,
        idempotency_key: sql<string>`'erased:' || id`,
        wallet_address: '',
        address_key: '',
        failure_reason: null,
        user_message: null,
        first_result: null,
      })
      .where('user_reference_id', '=', user)
      .execute()
  },

  /** The books keep every amount, under the pseudonym; a booking that the merchant had named loses its name. */
  async renameBooks(user: string, pseudonym: string): Promise<void> {
    const named = await db
      .selectFrom('postings')
      .select(['id', 'posting_key', 'kind'])
      .where('user_reference_id', '=', user)
      .where('kind', '=', 'adjustment')
      .execute()
    for (const { id, posting_key, kind } of named) {
      const key = `${kind}:${pseudonym}:${id}`
      await db.updateTable('postings').set({ posting_key: key, detail: null }).where('id', '=', id).execute()
      await db.updateTable('entries').set({ posting_key: key }).where('posting_key', '=', posting_key).execute()
    }
    for (const table of ['postings', 'entries', 'balances'] as const)
      await db.updateTable(table).set({ user_reference_id: pseudonym }).where('user_reference_id', '=', user).execute()
  },
})

interface TransactionState {
  readonly kind: string
  readonly transaction_uuid: string
  readonly user_reference_id: string | null
  readonly status: string
  readonly credited: string
}

const hasEnded = ({ status, credited }: TransactionState): boolean =>
  status === 'succeeded' || status === 'failed' || credited !== '0'

async function dropOne(db: Kysely<Tables>, { kind, transaction_uuid }: TransactionState): Promise<void> {
  for (const table of ['facts', 'transactions'] as const)
    await db.deleteFrom(table).where('kind', '=', kind).where('transaction_uuid', '=', transaction_uuid).execute()
}

async function blankOne(
  db: Kysely<Tables>,
  { kind, transaction_uuid, user_reference_id }: TransactionState,
  pseudonym: string,
): Promise<void> {
  const facts = await db
    .selectFrom('facts')
    .select(['status', 'content'])
    .where('kind', '=', kind)
    .where('transaction_uuid', '=', transaction_uuid)
    .execute()
  for (const { status, content } of facts)
    await db
      .updateTable('facts')
      .set({ content: blank(content, pseudonym, { erased: true }) })
      .where('kind', '=', kind)
      .where('transaction_uuid', '=', transaction_uuid)
      .where('status', '=', status)
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
