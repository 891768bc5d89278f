/** Every handler of ours by name, and where it answers. `:name` stands for one part of the path. */
export const ROUTE_PATHS = {
  'merchant.sessions': '/api/merchant/sessions',
  'merchant.session': '/api/merchant/sessions/:session_id',
  'merchant.events': '/api/merchant/events',
  'merchant.balances': '/api/merchant/users/:user_reference_id/balances',
  'merchant.adjustments': '/api/merchant/users/:user_reference_id/adjustments',
  'merchant.authorization': '/api/merchant/withdrawals/:withdrawal_id/authorization',
  'merchant.quarantine': '/api/merchant/quarantine',
  'merchant.redeliver': '/api/merchant/redeliveries',
  launch: '/launch',
  embed: '/embed',
  'cashier.currencies': '/api/cashier/currencies',
  'cashier.deposit-addresses': '/api/cashier/deposit-addresses',
  'cashier.withdrawals': '/api/cashier/withdrawals',
  'cashier.withdrawal': '/api/cashier/withdrawals/:withdrawal_id',
  'cashier.onramp-sessions': '/api/cashier/onramp-sessions',
  'cashier.transactions': '/api/cashier/transactions',
  'cashier.balances': '/api/cashier/balances',
  'cashier.events': '/api/cashier/events',
  'webhooks.gateway': '/api/webhooks/gateway',
  'health.live': '/api/health/live',
  'health.ready': '/api/health/ready',
  metrics: '/api/metrics',
  /** Whatever else stands below /api. */
  'not-found': '/api/*',
} as const satisfies Record<string, string>

export type RouteName = keyof typeof ROUTE_PATHS

export const ROUTE_NAMES = Object.keys(ROUTE_PATHS) as readonly RouteName[]

/** The two that `server.ts` answers on `node:http` itself; Next never sees them. */
export const HOT_ROUTES = ['cashier.events', 'webhooks.gateway'] as const satisfies readonly RouteName[]
export type HotRouteName = (typeof HOT_ROUTES)[number]
/** Those that Next's route files forward to. */
export type ForwardedRouteName = Exclude<RouteName, HotRouteName>
