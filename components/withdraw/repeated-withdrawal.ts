/** Whether the same withdrawal was requested a moment ago, so that the review asks before it sends another one. */
import { comparableAddress } from '#lib/addresses/comparable-address.ts'
import { mergeLive, type LiveTransactions } from '#lib/browser/live-transactions.ts'
import { transactionKind } from '#lib/browser/status-display.ts'
import type { SentWithdrawal } from '#lib/browser/withdrawal-attempt.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import type { TransactionNode } from '#lib/contract/cashier.ts'
import { equals, isDecimal } from '#lib/contract/money.ts'

const REPEAT_WINDOW_MS = 120_000

/** The user's newest withdrawals: at most 10 a minute are accepted, so two minutes fit. */
export const RECENT_WITHDRAWALS_QUERY = 'first=50&transaction_types=Payout'

/** The withdrawals that the page knows of, from any tab or device. */
export interface KnownWithdrawals {
  readonly listed: readonly TransactionNode[]
  readonly live: LiveTransactions
  /** Requested by this page, with its own clock: the list may be unavailable or late. */
  readonly sent: readonly SentWithdrawal[]
}

const sameAmount = (a: string, b: string): boolean => (isDecimal(a) && isDecimal(b) ? equals(a, b) : a === b)

/** The page's clock, which may be wrong. */
export interface PageClock {
  readonly nowMs: number
  /** How far it is ahead of the server's clock. */
  readonly aheadMs: number
}

/** A time to come counts too: asking once too often does no harm. */
const isRecent = (atMs: number, nowMs: number): boolean => nowMs - atMs <= REPEAT_WINDOW_MS

/**
 * Whether a withdrawal of the same amount and currency to the same address was requested within the last two
 * minutes and has not failed. `network` is the currency's.
 */
export function isRepeated(
  request: WithdrawalBody,
  network: string,
  known: KnownWithdrawals,
  { nowMs, aheadMs }: PageClock,
): boolean {
  const same = (currencyId: string, amount: string, address: string): boolean =>
    currencyId === request.currency_id &&
    sameAmount(amount, request.amount) &&
    comparableAddress(network, address) === comparableAddress(network, request.wallet_address)
  const listed = known.listed
    .map((node) => mergeLive(node, known.live))
    .filter((node) => transactionKind(node) === 'payout')
  const failed = new Set(
    listed.flatMap(({ cashier_status, withdrawal_id }) => (cashier_status === 'failed' ? (withdrawal_id ?? []) : [])),
  )
  return (
    listed.some(
      (node) =>
        node.cashier_status !== 'failed' &&
        same(node.currency.id, node.amount, node.to_address ?? '') &&
        isRecent(Date.parse(node.inserted_at) + aheadMs, nowMs),
    ) ||
    known.sent.some(
      ({ withdrawalId, request: { currency_id, amount, wallet_address }, atMs }) =>
        !failed.has(withdrawalId) && same(currency_id, amount, wallet_address) && isRecent(atMs, nowMs),
    )
  )
}
