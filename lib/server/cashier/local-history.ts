import type { TransactionRecord } from '../gateway/port.ts'
import { hashKey } from '../ledger/facts.ts'
import type { OnrampRow, Store, TransactionRow, WithdrawalRow } from '../store/port.ts'
import { onrampRow, withdrawalRow, type LocalMatch, type CurrencyInfo, type HistoryEntry } from './history-rows.ts'

/** How far back our own rows are read, and how many. */
const LOOK_BACK_MS = 365 * 86_400_000
const MOST_ROWS = 500

/** A pending on-ramp without events is hidden after a day (docs/api.md, "Rows that the list lacks"). */
const UNPAID_MS = 86_400_000

interface Onramp {
  readonly session: OnrampRow | null
  readonly transaction: TransactionRow | null
}

/** What the store knows about a user's transactions, to be merged with the gateway's list. */
export interface LocalHistory {
  readonly withdrawals: readonly WithdrawalRow[]
  readonly transactions: readonly TransactionRow[]
  readonly onramps: readonly Onramp[]
  readonly currencies: CurrencyInfo
  /** Uuids that the list has shown before. */
  readonly listed: ReadonlySet<string>
}

export async function loadLocalHistory(store: Store, user: string, nowMs: number): Promise<LocalHistory> {
  const since = nowMs - LOOK_BACK_MS
  const [withdrawals, transactions, sessions, currencies] = await Promise.all([
    store.withdrawals.ofUser(user, since, MOST_ROWS),
    store.transactions.ofUser(user, since, MOST_ROWS),
    store.onramps.ofUser(user, since, MOST_ROWS),
    store.currencies.all(),
  ])
  const ofSessions = await store.transactions.byOnrampSessions(sessions.map(({ id }) => id))
  const bySession = new Map(ofSessions.map((row) => [row.onramp_session_id, row]))
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
    currencies: new Map(currencies.map((currency) => [currency.id, currency])),
    listed: new Set(listed.map((row) => row.transaction_uuid)),
  }
}

/** True if the on-ramp became this deposit: the same uuid, key, or hash in the same currency. */
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

/** The rows of ours that match one record of the list. */
export function localMatchOf(record: TransactionRecord, known: LocalHistory): LocalMatch {
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
 * Our withdrawals and on-ramps that the list does not have (yet), newest first. `oldestMs` is the time of the oldest
 * record on the page, if the list has more pages: an older payout may be there.
 */
export function unlistedRows(
  known: LocalHistory,
  page: readonly TransactionRecord[],
  user: string,
  nowMs: number,
  oldestMs: number | null,
): readonly HistoryEntry[] {
  const onPage = new Set(page.map((record) => record.transaction_uuid))
  const shown = (uuid: string | null, createdMs: number): boolean =>
    uuid !== null && (onPage.has(uuid) || known.listed.has(uuid) || (oldestMs !== null && createdMs < oldestMs))

  const withdrawals = known.withdrawals
    .filter((row) => row.step !== 'authorizing' && !shown(row.transaction_uuid, row.created_ms))
    .map((row) => {
      const payout = known.transactions.find(({ kind, withdrawal_id }) => kind === 'payout' && withdrawal_id === row.id)
      return withdrawalRow(row, payout ?? null, known.currencies)
    })

  const deposits = known.transactions.filter((row) => row.kind === 'deposit' && known.listed.has(row.transaction_uuid))
  const onramps = known.onramps
    .filter(({ session, transaction }) => {
      if (transaction === null && (session?.link ?? null) === null) return false
      const lastEventMs = transaction?.updated_ms ?? session?.updated_ms ?? 0
      const state = transaction?.status ?? session?.status
      return state !== 'pending' || nowMs - lastEventMs < UNPAID_MS
    })
    .filter(
      (onramp) =>
        !page.some((record) => isDepositOf({ ...record, currency_id: record.currency.id }, onramp)) &&
        !deposits.some((deposit) => isDepositOf({ ...deposit, currency_id: deposit.currency_id ?? '' }, onramp)),
    )
    .map(({ session, transaction }) => onrampRow(session, transaction, user, known.currencies))

  return [...withdrawals, ...onramps].sort((a, b) => b.insertedMs - a.insertedMs)
}
