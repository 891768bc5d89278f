/** The whole process but for Next: its http server, store, stream and handlers, with use cases that a test gives. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { openStore, type Store } from '../../store/store.ts'
import { createStreamHub } from '../../stream/hub.ts'
import type { App } from '../app.ts'
import { compose } from '../compose.ts'
import type { Config } from '../config/config.ts'
import { createFront } from '../http/front.ts'
import { memoryRateLimits, NO_LIMITS } from '../http/rate-limits.ts'
import { matchRoute } from '../http/match-route.ts'
import { finish, LIMITS, listen } from '../http/server.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import type { ForwardedRouteName } from '../route-names.ts'
import type { UseCases } from '../use-cases.ts'

export interface TestServer {
  readonly url: string
  readonly config: Config
  readonly store: Store
  /** Every line that was logged. */
  readonly lines: readonly string[]
  /** Milliseconds since 1970 as the server takes them; a test may move them. */
  now: number
  stop(): Promise<void>
}

export interface TestServerOptions {
  readonly config: Config
  readonly databaseUrl: string
  readonly useCases?: Partial<UseCases>
  /** Instead of those of production. */
  readonly limits?: Partial<typeof LIMITS>
  readonly readiness?: () => Promise<Readonly<Record<string, readonly string[]>>>
}

/** What a test did not give must not be reached. */
const notGiven = (name: string) => (): never => {
  throw new Error(`the use case ${name} was not expected`)
}

const useCasesOf = (given: Partial<UseCases>): UseCases =>
  new Proxy(given, {
    get: (target, name: string) => (Reflect.get(target, name) as unknown) ?? notGiven(name),
  }) as UseCases

const headersOf = ({ headers }: IncomingMessage): Headers => {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) result.append(name, one)
  }
  return result
}

/** Where Next would stand: the handlers by their paths, and a page for all else. */
const standIn = (app: App) => async (request: IncomingMessage, response: ServerResponse) => {
  const route = matchRoute((request.url ?? '').split('?')[0] ?? '')
  if (route === null) {
    response.end('a page')
    return
  }
  const method = request.method ?? ''
  // As Next does it: undici takes what can be iterated.
  const body = method === 'GET' || method === 'HEAD' ? null : (request as unknown as BodyInit)
  const answer = await app.routes[route as ForwardedRouteName](
    new Request(`http://test${request.url ?? ''}`, {
      method,
      headers: headersOf(request),
      body,
      duplex: 'half',
    } as RequestInit),
  )
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) response.appendHeader(name, value)
  if (answer.body === null) response.end()
  else Readable.fromWeb(answer.body as NodeReadableStream).pipe(response)
}

export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const { config } = options
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = createLog({ level: 'debug', secrets: [], destination })
  const state = { now: Date.now() }
  const clock = (): number => state.now
  const store = await openStore({ url: options.databaseUrl, clock, deliver: false })
  const hub = createStreamHub({ store, log })
  const metrics = createMetrics()
  metrics.watchStreams(() => hub.size)
  const { app, hot } = compose({
    config,
    log,
    metrics,
    sessions: store.sessions,
    hub,
    useCases: useCasesOf({ userBecameKnown: () => Promise.resolve(), ...options.useCases }),
    rateLimits: config.rateLimit ? memoryRateLimits() : NO_LIMITS,
    readiness: options.readiness ?? (() => Promise.resolve({})),
    clock,
    newId: randomUUID,
    randomBytes,
  })
  const front = createFront({ config, log, metrics, hot, next: standIn(app), dev: false, newId: randomUUID })
  const { server, port } = await listen({ port: 0, host: '127.0.0.1' }, front, { ...LIMITS, ...options.limits })
  return {
    url: `http://127.0.0.1:${port}`,
    config,
    store,
    lines,
    get now() {
      return state.now
    },
    set now(value) {
      state.now = value
    },
    async stop() {
      await hub.close()
      await finish(server, 1000)
      await store.close()
    },
  }
}
