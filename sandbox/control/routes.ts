import { callRoutes } from './calls.ts'
import { depositRoutes } from './deposits.ts'
import { faultRoutes } from './faults.ts'
import { onrampRoutes } from './onramp-sessions.ts'
import { overviewRoutes } from './overview.ts'
import type { ControlRoute } from './route.ts'
import { noInput, route } from './route.ts'
import { stateRoutes } from './state.ts'
import { modeRoutes } from './modes.ts'
import { transactionRoutes } from './transactions.ts'
import { webhookRoutes } from './webhooks.ts'
import { withdrawalRoutes } from './withdrawals.ts'

const ROUTES: readonly ControlRoute[] = [
  ...stateRoutes,
  ...overviewRoutes,
  ...modeRoutes,
  ...depositRoutes,
  ...withdrawalRoutes,
  ...onrampRoutes,
  ...transactionRoutes,
  ...webhookRoutes,
  ...faultRoutes,
  ...callRoutes,
]

const listing = route('GET', '/routes', 'This list.', noInput, () => ({
  routes: ROUTES.map(({ method, path, about }) => ({ method, path: `/control${path}`, about })),
}))

export const CONTROL_ROUTES: readonly ControlRoute[] = [listing, ...ROUTES]
