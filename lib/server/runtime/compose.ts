/** The composition root of what answers requests: every handler with its dependencies given. */
import type { App, Handler } from './app.ts'
import type { Config } from './config/config.ts'
import { eventsRoute } from './hot/events.ts'
import { webhookRoute, type HotRoute } from './hot/webhook.ts'
import { requireBearer } from './http/bearer.ts'
import { handler, type Endpoints, type HandlerOptions, type ProblemLog } from './http/handler.ts'
import type { RateLimits } from './http/rate-limits.ts'
import { sessionCookies } from './http/session-cookie.ts'
import { sessionDoor } from './http/session-door.ts'
import type { Metrics } from './metrics.ts'
import { pagesOf } from './pages.ts'
import type { ForwardedRouteName, HotRouteName } from './route-names.ts'
import { cashierBalances } from './routes/cashier-balances.ts'
import { cashierCurrencies } from './routes/cashier-currencies.ts'
import { cashierDepositAddresses } from './routes/cashier-deposit-addresses.ts'
import { cashierOnrampSessions } from './routes/cashier-onramp-sessions.ts'
import { cashierTransactions } from './routes/cashier-transactions.ts'
import { cashierWithdrawal } from './routes/cashier-withdrawal.ts'
import { cashierWithdrawals } from './routes/cashier-withdrawals.ts'
import { embed } from './routes/embed.ts'
import { healthLive, healthReady, type Readiness } from './routes/health.ts'
import { launch, presentLaunch } from './routes/launch.ts'
import { merchantAuthorization } from './routes/merchant-authorization.ts'
import { merchantEvents, merchantQuarantine } from './routes/merchant-feeds.ts'
import { merchantRedeliver } from './routes/merchant-redeliver.ts'
import { merchantSession } from './routes/merchant-session.ts'
import { merchantSessions } from './routes/merchant-sessions.ts'
import { merchantAdjustments, merchantBalances } from './routes/merchant-users.ts'
import { metricsRoute } from './routes/metrics.ts'
import { notFound } from './routes/not-found.ts'
import type { Store } from '../store/port.ts'
import type { StreamHub } from '../stream/hub.ts'
import type { UseCases } from './use-cases.ts'

export interface Parts {
  readonly config: Config
  readonly log: ProblemLog
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'webhook' | 'withdrawal'>
  readonly sessions: Store['sessions']
  readonly hub: StreamHub
  readonly useCases: UseCases
  readonly rateLimits: RateLimits
  readonly readiness: Readiness
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

export interface Composed {
  readonly app: App
  readonly hot: Readonly<Record<HotRouteName, HotRoute>>
}

export function compose(parts: Parts): Composed {
  const { config, log, metrics, sessions, hub, useCases, rateLimits, clock, newId } = parts
  const limits = { idleMs: config.sessionIdleS * 1000, maxMs: config.sessionMaxS * 1000 }
  const cookies = sessionCookies(config.sessionSecrets, config.sessionMaxS)
  const door = sessionDoor({ sessions, limits, clock, cookies, rateLimits, publicUrl: config.publicUrl })
  const merchant = { requireMerchant: requireBearer(config.merchantApiKeys), useCases }
  const page = { door, useCases, rateLimits }

  const userBecameKnown = async (user_reference_id: string): Promise<void> => {
    try {
      await useCases.userBecameKnown(user_reference_id)
    } catch (error) {
      log.error({ err: error }, 'what waited for a new user could not be applied; the next session tries again')
    }
  }
  const create = {
    sessions,
    publicUrl: config.publicUrl,
    secret: config.sessionSecrets[0],
    clock,
    newId,
    randomBytes: parts.randomBytes,
  }

  const endpoints: Readonly<Record<ForwardedRouteName, Endpoints>> = {
    'merchant.sessions': merchantSessions({
      ...merchant,
      create,
      embedOrigins: config.embedOrigins,
      userBecameKnown,
      log,
    }),
    'merchant.session': merchantSession({
      ...merchant,
      log,
      end: { sessions, clock, onSessionEnded: (id) => hub.endSession(id) },
    }),
    'merchant.events': merchantEvents(merchant),
    'merchant.balances': merchantBalances(merchant),
    'merchant.adjustments': merchantAdjustments(merchant),
    'merchant.authorization': merchantAuthorization(merchant),
    'merchant.quarantine': merchantQuarantine(merchant),
    'merchant.redeliver': merchantRedeliver(merchant),
    launch: launch({
      facts: config,
      redeem: { sessions, secrets: config.sessionSecrets, clock },
      sessions,
      limits,
      cookies,
      rateLimits,
      log,
    }),
    embed: embed(config),
    'cashier.currencies': cashierCurrencies(page),
    'cashier.deposit-addresses': cashierDepositAddresses(page),
    'cashier.withdrawals': cashierWithdrawals({ ...page, count: (status) => metrics.withdrawal(status) }),
    'cashier.withdrawal': cashierWithdrawal(page),
    'cashier.onramp-sessions': cashierOnrampSessions(page),
    'cashier.transactions': cashierTransactions(page),
    'cashier.balances': cashierBalances(page),
    'health.live': healthLive(),
    'health.ready': healthReady(parts.readiness),
    metrics: metricsRoute(metrics, config.metricsToken),
    'not-found': notFound,
  }

  const optionsOf = (name: ForwardedRouteName): HandlerOptions => ({
    log,
    ...(name === 'launch' && { present: presentLaunch(config) }),
    ...((name === 'metrics' || name.startsWith('merchant.')) && { challenge: 'Bearer' }),
  })
  const names = Object.keys(endpoints) as ForwardedRouteName[]
  const handlers = names.map((name): [ForwardedRouteName, Handler] => [
    name,
    handler(name, endpoints[name], optionsOf(name)),
  ])

  return {
    app: {
      routes: Object.fromEntries(handlers) as Record<ForwardedRouteName, Handler>,
      pages: pagesOf({ door, useCases, hub, config, log, newId }),
    },
    hot: {
      'cashier.events': eventsRoute({ door, hub, log }),
      'webhooks.gateway': webhookRoute({
        receiveWebhook: (webhook) => useCases.receiveWebhook(webhook),
        log,
        count: (outcome) => metrics.webhook(outcome),
      }),
    },
  }
}
