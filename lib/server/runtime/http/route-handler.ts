/** What every route file exports: a Web-standard function, made from an endpoint by `handler`. */
import { Problem } from '#lib/contract/problems.ts'
import { getApp, type App } from '../app.ts'
import { INTERNAL } from './inbound-headers.ts'
import { problemResponse } from './problem-response.ts'
import type { ResponseKind } from './response-headers.ts'

/** One request as an endpoint sees it. */
export interface Call {
  readonly app: App
  readonly request: Request
  readonly url: URL
  readonly requestId: string
  /** The client's address, as the proxies in front report it. */
  readonly client: string
  /** Values of the path's `[name]` segments, decoded. */
  readonly params: Readonly<Record<string, string>>
}

export type Endpoint = (call: Call) => Promise<Response>

export interface RouteInfo {
  /** Names the route in metrics and in the log. */
  readonly route: string
  readonly kind: Extract<ResponseKind, 'api' | 'document'>
}

/** The second argument, as Next gives it. */
export interface RouteContext {
  readonly params: Promise<Readonly<Record<string, string | string[] | undefined>> | undefined>
}

export type RouteHandler = ((request: Request, context: RouteContext) => Promise<Response>) & RouteInfo

export interface HandlerOptions {
  /** `document` for HTML; `api` without it. */
  readonly kind?: RouteInfo['kind']
  /** How a problem is shown; as `application/problem+json` without it. */
  readonly present?: (problem: Problem, call: Call) => Response
}

const paramsOf = async ({ params }: RouteContext): Promise<Call['params']> => {
  // Next gives none for a path without dynamic segments.
  const given = Object.entries((await params) ?? {})
  return Object.fromEntries(given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

const ENCODED_NUL = '%00'

/** PostgreSQL has no NUL in its texts. @throws Problem `not_found` for one in the path, `invalid_request` in the query */
function refuseNul({ url }: Call): void {
  if (url.pathname.includes(ENCODED_NUL)) throw new Problem('not_found', 'There is nothing here.')
  if (!url.search.includes(ENCODED_NUL)) return
  const [name = 'query'] = [...url.searchParams].find((pair) => pair.join('').includes('\0')) ?? []
  const field = name.replaceAll('\0', '')
  throw new Problem('invalid_request', `Not valid: ${field}.`, { errors: { [field]: ['must not contain NUL'] } })
}

/**
 * The exported function of a route file: gives the endpoint its call, and answers whatever it throws.
 * @param route names the route in metrics and in the log
 */
export function handler(route: string, endpoint: Endpoint, options: HandlerOptions = {}): RouteHandler {
  const answer = async (request: Request, context: RouteContext): Promise<Response> => {
    const app = getApp()
    const { headers } = request
    const call: Call = {
      app,
      request,
      url: new URL(request.url),
      requestId: headers.get(INTERNAL.requestId) ?? '-',
      client: headers.get(INTERNAL.client) ?? '-',
      params: await paramsOf(context),
    }
    try {
      refuseNul(call)
      return await endpoint(call)
    } catch (error) {
      const problem = app.problemOf(error, call.requestId, route)
      return options.present ? options.present(problem, call) : problemResponse(problem, call.requestId)
    }
  }
  return Object.assign(answer, { route, kind: options.kind ?? 'api' })
}
