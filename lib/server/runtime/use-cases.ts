/**
 * What the route handlers call, as one table: the use cases with their dependencies already given by `compose.ts`.
 * Each may throw a `Problem`; anything else is a fault of ours and answered 500 (or 503 where the store is away).
 */
import type {
  Balance,
  Currency,
  DepositAddress,
  OnrampSession,
  TransactionsPage,
  Withdrawal,
} from '#lib/contract/cashier.ts'
import type { TransactionsInput } from '../cashier/list-transactions.ts'
import type { WithdrawalAnswer, WithdrawalInput } from '../cashier/request-withdrawal.ts'
import type { CashierSession } from '../store/port.ts'
import type { IncomingWebhook, WebhookAnswer } from '../webhooks/receive-webhook.ts'

export interface UseCases {
  listCurrencies(session: CashierSession): Promise<readonly Currency[]>
  getDepositAddress(session: CashierSession, input: { readonly currency_id: string }): Promise<DepositAddress>
  knownDepositAddress(session: CashierSession, currencyId: string): Promise<DepositAddress | null>
  /** `admit` is asked once a new withdrawal is to be recorded, not for a replay; it throws `rate_limited`. */
  requestWithdrawal(
    session: CashierSession,
    input: WithdrawalInput,
    idempotencyKey: string,
    admit: () => Promise<void>,
  ): Promise<WithdrawalAnswer>
  getWithdrawal(session: CashierSession, id: string): Promise<Withdrawal>
  startOnramp(
    session: CashierSession,
    input: {
      readonly currency_id: string
      readonly amount: string
      readonly fiat_currency: string
      readonly country: string
    },
  ): Promise<OnrampSession>
  listTransactions(session: CashierSession, input: TransactionsInput): Promise<TransactionsPage>
  listBalances(user_reference_id: string): Promise<readonly Balance[]>

  receiveWebhook(webhook: IncomingWebhook): Promise<WebhookAnswer>

  listMerchantEvents(input: { readonly after: string | null; readonly limit: number }): Promise<{
    readonly events: readonly {
      readonly cursor: string
      readonly type: 'transaction.updated'
      readonly created_at: string
      readonly data: Readonly<Record<string, unknown>>
    }[]
    readonly next_cursor: string
  }>
  /** `created` is false where the same adjustment was booked before. */
  adjustBalance(
    user_reference_id: string,
    input: { readonly currency_id: string; readonly amount: string; readonly reference: string },
  ): Promise<{ readonly created: boolean; readonly adjustment: Readonly<Record<string, unknown>> }>
  decideWithdrawal(
    withdrawalId: string,
    input: { readonly decision: 'approve' | 'decline'; readonly user_message?: string },
  ): Promise<Withdrawal>
  listQuarantine(input: { readonly after: string | null; readonly limit: number }): Promise<{
    readonly items: readonly {
      readonly id: string
      readonly reason: string
      readonly received_at: string
      readonly event: unknown
    }[]
    readonly next_cursor: string
  }>
  /** Puts the deliveries after `cursor` (or the dead ones) back in line; gives how many. */
  redeliver(input: {
    readonly cursors?: readonly string[]
    readonly dead?: boolean
  }): Promise<{ readonly queued: number }>
  /** Applies what waited in quarantine for this user; called once the user has a first session. */
  userBecameKnown(user_reference_id: string): Promise<void>
}
