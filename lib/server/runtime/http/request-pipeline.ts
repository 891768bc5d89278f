/**
 * The steps of every request before its answer: a request id, clean headers, fixed response headers, metrics and log.
 * Then a route of the table answers it, or Next for pages and files.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '#lib/contract/problems.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { traceRequests } from '../tracing/traced-requests.ts'
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts'
import type { BuildFiles } from './build-files.ts'
import type { LaunchAnswer } from './answer.ts'
import { clientAddress, forwardedEntries } from './client-address.ts'
import { dropInternalHeaders, INTERNAL, isLocalCall, requestIdFor } from './inbound-headers.ts'
import { NodeRequest } from './node-request.ts'
import { problemAnswer } from './problem-answer.ts'
import { becomePageRequest } from './page-request.ts'
import { isConsolePath } from './page-gate.ts'
import { consolePolicy, fixedHeaders, newNonce, pagePolicy, type ResponseKind } from './response-headers.ts'
import type { Match, Method, RouteTable } from './route-table.ts'
import { renderAdmitted } from './render-page.ts'
import { writeAnswer, type FlatHeaders } from './write-answer.ts'

export interface PipelineDeps {
  /** Paths of the files of public/, which cost no render. */
  readonly publicFiles?: ReadonlySet<string>
  readonly config: Pick<Config, 'publicUrl' | 'embedOrigins' | 'onrampOrigins' | 'trustProxy' | 'merchantApiKeys'>
  readonly log: Pick<Log, 'error' | 'warn'>
  /** Gets one line per request. */
  readonly accessLog: Pick<Log, 'info' | 'debug' | 'isLevelEnabled'>
  readonly metrics: Pick<Metrics, 'request'>
  /** None by default. */
  readonly tracing?: Tracing
  readonly routes: RouteTable
  /** Next, for pages and files. */
  readonly next: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Files that the build has compressed; without it Next serves all files. */
  readonly files?: BuildFiles
  readonly dev: boolean
  readonly newId: () => string
}

const MAX_TARGET_LENGTH = 8192
/** The merchant's script under its constant names: every merchant's page loads it, so a fix must reach these pages. */
const SCRIPTS: ReadonlySet<string> = new Set(['/embed.js', '/embed/v1.js'])
/** The script under the name with its hash, where its content never changes. */
const PINNED_SCRIPT = /^\/embed\/v1-[0-9a-f]{16}\.js$/
const scriptCaching = (pathname: string): string =>
  SCRIPTS.has(pathname) ? 'public, max-age=300, must-revalidate' : 'public, max-age=31536000, immutable'
/** The methods that reach routes; a route refuses the methods that it lacks. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** How long a client may keep sending a body after its answer. */
const UNREAD_BODY_MS = 1000
/** Logged at debug level: health checks and files would fill the log. Accepted webhooks are in the database. */
const QUIET: ReadonlySet<string> = new Set(['health.live', 'health.ready', 'metrics', 'messages', 'file', 'script'])
const isQuiet = (route: string, status: number): boolean =>
  QUIET.has(route) || (route === 'webhooks.gateway' && status === 200)

interface Target {
  /** The label in metrics and log. */
  readonly label: string
  readonly kind: ResponseKind
  readonly match: Match | null
}

/** The target of a request: a route of the table, or a page or file of Next. */
function classify(routes: RouteTable, pathname: string): Target {
  const match = routes.match(pathname)
  if (match !== null) return { label: match.route.route, kind: match.route.kind, match }
  if (SCRIPTS.has(pathname) || PINNED_SCRIPT.test(pathname)) return { label: 'script', kind: 'script', match }
  if (pathname.startsWith('/_next/') || /\.[a-z0-9]{2,5}$/i.test(pathname))
    return { label: 'file', kind: 'file', match }
  return isConsolePath(pathname) ? { label: 'operate', kind: 'console', match } : { label: 'page', kind: 'page', match }
}

/** A path that no page has. */
const NOTHING_THERE = '/-'

function isDecodable(pathname: string): boolean {
  try {
    return !decodeURIComponent(pathname).includes('\0')
  } catch {
    return false
  }
}

const pathnameOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/** The request listener of the process. */
export function requestPipeline(deps: PipelineDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { config, dev, routes, publicFiles = new Set(), tracing = NO_TRACING } = deps
  const fixed = new Map<ResponseKind, FlatHeaders>()
  const headersOf = (kind: ResponseKind): FlatHeaders => {
    const known = fixed.get(kind) ?? fixedHeaders(config, kind).flat()
    fixed.set(kind, known)
    return known
  }
  /** Sets the headers for Next, which writes the head itself. */
  const setHeaders = (response: ServerResponse, flat: FlatHeaders): void => {
    for (let at = 0; at < flat.length; at += 2) response.setHeader(flat[at] ?? '', flat[at + 1] ?? '')
  }

  const observe = (request: IncomingMessage, response: ServerResponse, requestId: string, route: string): void => {
    const began = performance.now()
    const { method } = request
    const trace = tracing.traceId()
    response.on('close', () => {
      const seconds = (performance.now() - began) / 1000
      const status = response.headersSent ? response.statusCode : 499
      deps.metrics.request(route, method ?? '', status, seconds)
      const level = isQuiet(route, status) ? 'debug' : 'info'
      if (!deps.accessLog.isLevelEnabled(level)) return
      const fields = {
        request_id: requestId,
        route,
        method,
        status,
        ms: Math.round(seconds * 1000),
        ...(trace !== null && { trace_id: trace }),
      }
      deps.accessLog[level](fields, 'answered')
    })
  }

  let warned = false
  const warnOfProxy = (): void => {
    if (warned) return
    warned = true
    deps.log.warn(
      'X-Forwarded-For arrives, and TRUST_PROXY is 0: all clients behind that proxy share the limits of one address; set TRUST_PROXY to the number of proxies in front',
    )
  }

  /** A client that is answered before the end of its body (401, 413) may not keep sending for long. */
  const limitUnreadBody = (request: IncomingMessage, response: ServerResponse): void => {
    response.on('finish', () => {
      if (request.complete) return
      setTimeout(() => {
        if (!request.complete) request.destroy()
      }, UNREAD_BODY_MS).unref()
    })
  }

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { headers } = request
    limitUnreadBody(request, response)
    const inboundId = headers[INTERNAL.requestId]
    const requestId = requestIdFor(typeof inboundId === 'string' ? inboundId : undefined, config.trustProxy, deps.newId)
    const forwarded = forwardedEntries(headers['x-forwarded-for'])
    if (forwarded.length > 0 && config.trustProxy === 0) warnOfProxy()
    const client = clientAddress(request.socket.remoteAddress ?? '', forwarded, config.trustProxy)
    const target = request.url ?? ''
    const pathname = pathnameOf(request)
    const { label, kind, match } = classify(routes, pathname)
    const local = label === 'metrics' && isLocalCall(request)
    dropInternalHeaders(headers)
    if (forwarded.length > 0) headers[INTERNAL.forwarded] = String(forwarded.length)
    if (local) headers[INTERNAL.local] = '1'

    observe(request, response, requestId, label)
    const head: FlatHeaders = [INTERNAL.requestId, requestId, ...headersOf(kind)]

    const refuse = (problem: Problem, more: Readonly<Record<string, string>> = {}): void =>
      void writeAnswer(
        request,
        response,
        problemAnswer(problem, requestId, more),
        response.hasHeader(INTERNAL.requestId) ? [] : head,
      )
    const notAllowed = (allow: string): void =>
      refuse(new Problem('method_not_allowed', `Allowed: ${allow}.`), { allow })
    const failed = (error: unknown): void => {
      deps.log.error({ request_id: requestId, route: label, err: error }, 'a request failed')
      refuse(new Problem('internal', 'Please try again. If it happens again, quote the request id.'))
    }

    /** Answers with the page of a session that was just launched. */
    const renderLaunched = async ({ page: { location, cookie, nonce }, cookies }: LaunchAnswer): Promise<void> => {
      const policy = pagePolicy(config, nonce, dev)
      setHeaders(response, [INTERNAL.requestId, requestId, ...headersOf('page')])
      response.setHeader('set-cookie', [...cookies])
      response.setHeader('content-security-policy', policy)
      becomePageRequest(request, { url: location, cookie, policy })
      headers[INTERNAL.requestId] = requestId
      headers[INTERNAL.client] = client
      const page = { pathname: location, client, dev }
      await renderAdmitted({ request, response, requestId, page, route: label }, () => {
        // Without this header the answer is no page; /embed goes to a page that fails.
        response.setHeader('content-location', location)
        return deps.next(request, response)
      })
    }

    const answerNatively = async ({ route, params }: Match): Promise<void> => {
      const method = request.method as Method
      const handle = route.handlers[method]
      if (handle) {
        const answer = await handle.native({ request: new NodeRequest(request), requestId, client, params })
        // In development a page needs a looser policy than the document of /embed has.
        if ('page' in answer && !dev) await renderLaunched(answer)
        else await writeAnswer(request, response, answer, head)
      } else notAllowed(route.allow)
    }

    if (!pathname.startsWith('/') || target.length > MAX_TARGET_LENGTH) {
      refuse(new Problem('not_found', 'There is nothing here.'))
    } else if (!METHODS.has(request.method ?? '')) {
      notAllowed(match?.route.allow ?? [...METHODS].join(', '))
    } else if (match !== null) {
      answerNatively(match).catch(failed)
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      notAllowed('GET, HEAD')
    } else if (!dev && pathname.endsWith('.map')) {
      refuse(new Problem('not_found', 'There is nothing here.'))
    } else {
      setHeaders(response, head)
      headers[INTERNAL.requestId] = requestId
      headers[INTERNAL.client] = client
      // Next would answer such a path with a bare 400. Answer 404, as for any unknown path.
      const decodable = isDecodable(pathname)
      if (!decodable) request.url = NOTHING_THERE
      if (kind === 'page' || kind === 'console') {
        const nonce = newNonce()
        const policy = kind === 'page' ? pagePolicy(config, nonce, dev, pathname) : consolePolicy(nonce, dev)
        // Next reads the nonce from the request and puts it on its scripts.
        headers['content-security-policy'] = policy
        response.setHeader('content-security-policy', policy)
      }
      if (kind === 'script') response.setHeader('cache-control', scriptCaching(pathname))
      if (kind === 'file' && deps.files?.(request, response, pathname) === true) return
      const render = (): Promise<void> => deps.next(request, response)
      if (kind === 'script' || publicFiles.has(pathname) || pathname.startsWith('/_next/static/'))
        render().catch(failed)
      else {
        const page = { pathname: decodable ? pathname : NOTHING_THERE, client, dev }
        renderAdmitted({ request, response, requestId, page, route: label }, render).catch(failed)
      }
    }
  }

  if (!tracing.on) return answer
  const inSpan = traceRequests(tracing, config)
  return (request, response) => {
    const { label, match } = classify(routes, pathnameOf(request))
    if (QUIET.has(label)) answer(request, response)
    else inSpan(request, response, match?.route.path ?? label, () => answer(request, response))
  }
}
