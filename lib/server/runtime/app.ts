/**
 * The composed application, for route files and pages. `server.ts` composes it once and sets it on one global symbol:
 * Next bundles route files and pages with their own copies of modules, so this is how all of them share one store, one
 * stream and one copy of each class.
 */
import type { Balance, Currency, DepositAddress, TransactionsPage } from '#lib/contract/cashier.ts'
import type { MerchantScope } from '#lib/contract/merchant-scopes.ts'
import type { Locale } from '#lib/contract/locales.ts'
import type { Problem, ProblemCode } from '#lib/contract/problems.ts'
import type { createSessionRequest } from '#lib/contract/session-requests.ts'
import type { MerchantCaller } from '../merchant/merchant-caller.ts'
import type { WayBack } from '../merchant/find-active-session.ts'
import type { CashierSession, LaunchAppearance } from '../store/types.ts'
import type { StreamAnswer, TextAnswer } from './http/answer.ts'
import type { OperatorAuthenticator } from './http/authenticate-operator.ts'
import type { PageSession, SessionAuthenticator } from './http/authenticate-session.ts'
import type { DeliveryViewAuthenticator } from './http/authenticate-delivery-view.ts'
import type { ByteBudget } from './http/byte-budget.ts'
import type { ProblemLog } from './http/problem-answer.ts'
import type { OperatorCookie } from './http/operator-cookie.ts'
import type { PageGate } from './http/page-gate.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { HeaderReader } from './http/inbound-request.ts'
import type { Metrics } from './metrics.ts'
import type { ConsoleUseCases } from './compose-console.ts'
import type { UseCases } from './compose-use-cases.ts'
import type { Version } from './version.ts'

/** Data of a page that may fail to load: the data, or the problem's code with the reference to quote. */
export type Loaded<T> =
  { readonly ok: true; readonly data: T } | { readonly ok: false; readonly code: string; readonly request_id: string }

/** The data that pages may load while rendering. No function throws if the gateway or the store is down. */
export interface Pages {
  session(sessionId: string, cookieHeader: string | null): Promise<PageSession>
  currencies(session: CashierSession): Promise<Loaded<readonly Currency[]>>
  /** Empty if the merchant keeps the ledger. */
  balances(session: CashierSession): Promise<Loaded<readonly Balance[]>>
  /** The user's address for a currency; the gateway is asked if there is none yet. */
  depositAddress(session: CashierSession, currencyId: string): Promise<Loaded<DepositAddress>>
  /** Begins to load what the session's next `depositAddress` for this currency returns. */
  prepareDepositAddress(session: CashierSession, currencyId: string): void
  transactions(session: CashierSession, query: URLSearchParams): Promise<Loaded<TransactionsPage>>
  /** Begins to load what the session's next `transactions` with this query returns. */
  prepareTransactions(session: CashierSession, query: URLSearchParams): void
  /**
   * The id of the user's newest stream event. It is read before the rest, so that the page's stream misses nothing and
   * repeats nothing. Null if it cannot be read: the page then refetches everything.
   */
  streamHead(session: CashierSession): Promise<string | null>
  readonly settings: PageSettings
}

/** Settings of this installation that pages depend on. */
export interface PageSettings {
  readonly publicUrl: string
  /** `embedded`: our ledger, so balances are shown; `merchant`: the merchant runs the ledger. */
  readonly ledgerMode: 'embedded' | 'merchant'
  /** True if `ONRAMP_ORIGINS` is set. */
  readonly onramp: boolean
  /** `ONRAMP_ORIGINS`. */
  readonly onrampOrigins: readonly string[]
  /** `WITHDRAWAL_CONFIRM_ABOVE`. */
  readonly withdrawalConfirmAbove: Readonly<Record<string, string>>
  readonly withdrawalAbsenceS: number
  readonly userCancellation: boolean
  /** True if `DEPOSIT_LINKS` is on. */
  readonly depositLinks: boolean
  readonly themeTokens: Readonly<Record<string, string>>
  readonly supportUrl: string | null
  /** `EXPLORER_URL`. */
  readonly explorerUrl: string | null
  readonly embedOrigins: readonly string[]
  /** `VALUES` is on. */
  readonly values: boolean
  /** `DEPOSIT_MINIMUMS`. */
  readonly depositMinimums: Readonly<Record<string, string>>
}

/** The parts that are not ready, by name, with reasons; empty if all are ready. */
export type Readiness = () => Promise<Readonly<Record<string, readonly string[]>>>

/** Pages that need no framework. */
export interface StaticPages {
  embed(): TextAnswer
  /** `GET /docs`; null if `DOCS` is off. @param ifNoneMatch the request's header */
  apiPage(ifNoneMatch: string | null): TextAnswer | null
  /** The answer to `GET /launch`: a page that posts the token as a form. */
  launchForm(locale: Locale, token: string, appearance: LaunchAppearance): TextAnswer
  launchFailure(locale: Locale, problem: Problem, requestId: string): Promise<TextAnswer>
  /**
   * A page whose session has ended, or whose cookie is missing.
   * @param blocked the browser may block the cookie
   * @param wayBack of the ended session, if its cookie was sent
   */
  noSession(locale: Locale, blocked: boolean, wayBack: WayBack | null): Promise<TextAnswer>
  notFound(locale: Locale, pathname: string): Promise<TextAnswer>
}

export interface App {
  readonly useCases: UseCases
  /** Page calls. */
  readonly authenticator: SessionAuthenticator
  /** Merchant calls. @throws Problem `unauthenticated`; `scope_required` for a key without this scope */
  requireMerchant(headers: HeaderReader, scope: MerchantScope): Promise<MerchantCaller>
  /** Calls of the console. */
  readonly console: ConsoleUseCases
  readonly operatorAuthenticator: OperatorAuthenticator
  readonly operatorCookie: OperatorCookie
  /** Calls of the embedded view of deliveries. */
  readonly deliveryViewAuthenticator: DeliveryViewAuthenticator
  /**
   * @throws Problem `unauthenticated` if `METRICS_TOKEN` is set and the call lacks it; `not_found` if it is not set,
   * except for direct calls from this machine
   */
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
   * Opens the stream of the session's user, which ends with the session.
   * @param lastEventId `Last-Event-ID`, or the query's `last_event_id`
   */
  openStream(session: CashierSession, lastEventId: string | null): Promise<StreamAnswer>
  /** The memory for webhook bodies whose signature is not checked yet. */
  readonly unverifiedBodies: ByteBudget
  /** Warns the operator if the page that frames `/embed` may not. */
  warnOfFraming(headers: HeaderReader): void
  /** Counts a webhook of the gateway that was answered with this problem. */
  webhookRefused(code: ProblemCode): void
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'withdrawal'>
  readonly log: ProblemLog
  /** Logs an error, and returns the problem that the caller sees. */
  problemOf(error: unknown, requestId: string, route: string): Problem
}

const APP = Symbol.for('cashier.app')
type Holder = typeof globalThis & { [APP]?: App }

export const setApp = (app: App): void => {
  ;(globalThis as Holder)[APP] = app
}

/** The running application. @throws Error if `server.ts` did not start the process */
export function getApp(): App {
  const app = (globalThis as Holder)[APP]
  if (!app) throw new Error('the application is not composed: start the process with server.ts')
  return app
}
