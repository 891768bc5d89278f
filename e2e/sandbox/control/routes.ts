import { callRoutes } from './calls.ts'
import { depositRoutes } from './deposits.ts'
import { faultRoutes } from './faults.ts'
import { onrampRoutes } from './onramp-sessions.ts'
import { overviewRoutes } from './overview.ts'
import type { ControlRoute } from './route.ts'
import { nothing, route } from './route.ts'
import { stateRoutes } from './state.ts'
import { switchRoutes } from './switches.ts'
import { transactionRoutes } from './transactions.ts'
import { webhookRoutes } from './webhooks.ts'
import { withdrawalRoutes } from './withdrawals.ts'

const ROUTES: readonly ControlRoute[] = [
  ...stateRoutes,
  ...overviewRoutes,
  ...switchRoutes,
  ...depositRoutes,
  ...withdrawalRoutes,
  ...onrampRoutes,
  ...transactionRoutes,
  ...webhookRoutes,
  ...faultRoutes,
  ...callRoutes,
]

const listing = route('GET', '/control/routes', 'This list.', nothing, () => ({
  routes: ROUTES.map(({ method, path, about }) => ({ method, path, about })),
}))

export const CONTROL_ROUTES: readonly ControlRoute[] = [listing, ...ROUTES]
