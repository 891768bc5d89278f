/**
 * The composed application, for route files and pages. `server.ts` composes it once and sets it on one global symbol:
 * Next bundles route files and pages with modules of its own, so this is how all of them share one store, one stream
 * and one copy of each class.
 */
import type { Balance, Currency, DepositAddress, TransactionsPage } from '#lib/contract/cashier.ts'
import type { Locale } from '#lib/contract/locales.ts'
import type { Problem } from '#lib/contract/problems.ts'
import type { createSessionRequest } from '#lib/contract/merchant-requests.ts'
import type { CashierSession, LaunchAppearance } from '../store/types.ts'
import type { StreamAnswer, TextAnswer } from './http/answer.ts'
import type { PageSession, SessionAuthenticator } from './http/authenticate-session.ts'
import type { ByteBudget } from './http/byte-budget.ts'
import type { ProblemLog } from './http/problem-answer.ts'
import type { PageGate } from './http/page-gate.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { HeaderReader } from './http/inbound-request.ts'
import type { Metrics } from './metrics.ts'
import type { UseCases } from './compose-use-cases.ts'
import type { Version } from './version.ts'

/** Data of a page that may fail to load: the data, or the problem's code with the reference to quote. */
export type Loaded<T> =
  { readonly ok: true; readonly data: T } | { readonly ok: false; readonly code: string; readonly request_id: string }

/** What pages may load while rendering. Nothing here throws for a gateway or store that is away. */
export interface Pages {
  session(sessionId: string, cookieHeader: string | null): Promise<PageSession>
  currencies(session: CashierSession): Promise<Loaded<readonly Currency[]>>
  balances(session: CashierSession): Promise<Loaded<readonly Balance[]>>
  /** The user's address of a currency, asked for where there is none yet. */
  depositAddress(session: CashierSession, currencyId: string): Promise<Loaded<DepositAddress>>
  transactions(session: CashierSession, query: URLSearchParams): Promise<Loaded<TransactionsPage>>
  /**
   * The id of the user's newest stream event, read before the rest, so that the page opens its stream with nothing
   * missed and nothing read twice. Null where it cannot be read: the page then refetches everything.
   */
  streamHead(session: CashierSession): Promise<string | null>
  readonly settings: PageSettings
}

/** Settings of this installation that pages depend on. */
export interface PageSettings {
  readonly publicUrl: string
  /** `embedded`: our ledger, so balances are shown; `merchant`: the merchant runs the ledger. */
  readonly ledgerMode: 'embedded' | 'merchant'
  /** `ONRAMP_ORIGINS` is set. */
  readonly onramp: boolean
  /** `ONRAMP_ORIGINS`. */
  readonly onrampOrigins: readonly string[]
  /** `WITHDRAWAL_CONFIRM_ABOVE`. */
  readonly withdrawalConfirmAbove: Readonly<Record<string, string>>
  readonly withdrawalAbsenceS: number
  /** `DEPOSIT_LINKS` is on. */
  readonly depositLinks: boolean
  readonly themeTokens: Readonly<Record<string, string>>
  readonly supportUrl: string | null
  /** `EXPLORER_URL`. */
  readonly explorerUrl: string | null
  readonly embedOrigins: readonly string[]
}

/** What is not ready, by name, and why; empty where all is. */
export type Readiness = () => Promise<Readonly<Record<string, readonly string[]>>>

/** Pages without a framework. */
export interface StaticPages {
  /** @param ifNoneMatch the request's header */
  embed(ifNoneMatch: string | null): TextAnswer
  /** Posts the token as a form: the answer to `GET /launch`. */
  launchForm(locale: Locale, token: string, appearance: LaunchAppearance): TextAnswer
  launchFailure(locale: Locale, problem: Problem, requestId: string): Promise<TextAnswer>
  /**
   * A page whose session has ended, or whose cookie is not there.
   * @param blocked the browser may block the cookie
   * @param returnUrl of the session that has ended, where its cookie is there
   */
  noSession(locale: Locale, blocked: boolean, returnUrl: string | null): Promise<TextAnswer>
  notFound(locale: Locale, pathname: string): Promise<TextAnswer>
}

export interface App {
  readonly useCases: UseCases
  /** Page calls. */
  readonly authenticator: SessionAuthenticator
  /** Merchant calls. @throws Problem `unauthenticated` */
  requireMerchant(headers: HeaderReader): void
  /** @throws Problem `unauthenticated` where `METRICS_TOKEN` is set and missing; `not_found` where none is set, except for direct calls of this machine */
  requireMetricsToken(headers: HeaderReader): void
  /** @throws Problem `forbidden_origin` */
  requireLaunchOrigin(headers: HeaderReader): void
  readonly createSessionRequest: ReturnType<typeof createSessionRequest>
  readonly rateLimits: RateLimits
  /** `TRUST_PROXY`. */
  readonly trustProxy: number
  readonly pageGate: PageGate
  readonly readiness: Readiness
  readonly version: Version
  readonly staticPages: StaticPages
  readonly pages: Pages
  /**
   * Opens the session's user's stream, which ends with the session.
   * @param lastEventId `Last-Event-ID`, or the query's `last_event_id`
   */
  openStream(session: CashierSession, lastEventId: string | null): Promise<StreamAnswer>
  /** What bodies of webhooks take of the process before their signature was checked. */
  readonly unverifiedBodies: ByteBudget
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'webhook' | 'withdrawal'>
  readonly log: ProblemLog
  /** What was thrown, logged, as the problem that the caller sees. */
  problemOf(error: unknown, requestId: string, route: string): Problem
}

const APP = Symbol.for('cashier.app')
type Holder = typeof globalThis & { [APP]?: App }

export const setApp = (app: App): void => {
  ;(globalThis as Holder)[APP] = app
}

/** The running application. @throws Error where the process was not started by `server.ts` */
export function getApp(): App {
  const app = (globalThis as Holder)[APP]
  if (!app) throw new Error('the application is not composed: start the process with server.ts')
  return app
}
