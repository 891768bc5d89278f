import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely'
import type { RowUser } from '../../ledger/row-users.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import type { OnrampRow, PayoutRow, TransactionRow, WithdrawalColumns, WithdrawalRow } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import type { DepositAddressesTable, SessionsTable, Tables, UsersTable } from '../database/schema.ts'
import { transactionOf, type StoredTransaction } from './transaction-rows.ts'

/** What a text is compared with: the whole, or the beginning. */
export interface SearchText {
  readonly text: string
  readonly isPrefix: boolean
}

export type FoundUser = Pick<Selectable<UsersTable>, 'user_reference_id' | 'created_ms' | 'last_seen_ms'>
export type FoundSession = Pick<Selectable<SessionsTable>, 'id' | 'user_reference_id' | 'created_ms' | 'ended_ms'>

/** The first text after all texts that begin with `text`, which ends with a character of ASCII. */
const afterPrefix = (text: string): string =>
  text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1)

/** A condition that an index on `column` answers. Texts are compared by their bytes, on both databases. */
const matches = (column: string, { text, isPrefix }: SearchText): RawBuilder<boolean> => {
  const of = sql.raw(column)
  return isPrefix ? sql<boolean>`(${of} >= ${text} and ${of} < ${afterPrefix(text)})` : sql<boolean>`${of} = ${text}`
}

/** The rows to which names lead. */
export interface NamedRows {
  readonly transactions: readonly TransactionRow[]
  readonly withdrawals: readonly WithdrawalRow[]
  readonly payouts: readonly PayoutRow[]
  readonly purchases: readonly OnrampRow[]
}

function namedRows(flavour: Flavour) {
  const byUuid = ['user_reference_id', 'transaction_uuid']
  const transactions = selectByKeys<StoredTransaction>(flavour, 'transactions', byUuid)
  const withdrawals = selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', byUuid)
  const payouts = selectByKeys<PayoutRow>(flavour, 'payouts', byUuid)
  const byId = selectByKeys<OnrampRow>(flavour, 'onramp_sessions', ['user_reference_id', 'id'])
  const byKey = selectByKeys<OnrampRow>(flavour, 'onramp_sessions', ['user_reference_id', 'correlation_key'])
  return async (db: Kysely<Tables>, names: readonly RowUser[]): Promise<NamedRows> => {
    const of = (...kinds: readonly RowUser['kind'][]): readonly (readonly string[])[] =>
      names.filter(({ kind }) => kinds.includes(kind)).map(({ user_reference_id, name }) => [user_reference_id, name])
    const purchases = [...(await byId(db, of('session'))), ...(await byKey(db, of('key')))]
    return {
      transactions: (await transactions(db, of('deposit', 'payout', 'onramp'))).map(transactionOf),
      withdrawals: (await withdrawals(db, of('withdrawal'))).map(parseWithdrawal),
      payouts: await payouts(db, of('paid')),
      purchases,
    }
  }
}

