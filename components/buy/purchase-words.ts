import type { CashierStatus } from '#lib/contract/cashier.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

/** What each state of a purchase means for the money. Before the gateway says so, nothing is claimed. */
export const PURCHASE_WORDS: Readonly<Record<CashierStatus, MessageKey>> = {
  pending: 'buy.state.pending',
  processing: 'buy.state.processing',
  awaiting_approval: 'buy.state.processing',
  unknown: 'buy.state.processing',
  other: 'buy.state.processing',
  succeeded: 'buy.state.succeeded',
  failed: 'buy.state.failed',
}
