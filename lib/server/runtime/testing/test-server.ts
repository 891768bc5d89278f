/** The whole process except Next: its http server, store, stream and route files, with the use cases of a test. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { createStatusReader } from '../../gateway/status-words.ts'
import type { Gateway } from '../../gateway/types.ts'
import { openStore, type Store } from '../../store/store.ts'
import { setApp, type App } from '../app.ts'
import { composeApp } from '../compose-app.ts'
import { composeConsole, type ConsoleUseCases } from '../compose-console.ts'
import type { DecisionActs } from '../compose-decisions.ts'
import { composeDeliveryViews, composeSessionUseCases } from '../compose-sessions.ts'
import type { UseCases } from '../compose-use-cases.ts'
import type { Config } from '../config/config.ts'
import { createMerchantAuthenticator } from '../http/merchant-authenticator.ts'
import { memoryRateLimits, NO_LIMITS } from '../http/rate-limits.ts'
import { requestPipeline } from '../http/request-pipeline.ts'
import { loadRoutes } from '../http/route-table.ts'
import { finish, listen, SERVER_LIMITS } from '../http/server.ts'
import { sessionCookies } from '../http/session-cookie.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { openHub } from '../open-hub.ts'
import { TEST_VERSION } from './config.ts'

export interface TestServer {
  readonly url: string
  readonly config: Config
  readonly store: Store
  readonly app: App
  /** Every line that was logged. */
  readonly lines: readonly string[]
  /** The server's time in milliseconds since 1970; a test may change it. */
  now: number
  stop(): Promise<void>
}

export interface TestServerOptions {
  readonly config: Config
  readonly databaseUrl: string
  readonly useCases?: Partial<UseCases>
  /** The merchant's use cases that the console's decisions call. */
  readonly acts?: (store: Store, clock: () => number) => DecisionActs
  /** Replaces use cases of the console; the others are the real ones. */
  readonly console?: Partial<ConsoleUseCases>
  /** What the console asks the gateway. */
  readonly gateway?: Partial<Gateway>
  /** Whether events are queued for the merchant's webhook; false by default. */
  readonly deliver?: boolean
  /** Replaces the limits of production. */
  readonly limits?: Partial<typeof SERVER_LIMITS>
  /** Replaces Next. */
  readonly next?: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly readiness?: () => Promise<Readonly<Record<string, readonly string[]>>>
}

/** A use case that the test did not give must not be called. */
const notGiven = (name: string) => (): never => {
  throw new Error(`the use case ${name} was not expected`)
}

const onlyGiven = <T extends object>(given: Partial<T>): T =>
  new Proxy(given, {
    get: (target, name: string) => (Reflect.get(target, name) as unknown) ?? notGiven(name),
  }) as T

const APP_FOLDER = resolve(import.meta.dirname, '../../../../app')

const aPage = (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.end('a page')
  return Promise.resolve()
}

export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const { config } = options
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = createLog({ level: 'debug', secrets: [], destination })
  const state = { now: Date.now() }
  const clock = (): number => state.now
  const store = await openStore({ url: options.databaseUrl, clock, deliver: options.deliver ?? false })
  const metrics = createMetrics(TEST_VERSION)
  const parts = { config, store, log, metrics, clock }
  // At once: the test's clock may be far on before uses are stored together.
  const noteUse = (id: string): void => void store.sessions.touchSessions([id], clock()).catch(() => undefined)
  const hub = openHub({ ...parts, sessions: store.sessions, noteUse })
  const merchants = createMerchantAuthenticator({
    environmentKeys: config.merchantApiKeys,
    keys: store.merchantKeys,
    uptimeMs: () => performance.now(),
    clock,
    onFault: (err) => log.warn({ err }, 'the use of a key could not be stored'),
  })
  const cookies = sessionCookies(config.sessionSecrets, config.sessionMaxS)
  const { listedCurrencies = () => Promise.resolve([]) } = options.useCases ?? {}
  const onSessionEnded = (id: string): void => hub.endSession(id)
  const sessionUseCases = composeSessionUseCases({ ...parts, cookies, onSessionEnded, listedCurrencies })
  const ofConsole = composeConsole({
    ...parts,
    version: TEST_VERSION,
    instance: 'test',
    ledgerStartMs: 0,
    endSession: sessionUseCases.endSession,
    onKeysChanged: () => merchants.keysChanged(),
    acts: options.acts?.(store, clock) ?? onlyGiven<DecisionActs>({}),
    clockOffset: () => null,
    gateway: { statuses: createStatusReader(new Map()), clockOffsetMs: () => 0, ...options.gateway } as Gateway,
  })
  const app = composeApp({
    ...parts,
    hub,
    noteUse,
    cookies,
    merchants,
    useCases: onlyGiven<UseCases>({
      ...sessionUseCases,
      ...composeDeliveryViews(parts),
      userBecameKnown: () => Promise.resolve(),
      ...options.useCases,
    }),
    console: { ...ofConsole, ...options.console },
    rateLimits: config.rateLimit ? memoryRateLimits() : NO_LIMITS,
    readiness: options.readiness ?? (() => Promise.resolve({})),
    version: TEST_VERSION,
  })
  const routes = await loadRoutes(APP_FOLDER)
  const pipeline = requestPipeline({
    config,
    log,
    accessLog: log,
    metrics,
    routes,
    next: options.next ?? aPage,
    dev: false,
    newId: randomUUID,
  })
  const listener: RequestListener = (request, response) => {
    // Each handler reads its application at once, so several servers of one test process do not mix.
    setApp(app)
    pipeline(request, response)
  }
  const { server, port } = await listen({ port: 0, host: '127.0.0.1' }, listener, {
    ...SERVER_LIMITS,
    ...options.limits,
  })
  return {
    url: `http://127.0.0.1:${port}`,
    config,
    store,
    app,
    lines,
    get now() {
      return state.now
    },
    set now(value) {
      state.now = value
    },
    async stop() {
      await Promise.all([hub.close(), app.console.closeChanges()])
      await finish(server, 1000)
      await store.close()
    },
  }
}