/** Finds rows by ids, hashes and addresses, whosever they are; each statement by an index, at most `limit` rows. */
export const searchOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  async users(of: SearchText, limit: number): Promise<readonly FoundUser[]> {
    return db
      .selectFrom('users')
      .select(['user_reference_id', 'created_ms', 'last_seen_ms'])
      .where(matches('user_reference_id', of))
      .orderBy('user_reference_id')
      .limit(limit)
      .execute()
  },

  /** Names of transactions, payouts and purchases (`RowUser`). */
  async names(of: SearchText, limit: number): Promise<readonly RowUser[]> {
    return db.selectFrom('row_users').selectAll().where(matches('name', of)).orderBy('name').limit(limit).execute()
  },

  rowsNamed: (names: readonly RowUser[]): Promise<NamedRows> => namedRows(flavour)(db, names),

  /** Ids of withdrawals, with their users. */
  async withdrawalIds(of: SearchText, limit: number): Promise<readonly (readonly [user: string, id: string])[]> {
    const rows = await db
      .selectFrom('withdrawals')
      .select(['user_reference_id', 'id'])
      .where(matches('id', of))
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ user_reference_id, id }) => [user_reference_id, id] as const)
  },

  async sessions(of: SearchText, limit: number): Promise<readonly FoundSession[]> {
    return db
      .selectFrom('sessions')
      .select(['id', 'user_reference_id', 'created_ms', 'ended_ms'])
      .where(matches('id', of))
      .orderBy('id')
      .limit(limit)
      .execute()
  },

  /** @param of a hash in the form of `comparableHash` */
  async transactionsByHash(of: SearchText, limit: number): Promise<readonly TransactionRow[]> {
    const rows = await db
      .selectFrom('transactions')
      .selectAll()
      .where('tx_hash_key', 'is not', null)
      .where(matches('tx_hash_key', of))
      .limit(limit)
      .execute()
    return rows.map(transactionOf)
  },

  /** Purchases by the key or the reference with which the gateway's events named them. */
  async purchasesByReference(text: string, limit: number): Promise<readonly TransactionRow[]> {
    const byKey = db
      .selectFrom('transactions')
      .selectAll()
      .where('correlation_key', 'is not', null)
      .where('correlation_key', '=', text)
      .limit(limit)
    const byReference = db
      .selectFrom('transactions')
      .selectAll()
      .where(sql<boolean>`session_reference is not null and onramp_session_id is null`)
      .where('session_reference', '=', text)
      .limit(limit)
    return [...(await byKey.execute()), ...(await byReference.execute())].map(transactionOf)
  },

  /** @param of an address in lower case, also of networks where the case counts */
  async depositAddresses(of: SearchText, limit: number): Promise<readonly DepositAddressesTable[]> {
    return db.selectFrom('deposit_addresses').selectAll().where(matches('lower(address)', of)).limit(limit).execute()
  },

  /** Withdrawals to an address, with their users. @param of as in `depositAddresses` */
  async withdrawalsTo(of: SearchText, limit: number): Promise<readonly (readonly [user: string, id: string])[]> {
    const rows = await db
      .selectFrom('withdrawals')
      .select(['user_reference_id', 'id'])
      .where(matches('lower(wallet_address)', of))
      .$if(!of.isPrefix, (query) => query.orderBy('created_ms', 'desc'))
      .limit(limit)
      .execute()
    return rows.map(({ user_reference_id, id }) => [user_reference_id, id] as const)
  },

  /** Payouts to an address. @param of as in `depositAddresses` */
  async payoutsTo(of: SearchText, limit: number): Promise<readonly PayoutRow[]> {
    return db
      .selectFrom('payouts')
      .selectAll()
      .where('to_address', 'is not', null)
      .where(matches('lower(to_address)', of))
      .$if(!of.isPrefix, (query) => query.orderBy('first_seen_ms', 'desc'))
      .limit(limit)
      .execute()
  },

  /** Open lines of the quarantine about a transaction. */
  async quarantineAbout(uuid: string, limit: number): Promise<readonly number[]> {
    const rows = await db
      .selectFrom('quarantine')
      .select('id')
      .where('transaction_uuid', '=', uuid)
      .where('settled_ms', 'is', null)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  },

  /** The events that were sent under a `webhook-id`; a change that a restored database sends again has several. */
  async cursorsSentAs(webhookId: string, limit: number): Promise<readonly number[]> {
    const rows = await db
      .selectFrom('delivery_attempts')
      .select('cursor')
      .distinct()
      .where('webhook_id', '=', webhookId)
      .where('cursor', 'is not', null)
      .limit(limit)
      .execute()
    return rows.flatMap(({ cursor }) => cursor ?? [])
  },

  /** An event of the feed with the state of its delivery (null: delivered, or never queued). */
  async delivery(cursor: number): Promise<FoundDelivery | null> {
    const row = await db
      .selectFrom('merchant_events as e')
      .leftJoin('deliveries as d', 'd.cursor', 'e.cursor')
      .select(['e.cursor', 'e.entity', 'e.created_ms', 'd.state'])
      .where('e.cursor', '=', cursor)
      .executeTakeFirst()
    return row ?? null
  },
})

export interface FoundDelivery {
  readonly cursor: number
  readonly entity: string
  readonly created_ms: number
  readonly state: 'pending' | 'dead' | null
}
