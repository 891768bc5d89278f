/** `handler` turns an endpoint into a route file's export: a function that Next and `server.ts` can call. */
import { Problem } from '#lib/contract/problems.ts'
import { getApp, type App } from '../app.ts'
import { INTERNAL } from './inbound-headers.ts'
import type { Answer } from './answer.ts'
import type { InboundRequest } from './inbound-request.ts'
import type { NodeRequest } from './node-request.ts'
import { problemAnswer } from './problem-answer.ts'
import type { ResponseKind } from './response-headers.ts'
import { WebRequest, webResponse } from './web-adapter.ts'

/** One request as an endpoint sees it. */
export interface Call {
  readonly app: App
  readonly request: InboundRequest
  readonly url: URL
  readonly requestId: string
  /** The client's address, as the proxies in front report it. */
  readonly client: string
  /** Values of the path's `[name]` segments, decoded. */
  readonly params: Readonly<Record<string, string>>
}

export type Endpoint = (call: Call) => Promise<Answer>

export interface RouteInfo {
  /** The route's name in metrics and log. */
  readonly route: string
  readonly kind: Extract<ResponseKind, 'api' | 'document'>
}

/** The second argument, as Next gives it. */
export interface RouteContext {
  readonly params: Promise<Readonly<Record<string, string | string[] | undefined>> | undefined>
}

/** What the pipeline knows about a call before its handler. */
export type NativeCall = Pick<Call, 'requestId' | 'client' | 'params'> & { readonly request: NodeRequest }

export interface RouteHandler extends RouteInfo {
  /** As Next calls it. */
  (request: Request, context: RouteContext): Promise<Response>
  /** As `server.ts` calls it. */
  native(call: NativeCall): Promise<Answer>
}

export interface HandlerOptions {
  /** `document` for HTML; `api` by default. */
  readonly kind?: RouteInfo['kind']
  /** Shows a problem; by default as `application/problem+json`. */
  readonly present?: (problem: Problem, call: Call) => Answer | Promise<Answer>
  /** Called with each problem before it is shown. */
  readonly onProblem?: (problem: Problem, call: Call) => void
}

const paramsOf = async ({ params }: RouteContext): Promise<Call['params']> => {
  // Next gives no params for a path without dynamic segments.
  const given = Object.entries((await params) ?? {})
  return Object.fromEntries(given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

/** Parses the URL only on access, since few endpoints read it. */
class LazyUrlCall implements Call {
  readonly app: App
  readonly request: InboundRequest
  readonly requestId: string
  readonly client: string
  readonly params: Call['params']

  constructor(app: App, { request, requestId, client, params }: Omit<Call, 'app' | 'url'>) {
    this.app = app
    this.request = request
    this.requestId = requestId
    this.client = client
    this.params = params
  }

  get url(): URL {
    return new URL(this.request.url, 'http://cashier.local')
  }
}

const ENCODED_NUL = '%00'

/**
 * PostgreSQL cannot store NUL. @throws Problem `not_found` for a NUL in the path, `invalid_request` for one in the
 * query
 */
function refuseNul(call: Call): void {
  if (!call.request.url.includes(ENCODED_NUL)) return
  const { pathname, searchParams } = call.url
  if (pathname.includes(ENCODED_NUL)) throw new Problem('not_found', 'There is nothing here.')
  const [name = 'query'] = [...searchParams].find((pair) => pair.join('').includes('\0')) ?? []
  const field = name.replaceAll('\0', '')
  throw new Problem('invalid_request', `Not valid: ${field}.`, { errors: { [field]: ['must not contain NUL'] } })
}

/**
 * The exported function of a route file: passes the call to the endpoint, and answers every error.
 * @param route the route's name in metrics and log
 */
export function handler(route: string, endpoint: Endpoint, options: HandlerOptions = {}): RouteHandler {
  const answer = async (given: Omit<Call, 'app' | 'url'>): Promise<Answer> => {
    const call = new LazyUrlCall(getApp(), given)
    try {
      refuseNul(call)
      return await endpoint(call)
    } catch (error) {
      const problem = call.app.problemOf(error, call.requestId, route)
      options.onProblem?.(problem, call)
      return options.present ? await options.present(problem, call) : problemAnswer(problem, call.requestId)
    }
  }
  const answerWeb = async (request: Request, context: RouteContext): Promise<Response> => {
    const { headers } = request
    const given = await answer({
      request: new WebRequest(request),
      requestId: headers.get(INTERNAL.requestId) ?? '-',
      client: headers.get(INTERNAL.client) ?? '-',
      params: await paramsOf(context),
    })
    return webResponse(given, request.signal)
  }
  return Object.assign(answerWeb, { native: answer, route, kind: options.kind ?? 'api' })
}
