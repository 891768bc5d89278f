/** Every handler that Next's route files or `server.ts` forward to, by name. */
export const ROUTE_NAMES = [
  'merchant.sessions',
  'merchant.session',
  'merchant.events',
  'merchant.balances',
  'merchant.adjustments',
  'merchant.authorization',
  'merchant.quarantine',
  'merchant.redeliver',
  'launch',
  'embed',
  'cashier.currencies',
  'cashier.deposit-addresses',
  'cashier.withdrawals',
  'cashier.withdrawal',
  'cashier.onramp-sessions',
  'cashier.transactions',
  'cashier.balances',
  'cashier.events',
  'webhooks.gateway',
  'health.live',
  'health.ready',
  'metrics',
  'not-found',
] as const

export type RouteName = (typeof ROUTE_NAMES)[number]
