import type { TransactionRecord } from '../gateway/port.ts'
import { hashKey } from '../ledger/facts.ts'
import type { OnrampRow, Store, TransactionRow, WithdrawalRow } from '../store/port.ts'
import { onrampRow, withdrawalRow, type Beside, type CurrencyWords, type HistoryRow } from './history-rows.ts'

/** How far back rows of ours are looked for, and how many. */
const BACK_MS = 365 * 86_400_000
const MOST = 500

/** An on-ramp that nothing was heard of goes after a day (contract section 5). */
const UNPAID_MS = 86_400_000

interface Onramp {
  readonly session: OnrampRow | null
  readonly transaction: TransactionRow | null
}

/** All that the store knows about a user's transactions, to be laid beside the gateway's list. */
export interface Known {
  readonly withdrawals: readonly WithdrawalRow[]
  readonly transactions: readonly TransactionRow[]
  readonly onramps: readonly Onramp[]
  readonly words: CurrencyWords
  /** Uuids that the list has shown at some time. */
  readonly listed: ReadonlySet<string>
}

export async function loadKnown(store: Store, user: string, nowMs: number): Promise<Known> {
  const since = nowMs - BACK_MS
  const [withdrawals, transactions, sessions, currencies] = await Promise.all([
    store.withdrawals.ofUser(user, since, MOST),
    store.transactions.ofUser(user, since, MOST),
    store.onramps.ofUser(user, since, MOST),
    store.currencies.all(),
  ])
  const told = await store.transactions.byOnrampSessions(sessions.map(({ id }) => id))
  const bySession = new Map(told.map((row) => [row.onramp_session_id, row]))
  const alone = transactions.filter((row) => row.kind === 'onramp' && row.onramp_session_id === null)
  const onramps: Onramp[] = [
    ...sessions.map((session) => ({ session, transaction: bySession.get(session.id) ?? null })),
    ...alone.map((transaction) => ({ session: null, transaction })),
  ]
  const uuids = [...transactions, ...withdrawals].flatMap((row) => row.transaction_uuid ?? [])
  const listed = await store.records.byUuids(user, [...new Set(uuids)])
  return {
    withdrawals,
    transactions,
    onramps,
    words: new Map(currencies.map((currency) => [currency.id, currency])),
    listed: new Set(listed.map((row) => row.transaction_uuid)),
  }
}

/** True where this deposit is what that on-ramp became: the same uuid, key, or hash in the same currency. */
const isDepositOf = (
  deposit: Pick<TransactionRecord, 'transaction_uuid' | 'correlation_key' | 'tx_hash'> & { currency_id: string },
  { session, transaction }: Onramp,
): boolean => {
  const key = session?.correlation_key ?? transaction?.correlation_key ?? null
  if (transaction?.transaction_uuid === deposit.transaction_uuid) return true
  if (key !== null && key !== '' && key === deposit.correlation_key) return true
  const hash = hashKey(deposit.tx_hash)
  return hash !== null && hash === transaction?.tx_hash_key && deposit.currency_id === transaction.currency_id
}

/** What we know beside one record of the list. */
export function besideRecord(record: TransactionRecord, known: Known): Beside {
  const kind = record.type === 'Payout' ? 'payout' : 'deposit'
  const withdrawal = known.withdrawals.find((row) => row.transaction_uuid === record.transaction_uuid)
  const transaction = known.transactions.find(
    (row) => row.kind === kind && row.transaction_uuid === record.transaction_uuid,
  )
  const onramp =
    kind === 'deposit'
      ? known.onramps.find((one) => isDepositOf({ ...record, currency_id: record.currency.id }, one))
      : undefined
  return {
    ...(withdrawal ? { withdrawal } : {}),
    ...(transaction ? { transaction } : {}),
    ...(onramp ? { onramp } : {}),
  }
}

/**
 * Withdrawals and on-ramps of ours that the list does not have (yet), newest first. `oldestMs` is the time of the
 * oldest record that was read where the list goes on behind it: a payout that is older may be there.
 */
export function unlistedRows(
  known: Known,
  page: readonly TransactionRecord[],
  user: string,
  nowMs: number,
  oldestMs: number | null,
): readonly HistoryRow[] {
  const onPage = new Set(page.map((record) => record.transaction_uuid))
  const shown = (uuid: string | null, createdMs: number): boolean =>
    uuid !== null && (onPage.has(uuid) || known.listed.has(uuid) || (oldestMs !== null && createdMs < oldestMs))

  const withdrawals = known.withdrawals
    .filter((row) => row.step !== 'authorizing' && !shown(row.transaction_uuid, row.created_ms))
    .map((row) => {
      const payout = known.transactions.find((told) => told.kind === 'payout' && told.withdrawal_id === row.id)
      return withdrawalRow(row, payout ?? null, known.words)
    })

  const deposits = known.transactions.filter((row) => row.kind === 'deposit' && known.listed.has(row.transaction_uuid))
  const onramps = known.onramps
    .filter(({ session, transaction }) => {
      if (transaction === null && (session?.link ?? null) === null) return false
      const heardMs = transaction?.updated_ms ?? session?.updated_ms ?? 0
      const state = transaction?.status ?? session?.status
      return state !== 'pending' || nowMs - heardMs < UNPAID_MS
    })
    .filter(
      (onramp) =>
        !page.some((record) => isDepositOf({ ...record, currency_id: record.currency.id }, onramp)) &&
        !deposits.some((deposit) => isDepositOf({ ...deposit, currency_id: deposit.currency_id ?? '' }, onramp)),
    )
    .map(({ session, transaction }) => onrampRow(session, transaction, user, known.words))

  return [...withdrawals, ...onramps].sort((a, b) => b.insertedMs - a.insertedMs)
}
