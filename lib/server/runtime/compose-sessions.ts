/** Supplies the use cases of sessions and of the view of deliveries with their dependencies. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Currency } from '#lib/contract/cashier.ts'
import type { CreateSessionRequest } from '#lib/contract/session-requests.ts'
import { createSession } from '../merchant/create-session.ts'
import { createDeliveryViews } from '../merchant/delivery-views.ts'
import { endSession } from '../merchant/end-session.ts'
import { withOfferedFlows } from '../merchant/offered-flows.ts'
import { redeemLaunchToken, type Redeemed } from '../merchant/redeem-launch-token.ts'
import type { SessionLimits } from '../merchant/session-life.ts'
import type { LaunchAppearance, Store } from '../store/types.ts'
import type { ComposeOptions } from './compose-options.ts'
import type { Config } from './config/config.ts'
import { launchCookies } from './http/launch-cookies.ts'
import type { SessionCookies } from './http/session-cookie.ts'

export interface SessionUseCaseOptions {
  readonly config: Config
  readonly store: Pick<Store, 'sessions'>
  readonly clock: () => number
  readonly cookies: SessionCookies
  /** Called for each session that ends, so that its streams end too. */
  readonly onSessionEnded: (sessionId: string) => void
  /** The known currencies, without asking the gateway. */
  readonly listedCurrencies: () => Promise<readonly Pick<Currency, 'id'>[]>
}

export const sessionLimits = ({ sessionIdleS, sessionMaxS }: Config): SessionLimits => ({
  idleMs: sessionIdleS * 1000,
  maxMs: sessionMaxS * 1000,
})

/** The use cases of sessions: create, launch, end. */
export function composeSessionUseCases(options: SessionUseCaseOptions) {
  const { config, clock, cookies, onSessionEnded, listedCurrencies } = options
  const { publicUrl, sessionSecrets: secrets } = config
  const { sessions } = options.store
  const onramp = config.onrampOrigins.length > 0
  const [secret] = secrets
  const create = { sessions, publicUrl, onramp, listedCurrencies, secret, clock, newId: randomUUID, randomBytes }
  return {
    createSession: (input: CreateSessionRequest, requestId: string | null = null) =>
      createSession(create, input, requestId),
    /** @throws Problem `not_found` */
    endSession: (sessionId: string) => endSession({ sessions, clock, onSessionEnded }, sessionId),
    /** Redeems a launch token, once even under a race. `count` is called only for our own tokens. */
    async launchSession(token: string, appearance: LaunchAppearance, count: () => Promise<void>): Promise<Redeemed> {
      const redeemed = await redeemLaunchToken({ sessions, secrets, clock }, token, appearance, count)
      return redeemed.outcome === 'launched'
        ? { ...redeemed, session: withOfferedFlows(redeemed.session, onramp) }
        : redeemed
    },
    launchCookies: launchCookies({ sessions, cookies, limits: sessionLimits(config), clock }),
  }
}

/** The use cases of the view of deliveries in a page of the merchant. */
export function composeDeliveryViews({
  config,
  store,
  clock,
}: Pick<ComposeOptions, 'config' | 'clock'> & { readonly store: Pick<Store, 'deliveryViews'> }) {
  const { publicUrl, sessionSecrets: secrets } = config
  const views = createDeliveryViews({ views: store.deliveryViews, publicUrl, secrets, clock, randomBytes })
  return {
    createDeliveryView: views.create,
    beginDeliveryView: views.begin,
    requireDeliveryView: views.requireSession,
  }
}
