/** The meaning of the gateway's statuses, in its list, its replies and its errors. */
import type { StatusOf } from '../ledger/transaction-statuses.ts'

export type StatusMeaning = Exclude<StatusOf<'deposit'>, 'other'>

/** Statuses that this installation has learned, in upper case (`GATEWAY_STATUS_WORDS`). */
export type StatusWords = ReadonlyMap<string, StatusMeaning>

export interface StatusReader {
  /** The meaning of a status (docs/internal/gateway.md, "Record states"). */
  readonly record: (status: string) => StatusOf<'deposit'>
  /** The same for a payout, which may also wait for an approval. */
  readonly payout: (status: string) => StatusOf<'payout'>
  /** True if the installation has learned the status. */
  readonly isLearned: (status: string) => boolean
  /**
   * True if the installation has learned the status, or nobody knows it, perhaps no more: its meaning may have changed
   * since a record was stored.
   */
  readonly isChangeable: (status: string) => boolean
}

const DOCUMENTED: Readonly<Record<string, StatusMeaning>> = {
  TXN_NEW: 'processing',
  TXN_PROVIDER_SUCCEEDED: 'succeeded',
}

const FAILURES = new Set(['FAILED', 'FAILURE', 'REJECTED', 'DECLINED', 'CANCELLED', 'CANCELED', 'EXPIRED'])

/** The gateway's documentation does not show the status of a payout that waits for an approval. */
const WAITS = new Set(['AWAIT', 'AWAITS', 'AWAITING', 'PENDING', 'REQUIRE', 'REQUIRES', 'REQUIRING'])

const wordsOf = (status: string): readonly string[] => status.toUpperCase().split(/[_\-\s]+/)

function isAwaitingApproval(status: string): boolean {
  // `AwaitingApproval` is two words, too.
  const words = wordsOf(status.replaceAll(/([a-z])([A-Z])/g, '$1_$2'))
  const waits = words.findIndex((word) => WAITS.has(word))
  return waits >= 0 && words.includes('APPROVAL', waits)
}

export function createStatusReader(learned: StatusWords): StatusReader {
  const keyOf = (status: string): string => status.trim().toUpperCase()
  const record: StatusReader['record'] = (status) => {
    const known = learned.get(keyOf(status)) ?? (Object.hasOwn(DOCUMENTED, status) ? DOCUMENTED[status] : undefined)
    return known ?? (wordsOf(status).some((word) => FAILURES.has(word)) ? 'failed' : 'other')
  }
  const isLearned: StatusReader['isLearned'] = (status) => learned.has(keyOf(status))
  return {
    record,
    payout: (status) => {
      const read = record(status)
      return read === 'other' && isAwaitingApproval(status) ? 'awaiting_approval' : read
    },
    isLearned,
    isChangeable: (status) => isLearned(status) || record(status) === 'other',
  }
}
