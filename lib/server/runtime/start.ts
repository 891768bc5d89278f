/**
 * Composes and starts everything behind the requests, in one direction: store, streams, use cases, jobs, and the
 * application that route files and pages see.
 */
import { randomUUID } from 'node:crypto'
import { uptime } from 'node:os'
import type { DepositAddress, TransactionsPage } from '#lib/contract/cashier.ts'
import { createSessionRequest } from '#lib/contract/merchant-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { keepTrying } from '../cashier/keep-trying.ts'
import { createSentWithdrawals, type SentWithdrawals } from '../cashier/sent-withdrawals.ts'
import { withOfferedFlows } from '../merchant/offered-flows.ts'
import { createInstanceReports, type InstanceReports } from '../operate/exceptions/instance-reports.ts'
import { findEndedSessions, sessionCheckMs, sessionRenewMs } from '../merchant/ended-sessions.ts'
import { createSessionUses } from '../merchant/session-uses.ts'
import type { CashierSession, Store } from '../store/types.ts'
import { durabilityFaults } from '../store/database/server-facts.ts'
import { openStore } from '../store/store.ts'
import { sharedCallCounts } from '../store/tables/call-counts.ts'
import { createStreamHub, type StreamHub } from '../stream/hub.ts'
import { readLastEventId } from '../stream/sse-text.ts'
import { openUserStream } from '../stream/sse.ts'
import { setApp, type App, type Loaded, type Pages, type Readiness } from './app.ts'
import { composeConsole, composeConsoleJobs, type ConsoleUseCases } from './compose-console.ts'
import { composeJobs } from './compose-jobs.ts'
import { composeUseCases, sessionLimits, type UseCases } from './compose-use-cases.ts'
import type { Config } from './config/config.ts'
import { createFramingWarnings } from './framing-warnings.ts'
import { deliveryViewAuthenticator } from './http/authenticate-delivery-view.ts'
import { OPERATOR_LIMITS, operatorAuthenticator } from './http/authenticate-operator.ts'
import { sessionAuthenticator } from './http/authenticate-session.ts'
import { requireBearer } from './http/bearer.ts'
import { byteBudget } from './http/byte-budget.ts'
import { INTERNAL } from './http/inbound-headers.ts'
import type { HeaderReader } from './http/inbound-request.ts'
import { createMerchantAuthenticator, type MerchantAuthenticator } from './http/merchant-authenticator.ts'
import { operatorCookie } from './http/operator-cookie.ts'
import { pageGate } from './http/page-gate.ts'
import { logProblem, problemOf } from './http/problem-answer.ts'
import { memoryRateLimits, NO_LIMITS, sharedRateLimits, type RateLimits } from './http/rate-limits.ts'
import { requireLaunchOrigin } from './http/require-origin.ts'
import { sessionCookies, type SessionCookies } from './http/session-cookie.ts'
import { readTransactionsQuery } from './http/transactions-query.ts'
import { keepLedgerStart } from './ledger-start.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { preparedResults } from './prepared-results.ts'
import { createReadiness } from './readiness.ts'
import { staticPages } from './static-pages/static-pages.ts'
import { NO_TRACING, type Tracing } from './tracing/tracing.ts'
import type { Version } from './version.ts'

export interface Running {
  /** Reports not ready from now on; every request is still answered. */
  announceStop(): void
  /** Reports not ready, and ends the streams. */
  drain(): Promise<void>
  /** Ends the jobs and closes the store; call it once the requests are finished. */
  close(): Promise<void>
}

const LOST =
  "the database has lost commits: users' withdrawals wait until the gateway's lists were compared with the books, and cursors of the feed are refused"

/** Withdrawals that this instance has sent, and that the database has lost, come back as `unknown`. */
async function recordLost(store: Store, sent: SentWithdrawals, log: Log): Promise<void> {
  await keepTrying(store, async () => {
    const count = await sent.recordLost(store, (err, withdrawal_id) => {
      log.error({ err, withdrawal_id }, 'a withdrawal that was sent and lost is not recorded again')
    })
    if (count > 0) log.error({ withdrawals: count }, 'withdrawals that were sent and lost are recorded again')
  })
}

