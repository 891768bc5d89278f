import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config/config.ts'
import { bearerCheck } from '../http/bearer.ts'
import type { TraceHeaders, Tracing } from './tracing.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Runs `respond` in the span of a request, which lasts until the answer has ended. */
export type TraceRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  route: string,
  respond: () => void,
) => void

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/**
 * Continues the caller's trace only for the merchant's backend: anybody else could otherwise force the recording of
 * their requests.
 */
export function traceRequests(tracing: Tracing, { merchantApiKeys }: Pick<Config, 'merchantApiKeys'>): TraceRequest {
  const isMerchant = bearerCheck(merchantApiKeys)

  const callerOf = ({ headers }: IncomingMessage): TraceHeaders => {
    const traceparent = textOf(headers['traceparent'])
    if (traceparent === undefined || !isMerchant(headers.authorization ?? null)) return {}
    const tracestate = textOf(headers['tracestate'])
    return { traceparent, ...(tracestate !== undefined && { tracestate }) }
  }

  return (request, response, route, respond) => {
    const given = request.method ?? ''
    const method = METHODS.has(given) ? given : '_OTHER'
    const attributes = { 'http.request.method': method, 'http.route': route }
    const caller = callerOf(request)
    void tracing.span(
      `${method} ${route}`,
      { kind: 'server', attributes, caller },
      (span) =>
        new Promise<void>((resolve) => {
          response.once('close', () => {
            const status = response.headersSent ? response.statusCode : 499
            span.set({ 'http.response.status_code': status })
            if (status >= 500) span.fail(String(status))
            resolve()
          })
          respond()
        }),
    )
  }
}
