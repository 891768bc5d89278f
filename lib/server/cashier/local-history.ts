import type { TransactionRecord } from '../gateway/types.ts'
import { agrees, compareCurrencies } from '../ledger/compare.ts'
import { hashKey } from '../ledger/facts.ts'
import type { TransactionStatus } from '../ledger/transaction-statuses.ts'
import type { OwnOnramp, OwnRows } from '../store/types.ts'
import { onrampRow, withdrawalRow, type LocalMatch, type HistoryEntry } from './history-rows.ts'

/** How far back our own rows are read. */
const LOOK_BACK_MS = 365 * 86_400_000

/** The time from which on our own rows are read; both in milliseconds since 1970. */
export const lookBackFrom = (nowMs: number): number => nowMs - LOOK_BACK_MS

/**
 * An on-ramp without events that has not succeeded is hidden after a day (docs/explanation/page-api.md, "Rows that the
 * list lacks").
 */
const WITHOUT_EVENT_MS = 86_400_000

/** What the store knows about a user's transactions, to be merged with the gateway's list. */
export interface LocalHistory extends OwnRows {
  /** The state of the user's transaction of that kind and id. */
  readonly statusOf: (kind: 'deposit' | 'payout', uuid: string) => TransactionStatus | undefined
}

/** A record of the list; one from the store is read only when it is needed. */
export interface ShownRecord {
  readonly transaction_uuid: string
  readonly record: TransactionRecord
}

/** True if the on-ramp became this deposit: the same uuid, key, or hash in the same currency. */
const isDepositOf = (deposit: TransactionRecord, { session, transaction }: OwnOnramp): boolean => {
  const key = session?.correlation_key ?? transaction?.correlation_key ?? null
  if (transaction?.transaction_uuid === deposit.transaction_uuid) return true
  if (key !== null && key !== '' && key === deposit.correlation_key) return true
  const hash = hashKey({ tx_hash: deposit.tx_hash, network: deposit.currency.network })
  if (hash === null || hash !== transaction?.tx_hash_key) return false
  const { id: currency_id, code: currency_code, network } = deposit.currency
  return agrees(compareCurrencies({ currency_id, currency_code, network }, transaction))
}

/** Our rows that match one record of the list. */
export function localMatchOf(record: TransactionRecord, known: LocalHistory): LocalMatch {
  const kind = record.type.toLowerCase() === 'payout' ? 'payout' : 'deposit'
  const own = known.withdrawals.find(({ withdrawal }) => withdrawal.transaction_uuid === record.transaction_uuid)
  const status = known.statusOf(kind, record.transaction_uuid)
  const onramp = kind === 'deposit' ? known.onramps.find((one) => isDepositOf(record, one)) : undefined
  return {
    ...(own && { withdrawal: own.withdrawal }),
    ...(status !== undefined && { status }),
    ...(onramp && { onramp }),
  }
}

/**
 * Our withdrawals and on-ramps that the list does not have (yet), newest first. `oldestMs` is the time of the oldest
 * record on the page, if the list has more pages: an older payout may be there.
 */
export function unlistedRows(
  known: OwnRows,
  page: readonly ShownRecord[],
  user: string,
  nowMs: number,
  oldestMs: number | null,
): readonly HistoryEntry[] {
  const onPage = new Set(page.map(({ transaction_uuid }) => transaction_uuid))

  const withdrawals = known.withdrawals.filter(({ withdrawal, listed }) => {
    const { transaction_uuid: uuid, created_ms, step } = withdrawal
    if (step === 'authorizing') return false
    return uuid === null || !(onPage.has(uuid) || listed || (oldestMs !== null && created_ms < oldestMs))
  })
  const onramps = known.onramps
    .filter(({ session, transaction }) => {
      // Without a key or a page no event will name this purchase: its row would wait in vain.
      if (transaction === null && (session?.correlation_key == null || session.link === null)) return false
      const lastEventMs = transaction?.updated_ms ?? session?.updated_ms ?? 0
      const state = transaction?.status ?? session?.status
      return state === 'succeeded' || nowMs - lastEventMs < WITHOUT_EVENT_MS
    })
    .filter((onramp) => !onramp.listed && !page.some(({ record }) => isDepositOf(record, onramp)))

  return [...withdrawals.map(withdrawalRow), ...onramps.map((one) => onrampRow(one, user))].sort(
    (a, b) => b.insertedMs - a.insertedMs,
  )
}
