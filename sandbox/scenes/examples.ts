import clockAhead from './clock-ahead.json' with { type: 'json' }
import depositFailsThenSucceeds from './deposit-fails-then-succeeds.json' with { type: 'json' }
import duplicateWebhook from './duplicate-webhook.json' with { type: 'json' }
import failedPurchase from './failed-purchase.json' with { type: 'json' }
import gatewayRestart from './gateway-restart.json' with { type: 'json' }
import lateWebhook from './late-webhook.json' with { type: 'json' }
import lostWebhook from './lost-webhook.json' with { type: 'json' }
import payoutTimeout from './payout-timeout.json' with { type: 'json' }
import roundedAmount from './rounded-amount.json' with { type: 'json' }
import webhooksOutOfOrder from './webhooks-out-of-order.json' with { type: 'json' }

/** The scenes of this folder by file name. They are imported, so that a bundle has them too. */
export const EXAMPLE_SCENES: Readonly<Record<string, { readonly name: string; readonly about: string }>> = {
  'clock-ahead': clockAhead,
  'deposit-fails-then-succeeds': depositFailsThenSucceeds,
  'duplicate-webhook': duplicateWebhook,
  'failed-purchase': failedPurchase,
  'gateway-restart': gatewayRestart,
  'late-webhook': lateWebhook,
  'lost-webhook': lostWebhook,
  'payout-timeout': payoutTimeout,
  'rounded-amount': roundedAmount,
  'webhooks-out-of-order': webhooksOutOfOrder,
}
