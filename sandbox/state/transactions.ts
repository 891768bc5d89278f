import { z } from 'zod'
import type { Database } from './database.ts'

export const TRANSACTION_TYPES = ['Deposit', 'Payout'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

/** The spec has two values of `status`; the other two are the sandbox's choice. */
export const STATUS = {
  requireProcessing: 'TXN_NEW',
  awaitingApproval: 'TXN_AWAITING_APPROVAL',
  succeeded: 'TXN_PROVIDER_SUCCEEDED',
  failed: 'TXN_FAILED',
} as const

/** Other words of the list for the same states, which the spec does not have (mode `status_words`). */
export const OTHER_WORDS: Readonly<Record<string, string>> = {
  [STATUS.requireProcessing]: 'TXN_FAILOVER_PROVIDER',
  [STATUS.awaitingApproval]: 'TXN_ON_HOLD',
  [STATUS.succeeded]: 'TXN_COMPLETED',
  [STATUS.failed]: 'TXN_PROVIDER_REJECTED',
}

const rowSchema = z.object({
  seq: z.number(),
  uuid: z.string(),
  merchant_id: z.string(),
  user_reference: z.string(),
  type: z.enum(TRANSACTION_TYPES),
  status: z.string(),
  merchant_status: z.string(),
  amount: z.string(),
  currency_id: z.string(),
  from_address: z.string().nullable(),
  to_address: z.string(),
  tx_hash: z.string().nullable(),
  provider_transaction_id: z.string().nullable(),
  failure_reason: z.string().nullable(),
  requires_approval: z.number().transform((flag) => flag === 1),
  inserted_at: z.number(),
  updated_at: z.number(),
  completed_at: z.number().nullable(),
})

export type Transaction = z.infer<typeof rowSchema>
export type NewTransaction = Omit<
  Transaction,
  'seq' | 'merchant_status' | 'updated_at' | 'completed_at' | 'failure_reason'
>

export const readTransaction = (row: unknown): Transaction => rowSchema.parse(row)

export function insertTransaction(database: Database, made: NewTransaction): Transaction {
  database.run(
    `INSERT INTO transactions (uuid, merchant_id, user_reference, type, status, merchant_status, amount, currency_id, from_address,
       to_address, tx_hash, provider_transaction_id, requires_approval, inserted_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 'CALLBACK_PENDING', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    made.uuid,
    made.merchant_id,
    made.user_reference,
    made.type,
    made.status,
    made.amount,
    made.currency_id,
    made.from_address,
    made.to_address,
    made.tx_hash,
    made.provider_transaction_id,
    made.requires_approval ? 1 : 0,
    made.inserted_at,
    made.inserted_at,
  )
  return transactionByUuid(database, made.uuid)
}

export function findTransaction(database: Database, uuid: string): Transaction | null {
  const row = database.one('SELECT * FROM transactions WHERE uuid = ?', uuid)
  return row ? readTransaction(row) : null
}

function transactionByUuid(database: Database, uuid: string): Transaction {
  const found = findTransaction(database, uuid)
  if (!found) throw new RangeError(`no transaction ${uuid}`)
  return found
}

export type TransactionChange = Partial<
  Pick<
    Transaction,
    'status' | 'amount' | 'from_address' | 'tx_hash' | 'provider_transaction_id' | 'failure_reason' | 'completed_at'
  >
>

/** Updates the given fields of a transaction; the others stay. */
export function changeTransaction(
  database: Database,
  before: Transaction,
  change: TransactionChange,
  now: number,
): Transaction {
  const after = { ...before, ...change }
  database.run(
    `UPDATE transactions SET status = ?, amount = ?, from_address = ?, tx_hash = ?, provider_transaction_id = ?, failure_reason = ?,
       completed_at = ?, updated_at = ? WHERE uuid = ?`,
    after.status,
    after.amount,
    after.from_address,
    after.tx_hash,
    after.provider_transaction_id,
    after.failure_reason,
    after.completed_at,
    now,
    before.uuid,
  )
  return transactionByUuid(database, before.uuid)
}

export function setMerchantStatus(database: Database, uuid: string, merchantStatus: string): void {
  database.run('UPDATE transactions SET merchant_status = ? WHERE uuid = ?', merchantStatus, uuid)
}

/** Spellings of one hash. In a hexadecimal hash, letter case and `0x` have no meaning. */
function spellings(hash: string): readonly [string, string] {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(hash)?.[1]?.toLowerCase()
  return digits === undefined ? [hash, hash] : [digits, `0x${digits}`]
}

/** All transactions with a hash, newest first: two deposits may share one. */
export const transactionsWithHash = (database: Database, hash: string): readonly Transaction[] =>
  database
    .all('SELECT * FROM transactions WHERE tx_hash IN (?, ?) ORDER BY seq DESC', ...spellings(hash))
    .map(readTransaction)

export interface TransactionSearch {
  readonly userReference: string | null
  readonly type: TransactionType | null
  readonly status: string | null
  readonly limit: number
}

/** For the control API: newest first, of every merchant. */
export function searchTransactions(database: Database, search: TransactionSearch): readonly Transaction[] {
  return database
    .all(
      `SELECT * FROM transactions WHERE (?1 IS NULL OR user_reference = ?1) AND (?2 IS NULL OR type = ?2)
         AND (?3 IS NULL OR status = ?3) ORDER BY inserted_at DESC, seq DESC LIMIT ?4`,
      search.userReference,
      search.type,
      search.status,
      search.limit,
    )
    .map(readTransaction)
}
