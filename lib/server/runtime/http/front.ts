/** What every request goes through before anybody answers it: an id, clean headers, fixed response headers, a count. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '#lib/contract/problems.ts'
import type { Config } from '../config/config.ts'
import { send, type HotRoute } from '../hot/webhook.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { HotRouteName, RouteName } from '../route-names.ts'
import { clientAddress } from './client-address.ts'
import { dropInternalHeaders, INTERNAL, requestIdFor } from './inbound.ts'
import { matchRoute } from './match-route.ts'
import { problemAnswer } from './problem-response.ts'
import { fixedHeaders, pagePolicy, type ResponseKind } from './response-headers.ts'

export interface FrontDeps {
  readonly config: Pick<Config, 'publicUrl' | 'embedOrigins' | 'onrampOrigins' | 'trustProxy'>
  readonly log: Pick<Log, 'info' | 'debug' | 'error'>
  readonly metrics: Pick<Metrics, 'request'>
  readonly hot: Readonly<Record<HotRouteName, HotRoute>>
  /** Next, for all that is not hot. */
  readonly next: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly dev: boolean
  readonly newId: () => string
}

const LONGEST_TARGET = 8192
const SCRIPTS: Readonly<Record<string, string>> = {
  // Every merchant's page asks for it, so a mend must be able to arrive.
  '/embed.js': 'public, max-age=300, stale-while-revalidate=86400',
  '/embed/v1.js': 'public, max-age=31536000, immutable',
}
/** Those that a handler may see; it refuses what it lacks. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** How long a client may go on sending a body after its answer. */
const PATIENCE_MS = 1000
const QUIET: ReadonlySet<string> = new Set(['health.live', 'health.ready', 'metrics', 'file', 'script'])

/** What a request is for: a route of ours, or a page or file of Next's. */
function classify(pathname: string): {
  readonly route: RouteName | 'page' | 'file' | 'script'
  readonly kind: ResponseKind
} {
  const route = matchRoute(pathname)
  if (route === 'launch' || route === 'embed') return { route, kind: 'document' }
  if (route !== null) return { route, kind: 'api' }
  if (pathname in SCRIPTS) return { route: 'script', kind: 'script' }
  if (pathname.startsWith('/_next/') || /\.[a-z0-9]{2,5}$/i.test(pathname)) return { route: 'file', kind: 'file' }
  return { route: 'page', kind: 'page' }
}

/** The request listener of the process. */
export function createFront(deps: FrontDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { config, dev, hot } = deps
  const fixed = new Map<ResponseKind, readonly (readonly [string, string])[]>()
  const headersOf = (kind: ResponseKind) => {
    const known = fixed.get(kind) ?? fixedHeaders(config, kind)
    fixed.set(kind, known)
    return known
  }

  const watch = (request: IncomingMessage, response: ServerResponse, requestId: string, route: string): void => {
    const began = performance.now()
    response.once('close', () => {
      const seconds = (performance.now() - began) / 1000
      const status = response.headersSent ? response.statusCode : 499
      deps.metrics.request(route, request.method ?? '', status, seconds)
      const fields = { request_id: requestId, route, method: request.method, status, ms: Math.round(seconds * 1000) }
      if (QUIET.has(route)) deps.log.debug(fields, 'answered')
      else deps.log.info(fields, 'answered')
    })
  }

  /** An answer that came before the end of the body (401, 413) leaves nobody pouring. */
  const stopPouring = (request: IncomingMessage, response: ServerResponse): void => {
    response.once('finish', () => {
      if (request.complete) return
      setTimeout(() => {
        if (!request.complete) request.destroy()
      }, PATIENCE_MS).unref()
    })
  }

  return (request, response) => {
    const { headers } = request
    stopPouring(request, response)
    const inboundId = headers[INTERNAL.requestId]
    const requestId = requestIdFor(typeof inboundId === 'string' ? inboundId : undefined, config.trustProxy, deps.newId)
    const forwardedFor = headers['x-forwarded-for']
    const client = clientAddress(
      request.socket.remoteAddress ?? '',
      typeof forwardedFor === 'string' ? forwardedFor : forwardedFor?.join(','),
      config.trustProxy,
    )
    dropInternalHeaders(headers)
    headers[INTERNAL.requestId] = requestId
    headers[INTERNAL.client] = client
    response.setHeader(INTERNAL.requestId, requestId)

    const target = request.url ?? ''
    const pathname = target.split('?', 1)[0] ?? ''
    const { route, kind } = classify(pathname)
    watch(request, response, requestId, route)
    for (const [name, value] of headersOf(kind)) response.setHeader(name, value)

    const refuse = (problem: Problem, more: Readonly<Record<string, string>> = {}): void =>
      send(request, response, problemAnswer(problem, requestId, more))

    if (!pathname.startsWith('/') || target.length > LONGEST_TARGET) {
      refuse(new Problem('not_found', 'There is nothing here.'))
    } else if (route === 'cashier.events' || route === 'webhooks.gateway') {
      void hot[route](request, response, requestId)
    } else if (!METHODS.has(request.method ?? '')) {
      refuse(new Problem('method_not_allowed', 'No such method here.'), { allow: [...METHODS].join(', ') })
    } else if (kind !== 'api' && kind !== 'document' && request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(new Problem('method_not_allowed', 'Allowed: GET, HEAD.'), { allow: 'GET, HEAD' })
    } else if (!dev && pathname.endsWith('.map')) {
      refuse(new Problem('not_found', 'There is nothing here.'))
    } else {
      if (kind === 'page') {
        const policy = pagePolicy(config, randomBytes(16).toString('base64'), dev)
        // Next reads the nonce from the request and puts it on its scripts.
        headers['content-security-policy'] = policy
        response.setHeader('content-security-policy', policy)
      }
      const cache = SCRIPTS[pathname]
      if (cache !== undefined) response.setHeader('cache-control', cache)
      deps.next(request, response).catch((error: unknown) => {
        deps.log.error({ request_id: requestId, route, err: error }, 'a request failed')
        refuse(new Problem('internal', 'Please try again. If it happens again, quote the request id.'))
      })
    }
  }
}
