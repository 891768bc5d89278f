import { sql, type Kysely } from 'kysely'
import { parseFact, type RecordedFact } from '../../ledger/facts.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import { hasTransactionEnded } from '../../ledger/transaction-statuses.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'
import { inChunks } from './in-chunks.ts'
import { redact } from './redact-json.ts'
import {
  factsOfRow,
  storedTransaction,
  storedUnplaced,
  transactionOf,
  unplacedFactsOf,
  type StoredTransaction,
} from './transaction-rows.ts'

const redactFacts = (facts: readonly RecordedFact[], pseudonym: string): readonly RecordedFact[] =>
  facts.map(({ fact, recorded_ms }) => ({
    fact: parseFact(JSON.parse(redact(JSON.stringify(fact), pseudonym, { erased: true }))),
    recorded_ms,
  }))

type TransactionState = Pick<
  StoredTransaction,
  'kind' | 'transaction_uuid' | 'user_reference_id' | 'status' | 'credited'
>

const hasEnded = ({ status, credited }: TransactionState): boolean => hasTransactionEnded(status) || credited !== '0'

async function deleteRow(db: Kysely<Tables>, row: TransactionState): Promise<void> {
  await db
    .deleteFrom('transactions')
    .where('user_reference_id', '=', row.user_reference_id)
    .where('kind', '=', row.kind)
    .where('transaction_uuid', '=', row.transaction_uuid)
    .execute()
}

async function deleteOne(db: Kysely<Tables>, row: TransactionState): Promise<void> {
  await deleteRow(db, row)
  await db
    .deleteFrom('row_users')
    .where('name', '=', row.transaction_uuid)
    .where('kind', '=', row.kind)
    .where('user_reference_id', '=', row.user_reference_id)
    .execute()
}

async function redactOne(db: Kysely<Tables>, row: StoredTransaction, pseudonym: string): Promise<void> {
  await deleteRow(db, row)
  const redacted = {
    ...transactionOf(row),
    user_reference_id: row.user_reference_id === NO_USER ? null : pseudonym,
    to_address: null,
    from_address: null,
    tx_hash: null,
    tx_hash_key: null,
    payment_method: null,
    provider_transaction_id: null,
    correlation_key: null,
    session_reference: null,
    onramp_session_id: null,
  }
  await db
    .insertInto('transactions')
    .values(storedTransaction({ row: redacted, facts: redactFacts(factsOfRow(row), pseudonym) }))
    .execute()
}

export interface ErasedTransactions {
  readonly uuids: ReadonlySet<string>
  readonly user: string
  readonly pseudonym: string
}

/**
 * Redacts ended transactions but keeps the data for the ledger and the detection of duplicates. A transaction that has
 * not ended has no postings and is deleted: if it ends later, for a new user with that id, it starts again.
 */
export async function redactTransactions(
  db: Kysely<Tables>,
  flavour: Flavour,
  { uuids, user, pseudonym }: ErasedTransactions,
): Promise<void> {
  for (const owner of [user, NO_USER]) {
    const rows: StoredTransaction[] = []
    await inChunks(uuids, async (part) => {
      const query = db.selectFrom('transactions').selectAll().where('user_reference_id', '=', owner)
      rows.push(...(await query.where('transaction_uuid', 'in', part).execute()))
    })
    for (const row of rows) await (hasEnded(row) ? redactOne(db, row, pseudonym) : deleteOne(db, row))
  }
  const position = sql.raw(flavour === 'postgres' ? 'strpos' : 'instr')
  const name = `"user_reference_id":${JSON.stringify(user)}`
  const unplaced = await db
    .selectFrom('unplaced_facts')
    .selectAll()
    .where(sql<boolean>`${position}(facts, ${name}) > 0`)
    .execute()
  for (const row of unplaced)
    await db
      .updateTable('unplaced_facts')
      .set(storedUnplaced({ ...row, facts: redactFacts(unplacedFactsOf(row), pseudonym) }))
      .where('transaction_uuid', '=', row.transaction_uuid)
      .where('kind', '=', row.kind)
      .execute()
}