/** Opens the store, runs its migrations, and sets the application for route files and pages. */
export async function start(
  config: Config,
  log: Log,
  metrics: Metrics,
  version: Version,
  tracing: Tracing = NO_TRACING,
): Promise<Running> {
  const clock = Date.now
  const store = await openStore({
    url: config.databaseUrl,
    clock,
    deliver: config.merchantWebhookUrl !== null,
    replicated: config.databaseReplicated,
    partitions: config.databasePartitions,
    onMigrated: (migration) => log.info({ migration }, 'a migration has run'),
    onMigrationWait: () => {
      log.warn({}, 'the migrations wait for another program that reads the database, such as a dump')
    },
  })
  try {
    const server = await store.database.serverFacts()
    if (server !== null)
      for (const fault of durabilityFaults(server, config.databaseReplicated))
        log.warn(fault, 'the database is not safe')
    const sent = createSentWithdrawals(() => performance.now())
    await store.watchLosses((loss) => {
      metrics.lostCommits()
      log.error({ ...loss }, LOST)
      void recordLost(store, sent, log)
    })
    const ledgerStartMs = await keepLedgerStart(store, config.ledgerStartMs, clock())
    if (ledgerStartMs > clock())
      log.warn({ ledger_start: new Date(ledgerStartMs) }, 'LEDGER_START is in the future: nothing is booked until then')
    const { pool } = store.database
    const limited = pool === null ? memoryRateLimits() : sharedRateLimits(sharedCallCounts(pool))
    const name = randomUUID()
    const reports = createInstanceReports({
      store: store.lane('jobs'),
      instance: name,
      clock,
      onFault: (err) => {
        log.warn({ err }, 'what this instance reports to the console could not be stored')
      },
    })
    const instance = { config, ledgerStartMs, store, log, metrics, tracing, instance: name, clock, reports }
    const { sessions } = store.lane('jobs')
    const uses = createSessionUses({
      sessions,
      limits: sessionLimits(config),
      clock,
      onFault: (err) => log.warn({ err }, 'the use of sessions could not be stored'),
    })
    const merchants = createMerchantAuthenticator({
      environmentKeys: config.merchantApiKeys,
      keys: store.merchantKeys,
      uptimeMs: () => performance.now(),
      clock,
      onFault: (err) => log.warn({ err }, 'the use of a key could not be stored'),
    })
    const hub = openHub({ ...instance, sessions, noteUse: uses.note })
    const cookies = sessionCookies(config.sessionSecrets, config.sessionMaxS)
    const { useCases, shared } = composeUseCases({
      ...instance,
      uptimeMs: () => uptime() * 1000,
      sent,
      cookies,
      onSessionEnded: (id) => hub.endSession(id),
    })
    const jobs = composeJobs({ ...instance, ...shared })
    const consoleJobs = composeConsoleJobs({ ...instance, store: store.lane('jobs') })
    const console = composeConsole({
      ...instance,
      version,
      gateway: shared.gateway,
      endSession: useCases.endSession,
      onKeysChanged: () => merchants.keysChanged(),
      acts: shared.acts,
      clockOffset: () => shared.gateway.clockOffsetMs(),
    })

    let stopping = false
    const ready = createReadiness(instance)
    const readiness: Readiness = () => (stopping ? Promise.resolve({ process: ['is stopping'] }) : ready())

    const rateLimits = config.rateLimit ? limited : NO_LIMITS
    const app = composeApp({
      ...instance,
      hub,
      noteUse: uses.note,
      cookies,
      merchants,
      useCases,
      console,
      rateLimits,
      readiness,
      version,
    })
    await jobs.start()
    if (config.operators) consoleJobs.start()
    setApp(app)
    // If it is not ready, the log says why.
    void readiness()
    return {
      announceStop() {
        stopping = true
      },
      async drain() {
        stopping = true
        await Promise.all([hub.close(), console.closeChanges()])
      },
      async close() {
        try {
          await Promise.all([jobs.stop(), consoleJobs.stop()])
          await shared.gateway.close()
        } catch (error) {
          // Another instance or the next start resumes unfinished jobs.
          log.warn({ err: error }, 'the jobs did not end cleanly')
        }
        await uses.flush()
        await merchants.flush()
        await store.close()
        await tracing.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

export interface HubOptions {
  readonly config: Config
  readonly store: Store
  readonly log: Log
  readonly metrics: Pick<Metrics, 'watchStreams'>
  readonly clock: () => number
  /** The sessions of the lane in which streams record that they are in use. */
  readonly sessions: Store['sessions']
  /** Stores, soon, that a session is in use. */
  readonly noteUse: (id: string) => void
}

/** Opens the streams of this instance, which end with their sessions. */
export function openHub({ config, store, log, metrics, clock, sessions, noteUse }: HubOptions): StreamHub {
  const limits = sessionLimits(config)
  const hub = createStreamHub({
    store,
    log,
    endedSessions: findEndedSessions({ sessions, limits, clock }),
    sessionCheckMs: sessionCheckMs(limits),
    sessionRenewMs: sessionRenewMs(limits),
    onSessionLeft: noteUse,
    clock,
    ...(!config.rateLimit && { streamsPerSession: Infinity }),
  })
  metrics.watchStreams(() => hub.size)
  return hub
}

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

/** For webhooks, of about 1.5 kB each. */
const UNVERIFIED_BODIES = { most: 32 * 1024 * 1024, small: 16 * 1024 }

/** Others are ours: a webhook that could not be stored is sent again. */
const REFUSALS: ReadonlySet<string> = new Set(['unauthenticated', 'invalid_request', 'payload_too_large'])

/** Without a token, only this machine may know that there are metrics. */
function requireLocalCall(headers: HeaderReader): void {
  if (headers.get(INTERNAL.local) !== '1') throw new Problem('not_found', 'There is nothing here.')
}

/** The application for route files and pages. */
export function composeApp(parts: AppParts): App {
  const { config, log, metrics, hub, useCases, rateLimits } = parts
  const { publicUrl } = config
  const limits = sessionLimits(config)
  const authenticator = sessionAuthenticator({
    sessions: parts.store.sessions,
    noteUse: parts.noteUse,
    limits,
    clock: parts.clock,
    cookies: parts.cookies,
    rateLimits,
    publicUrl,
  })
  const cookie = operatorCookie(config.sessionSecrets, OPERATOR_LIMITS.maxMs / 1000)
  const operators = operatorAuthenticator({
    operators: parts.store.operators,
    cookie,
    publicUrl,
    enabled: config.operators,
    clock: parts.clock,
  })
  return {
    useCases,
    authenticator,
    requireMerchant: parts.merchants.require,
    console: parts.console,
    operatorAuthenticator: operators,
    operatorCookie: cookie,
    deliveryViewAuthenticator: deliveryViewAuthenticator({ requireSession: useCases.requireDeliveryView }, publicUrl),
    requireMetricsToken: config.metricsToken === null ? requireLocalCall : requireBearer([config.metricsToken]),
    requireLaunchOrigin: (headers) => requireLaunchOrigin(headers, publicUrl),
    createSessionRequest: createSessionRequest(config.embedOrigins),
    rateLimits,
    trustProxy: config.trustProxy,
    // With the limits off, every page waits and none is refused.
    pageGate: pageGate({ authenticator, operators, rateLimits, ...(!config.rateLimit && { mostWaiting: Infinity }) }),
    readiness: parts.readiness,
    version: parts.version,
    staticPages: staticPages(config),
    pages: pagesOf(parts, authenticator),
    openStream: (session, lastEventId) =>
      openUserStream(hub, {
        user: session.user_reference_id,
        sessionId: session.id,
        after: readLastEventId(lastEventId, null),
        endsMs: session.created_ms + limits.maxMs,
      }),
    warnOfFraming: createFramingWarnings(config.embedOrigins, log),
    unverifiedBodies: byteBudget(UNVERIFIED_BODIES),
    webhookRefused(code) {
      metrics.webhook(code)
      if (REFUSALS.has(code)) parts.reports?.webhookRefused(code)
    },
    metrics,
    log,
    problemOf(error, requestId, route) {
      const problem = problemOf(error)
      logProblem(log, problem, requestId, route)
      return problem
    },
  }
}

/** The data that pages may load while they render: the same use cases as in the routes, with failures as data. */
function pagesOf({ config, log, hub, useCases, rateLimits }: AppParts, authenticator: App['authenticator']): Pages {
  async function loaded<T>(load: () => Promise<T>): Promise<Loaded<T>> {
    try {
      return { ok: true, data: await load() }
    } catch (error) {
      const problem = problemOf(error)
      const request_id = randomUUID()
      logProblem(log, problem, request_id, 'page')
      return { ok: false, code: problem.code, request_id }
    }
  }
  const loadAddress = (session: CashierSession, currencyId: string): Promise<Loaded<DepositAddress>> =>
    loaded(async () => {
      const known = await useCases.knownDepositAddress(session, currencyId)
      if (known !== null) return known
      // It counts like the page's own call.
      await rateLimits.take('deposit_addresses', session.user_reference_id)
      return useCases.getDepositAddress(session, { currency_id: currencyId })
    })
  const loadTransactions = (session: CashierSession, query: URLSearchParams): Promise<Loaded<TransactionsPage>> =>
    loaded(async () => useCases.listTransactions(session, readTransactionsQuery(query)))
  const addresses = preparedResults<Loaded<DepositAddress>>()
  const lists = preparedResults<Loaded<TransactionsPage>>()
  const of = (session: CashierSession, what: { toString(): string }): string => `${session.id} ${what.toString()}`
  const onramp = config.onrampOrigins.length > 0
  return {
    async session(sessionId, cookieHeader) {
      const found = await authenticator.identify(sessionId, cookieHeader)
      return found.state === 'active' ? { ...found, session: withOfferedFlows(found.session, onramp) } : found
    },
    currencies: (session) => loaded(() => useCases.listCurrencies(session)),
    balances: (session) =>
      config.ledgerMode === 'embedded'
        ? loaded(() => useCases.listBalances(session.user_reference_id))
        : Promise.resolve({ ok: true, data: [] }),
    depositAddress: (session, currencyId) =>
      addresses.take(of(session, currencyId)) ?? loadAddress(session, currencyId),
    prepareDepositAddress(session, currencyId) {
      addresses.prepare(of(session, currencyId), () => loadAddress(session, currencyId))
    },
    transactions: (session, query) => lists.take(of(session, query)) ?? loadTransactions(session, query),
    prepareTransactions(session, query) {
      lists.prepare(of(session, query), () => loadTransactions(session, query))
    },
    async streamHead(session) {
      const head = await loaded(() => hub.head(session.user_reference_id))
      return head.ok && head.data !== null ? String(head.data) : null
    },
    settings: {
      publicUrl: config.publicUrl,
      ledgerMode: config.ledgerMode,
      onramp,
      onrampOrigins: config.onrampOrigins,
      withdrawalConfirmAbove: config.withdrawalConfirmAbove,
      withdrawalAbsenceS: config.withdrawalAbsenceS,
      userCancellation: config.userCancellation,
      depositLinks: config.depositLinks,
      themeTokens: config.themeTokens,
      supportUrl: config.supportUrl,
      explorerUrl: config.explorerUrl,
      values: config.values,
      depositMinimums: Object.fromEntries(config.depositMinimums),
      embedOrigins: config.embedOrigins,
    },
  }
}
