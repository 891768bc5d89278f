/** The wrapper of every handler: finds the method, answers what was thrown, logs what was our fault. */
import { Problem, PROBLEM_STATUS } from '#lib/contract/problems.ts'
import type { Handler } from '../app.ts'
import type { Log } from '../log.ts'
import type { RouteName } from '../route-names.ts'
import { INTERNAL } from './inbound.ts'
import { pathValues } from './match-route.ts'
import { problemAnswer, problemOf, responseOf } from './problem-response.ts'

/** One request as an endpoint sees it. */
export interface Call {
  readonly request: Request
  readonly url: URL
  readonly requestId: string
  /** The client's address, as the proxies in front say. */
  readonly client: string
  /** Values of the path's `:name` parts. */
  readonly path: Readonly<Record<string, string>>
}

export type Endpoint = (call: Call) => Promise<Response>
/** By method; `*` for all that are not named. */
export type Endpoints = Readonly<Partial<Record<'GET' | 'HEAD' | 'POST' | 'DELETE' | '*', Endpoint>>>

export interface HandlerOptions {
  readonly log: ProblemLog
  /** How a problem is shown; as `application/problem+json` without it. */
  readonly present?: (problem: Problem, call: Call) => Response
  /** Names the scheme in a 401. */
  readonly challenge?: string
}

const callOf = (name: RouteName, request: Request): Call => {
  const url = new URL(request.url)
  return {
    request,
    url,
    requestId: request.headers.get(INTERNAL.requestId) ?? '-',
    client: request.headers.get(INTERNAL.client) ?? '-',
    path: pathValues(name, url.pathname),
  }
}

export type ProblemLog = Pick<Log, 'error' | 'warn' | 'info'>

/** Who was not let in is worth a line; other faults of a caller are told to the caller alone. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429])

/** Writes down a failure that is ours or the database's, and who was refused. */
export function logProblem(log: ProblemLog, problem: Problem, requestId: string, route: string): void {
  const status = PROBLEM_STATUS[problem.code]
  const what = { request_id: requestId, route, code: problem.code }
  if (REFUSALS.has(status)) log.info(what, 'refused')
  if (status < 500) return
  const fields = { ...what, err: problem.cause ?? problem }
  if (problem.code === 'internal') log.error(fields, 'a request failed')
  else log.warn(fields, 'a request could not be answered')
}

export function handler(name: RouteName, endpoints: Endpoints, options: HandlerOptions): Handler {
  const allow = Object.keys(endpoints).join(', ')
  return async (request) => {
    const call = callOf(name, request)
    try {
      const endpoint = Object.hasOwn(endpoints, request.method)
        ? endpoints[request.method as keyof Endpoints]
        : endpoints['*']
      if (!endpoint) throw new Problem('method_not_allowed', `Allowed: ${allow}.`)
      return await endpoint(call)
    } catch (error) {
      const problem = problemOf(error)
      logProblem(options.log, problem, call.requestId, name)
      if (options.present) return options.present(problem, call)
      return responseOf(
        problemAnswer(problem, call.requestId, {
          ...(problem.code === 'method_not_allowed' && { allow }),
          ...(problem.code === 'unauthenticated' && options.challenge && { 'www-authenticate': options.challenge }),
        }),
      )
    }
  }
}
