/** The parts from which the application is composed. */
import type { InstanceReports } from '../operate/exceptions/instance-reports.ts'
import type { Store } from '../store/types.ts'
import type { StreamHub } from '../stream/hub.ts'
import type { Readiness } from './app.ts'
import type { ConsoleUseCases } from './compose-console.ts'
import type { UseCases } from './compose-use-cases.ts'
import type { Config } from './config/config.ts'
import type { MerchantAuthenticator } from './http/merchant-authenticator.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { SessionCookies } from './http/session-cookie.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Version } from './version.ts'

export interface AppParts {
  readonly config: Config
  readonly store: Pick<Store, 'sessions' | 'operators'>
  readonly log: Log
  readonly metrics: Metrics
  readonly hub: StreamHub
  /** Stores, soon, that a session is in use. */
  readonly noteUse: (id: string) => void
  readonly cookies: SessionCookies
  readonly merchants: Pick<MerchantAuthenticator, 'require'>
  readonly useCases: UseCases
  readonly console: ConsoleUseCases
  readonly reports?: Pick<InstanceReports, 'webhookRefused'>
  readonly rateLimits: RateLimits
  readonly readiness: Readiness
  readonly version: Version
  /** Milliseconds since 1970. */
  readonly clock: () => number
}
