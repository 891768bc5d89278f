/** Rows that a test begins with, and facts that it adds: all through units of work, as in production. */
import { applyFact, type ApplyOptions } from '../../ledger/apply-fact.ts'
import type { BookingRequest, OverdraftReason } from '../../ledger/accounts.ts'
import type { Fact, FactCurrency } from '../../ledger/facts.ts'
import type { FeedItem } from '../../ledger/outbox.ts'
import { post } from '../../ledger/post-entries.ts'
import type {
  QuarantineLine,
  RecordRow,
  TransactionRow,
  WebhookRow,
  WithdrawalCallRow,
  WithdrawalColumns,
  WithdrawalRow,
} from '../../ledger/rows.ts'
import type { Store, Tx } from '../store.ts'
import { completeWithdrawal } from './sample-rows.ts'

export interface SeedRows {
  readonly currencies?: readonly FactCurrency[]
  readonly facts?: readonly Fact[]
  readonly transactions?: readonly TransactionRow[]
  readonly withdrawals?: readonly WithdrawalRow[]
  readonly bookings?: readonly BookingRequest[]
  /** The reason that allows a booking to go below zero. */
  readonly overdraft?: OverdraftReason
  readonly records?: readonly RecordRow[]
  /** Received at the transaction's time. */
  readonly quarantine?: readonly Omit<QuarantineLine, 'received_ms'>[]
  /** They name no transaction by default. */
  readonly webhooks?: readonly (Omit<WebhookRow, 'transaction_uuid'> & Partial<WebhookRow>)[]
  readonly calls?: readonly WithdrawalCallRow[]
  /** Events for the feed and the user's stream. */
  readonly published?: readonly (FeedItem & { readonly streamUser: string | null })[]
}

/** Inserts all these rows with one unit of work, inside a transaction. */
export async function seedIn(tx: Tx, rows: SeedRows): Promise<void> {
  const { bookings = [], overdraft = null } = rows
  const unit = await tx.load({
    users: bookings.map(({ user_reference_id }) => user_reference_id),
    transactions: [...(rows.facts ?? []), ...(rows.transactions ?? [])],
    balances: bookings.map(({ user_reference_id, currency_id }) => [user_reference_id, currency_id] as const),
  })
  for (const currency of rows.currencies ?? []) unit.learnCurrency(currency)
  for (const fact of rows.facts ?? []) unit.addFact(fact)
  for (const row of rows.transactions ?? []) unit.putTransaction(row)
  for (const row of rows.withdrawals ?? []) unit.insertWithdrawal(row)
  for (const booking of bookings) post(unit, booking, overdraft)
  for (const row of rows.records ?? []) unit.putRecord(row)
  for (const item of rows.quarantine ?? []) unit.quarantine(item)
  for (const row of rows.webhooks ?? []) unit.addWebhook({ transaction_uuid: null, ...row })
  for (const row of rows.calls ?? []) unit.addCall(row)
  for (const item of rows.published ?? []) unit.outbox.addTransaction(item)
  await tx.save(unit)
}

/** The same in its own transaction. */
export const seed = (store: Store, rows: SeedRows): Promise<void> => store.transaction((tx) => seedIn(tx, rows))

/** Changes columns of a stored withdrawal. */
export async function changeWithdrawal(store: Store, id: string, change: Partial<WithdrawalColumns>): Promise<void> {
  const user = (await store.withdrawals.find(id))?.user_reference_id ?? ''
  await store.unitOfWork({ users: [user], withdrawals: [id] }, (unit) => {
    const row = unit.withdrawal(id)
    if (row === null) throw new Error(`there is no withdrawal ${id}`)
    unit.putWithdrawal(completeWithdrawal({ ...row, ...change }))
  })
}

/** Applies one fact in its own transaction. */
export const applyOneFact = (
  store: Store,
  fact: Fact,
  options: Partial<ApplyOptions> = {},
): Promise<ReturnType<typeof applyFact>> =>
  store.transaction(async (tx) => {
    const users = fact.user_reference_id === null ? [] : [fact.user_reference_id]
    const sessions = fact.kind === 'onramp'
    const unit = await tx.load({
      users,
      transactions: [fact],
      onrampReferences: sessions && fact.session_reference !== null ? [fact.session_reference] : [],
      onrampKeys: sessions && fact.correlation_key !== null ? [fact.correlation_key] : [],
    })
    await tx.loadRelated(unit, [fact])
    const outcome = applyFact(unit, fact, { ledgerMode: 'embedded', ledgerStartMs: 0, evidence: '{}', ...options })
    await tx.save(unit)
    return outcome
  })
