import type { Kysely } from 'kysely'
import type { TransactionKind } from '#lib/contract/stream.ts'
import { UNCONFIRMED_STANDINGS } from '../../ledger/transaction-statuses.ts'
import { OPEN_WITHDRAWAL_STATUSES } from '../../ledger/withdrawal-statuses.ts'
import type { Fact, RecordedFact } from '../../ledger/facts.ts'
import { LISTED_SUCCESS } from '../../ledger/stored-facts.ts'
import type { LedgerMode } from '../../ledger/accounts.ts'
import type { LongAgo } from '../../ledger/long-ago.ts'
import type { TransactionKey, TransactionRow, WithdrawalColumns } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import type { Tables, UnplacedFactsTable } from '../database/schema.ts'
import { rowUsersOf } from './row-users.ts'
import { factsOfRow, transactionOf, unplacedFactsOf, type StoredTransaction } from './transaction-rows.ts'

const KINDS = ['deposit', 'payout', 'onramp'] as const satisfies readonly TransactionKind[]
const KEY = ['user_reference_id', 'transaction_uuid'] as const

/** An address from which a deposit came. */
interface Sender {
  readonly network: string
  readonly address: string
}

/** Transactions by their uuids alone: the first statement finds their users, the second their rows. */
export const transactionsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const findRowUsers = rowUsersOf(flavour)
  const unplacedBy = selectByKeys<UnplacedFactsTable>(flavour, 'unplaced_facts', ['transaction_uuid'])
  const rowsBy = selectByKeys<StoredTransaction>(flavour, 'transactions', KEY)
  const withdrawalsBy = selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', KEY)

  const storedRows = async (
    kinds: readonly TransactionKind[],
    uuids: readonly string[],
  ): Promise<readonly StoredTransaction[]> => rowsBy(db, (await findRowUsers(db, uuids)).keys(kinds, uuids))

  const rows = async (
    kinds: readonly TransactionKind[],
    uuids: readonly string[],
  ): Promise<readonly TransactionRow[]> => (await storedRows(kinds, uuids)).map(transactionOf)

  const recordedFacts = async (uuids: readonly string[]): Promise<readonly RecordedFact[]> => {
    const unplaced = await unplacedBy(
      db,
      uuids.map((uuid) => [uuid]),
    )
    return [...(await storedRows(KINDS, uuids)).flatMap(factsOfRow), ...unplaced.flatMap(unplacedFactsOf)]
  }

  return {
    async facts(kind: TransactionKind, uuid: string): Promise<readonly RecordedFact[]> {
      return (await recordedFacts([uuid])).filter(({ fact }) => fact.kind === kind)
    },

    async find(kind: TransactionKind, uuid: string): Promise<TransactionRow | null> {
      return (await rows([kind], [uuid])).find((row) => row.kind === kind) ?? null
    },

    byUuids: (uuids: readonly string[]): Promise<readonly TransactionRow[]> => rows(KINDS, uuids),

    /**
     * Of these transactions, those that wait for the list: known only from unconfirmed webhooks, or the payout of an open
     * withdrawal. There may be any number of `uuids`.
     */
    async awaitingRecords(uuids: readonly string[]): Promise<readonly string[]> {
      const of = await findRowUsers(db, uuids)
      const transactions = await rowsBy(db, of.keys(KINDS, uuids))
      const withdrawals = await withdrawalsBy(db, of.keys(['withdrawal'], uuids))
      return [
        ...transactions.filter(({ standing }) => UNCONFIRMED_STANDINGS.includes(standing)),
        ...withdrawals.filter(({ status }) => OPEN_WITHDRAWAL_STATUSES.some((open) => open === status)),
      ].flatMap(({ transaction_uuid }) => transaction_uuid ?? [])
    },

    /** Every fact of these transactions. */
    async factsOf(uuids: readonly string[]): Promise<readonly Fact[]> {
      return (await recordedFacts(uuids)).map(({ fact }) => fact)
    },

    /** The user's rows since a time, newest first. */
    async ofUser(user: string, sinceMs: number, limit: number): Promise<readonly TransactionRow[]> {
      const found = await db
        .selectFrom('transactions')
        .selectAll()
        .where('user_reference_id', '=', user)
        .where('created_ms', '>=', sinceMs)
        .orderBy('created_ms', 'desc')
        .limit(limit)
        .execute()
      return found.map(transactionOf)
    },

    /** Who sent the user's deposits. Of more than `limit` deposits, any that many are looked at. */
    async senders(user: string, limit: number): Promise<readonly Sender[]> {
      const deposits = db
        .selectFrom('transactions')
        .select(['network', 'from_address'])
        .where('user_reference_id', '=', user)
        .where('kind', '=', 'deposit')
        .where('from_address', 'is not', null)
        .limit(limit)
      const rows = await db.selectFrom(deposits.as('found')).selectAll().distinct().execute()
      return rows.flatMap(({ network, from_address: address }) => (address === null ? [] : [{ network, address }]))
    },

    /** The uuids of the user's succeeded deposits that the ledger has left to the merchant, who has booked them. */
    async merchants(user: string): Promise<ReadonlySet<string>> {
      const rows = await db
        .selectFrom('transactions')
        .select('transaction_uuid')
        .where('user_reference_id', '=', user)
        .where('kind', '=', 'deposit')
        .where('status', '=', 'succeeded')
        .where('standing', '=', 'confirmed')
        .where('postings', '=', 0)
        .execute()
      return new Set(rows.map(({ transaction_uuid }) => transaction_uuid))
    },

    /**
     * The user's deposits, purchases whose coins come as a deposit, and payouts of withdrawals, that only webhooks have
     * called succeeded, since this time or longer, and nobody was told. Where the ledger keeps the books, without those
     * that it has credited.
     */
    async unlistedSuccesses(
      user: string,
      { sinceMs, aheadMs }: LongAgo,
      ledgerMode: LedgerMode,
    ): Promise<readonly TransactionKey[]> {
      return db
        .selectFrom('transactions')
        .select(['kind', 'transaction_uuid'])
        .where('user_reference_id', '=', user)
        .where((where) =>
          where.or([
            where('kind', '=', 'deposit'),
            where('withdrawal_id', 'is not', null),
            where.and([where('kind', '=', 'onramp'), where('onramp_session_id', 'is not', null)]),
          ]),
        )
        .where('status', '=', 'succeeded')
        .where('standing', '=', 'confirmed')
        .where('overdue_ms', 'is', null)
        .where((where) => where.or([where('updated_ms', '<=', sinceMs), where('updated_ms', '>=', aheadMs)]))
        .$if(ledgerMode === 'embedded', (query) => query.where('postings', '=', 0).where('deposit_uuid', 'is', null))
        .where('facts', 'not like', LISTED_SUCCESS)
        .execute()
    },
  }
}
