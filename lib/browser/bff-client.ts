/** HTTP client for the page's own API: same origin, session header, time limit, every response parsed. */
import type * as z from 'zod/mini'
import type * as contract from '#lib/contract/cashier.ts'
import { parseJson } from './parse-json.ts'
import { failureCode, RequestFailure } from './request-failure.ts'

/** The parsers, loaded with the first call: a page that the server rendered does not need them to start. */
export type Schemas = typeof contract
type SelectSchema<Schema> = (schemas: Schemas) => Schema

export interface BffClient {
  readonly sessionId: string
  /** @throws RequestFailure */
  get<Schema extends z.ZodMiniType>(
    path: string,
    select: SelectSchema<Schema>,
    signal?: AbortSignal,
  ): Promise<z.output<Schema>>
  /** `idempotencyKey` makes a repeat of the same call safe. @throws RequestFailure */
  post<Schema extends z.ZodMiniType>(
    path: string,
    body: unknown,
    select: SelectSchema<Schema>,
    idempotencyKey?: string,
  ): Promise<z.output<Schema>>
  /** Another change. @throws RequestFailure */
  send<Schema extends z.ZodMiniType>(
    method: 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    select: SelectSchema<Schema>,
  ): Promise<z.output<Schema>>
}

export interface BffClientOptions {
  readonly sessionId: string
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>
  readonly loadSchemas: () => Promise<Schemas>
  readonly isOnline: () => boolean
  readonly timeoutMs: number
}

type ReadBody<T> = (body: string, response: Response) => Promise<T>

interface RequestParts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function createBffClient({ sessionId, fetch, loadSchemas, isOnline, timeoutMs }: BffClientOptions): BffClient {
  /** `read` gets the body of a successful response. */
  async function call<T>(path: string, init: RequestParts, read: ReadBody<T>, signal?: AbortSignal): Promise<T> {
    const limit = limitTime(timeoutMs, signal)
    try {
      const response = await fetch(`/api/cashier/${path}`, {
        ...init,
        credentials: 'same-origin',
        cache: 'no-store',
        redirect: 'error',
        headers: { ...init.headers, accept: 'application/json', 'x-cashier-session': sessionId },
        signal: limit.signal,
      })
      const body = await response.text()
      if (!response.ok) {
        const problem = (await loadSchemas()).problemSchema.safeParse(parseJson(body))
        throw problem.success ? failureOf(response, problem.data) : unexplainedFailure(response, init)
      }
      return await read(body, response)
    } catch (error) {
      if (error instanceof RequestFailure || signal?.aborted) throw error
      throw new RequestFailure(limit.hasExpired() && isOnline() ? 'timeout' : 'offline', { requestId: null }, error)
    } finally {
      limit.clear()
    }
  }

  /** Loads the parsers during the request. */
  function parsing<Schema extends z.ZodMiniType>(select: SelectSchema<Schema>): ReadBody<z.output<Schema>> {
    const schemas = loadSchemas()
    schemas.catch(() => undefined)
    return async (body, response) => {
      const parsed = select(await schemas).safeParse(parseJson(body))
      if (!parsed.success) throw new RequestFailure('unreadable', { requestId: requestIdOf(response) }, parsed.error)
      return parsed.data
    }
  }

  const json = (method: RequestParts['method'], body: unknown, idempotencyKey?: string): RequestParts => ({
    method,
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
  })

  return {
    sessionId,
    get: (path, select, signal) => call(path, { method: 'GET' }, parsing(select), signal),
    post: (path, body, select, idempotencyKey) => call(path, json('POST', body, idempotencyKey), parsing(select)),
    send: (method, path, body, select) => call(path, json(method, body), parsing(select)),
  }
}

/** Combines a timeout and the caller's signal, like `AbortSignal.any`, which not every browser has. */
function limitTime(timeoutMs: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let expired = false
  const timer = setTimeout(() => {
    expired = true
    controller.abort()
  }, timeoutMs)
  const abort = (): void => controller.abort()
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    hasExpired: () => expired,
    clear: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
  }
}

const requestIdOf = (response: Response): string | null => response.headers.get('x-request-id')

function failureOf(response: Response, problem: contract.ProblemBody): RequestFailure {
  const { code, detail, errors, withdrawal_id, request_id } = problem
  const seconds = Number(response.headers.get('retry-after') ?? '')
  return new RequestFailure(failureCode(code), {
    requestId: request_id,
    detail,
    ...(seconds > 0 && { retryAfterS: Math.ceil(seconds) }),
    ...(errors && { errors }),
    ...(withdrawal_id !== undefined && { withdrawalId: withdrawal_id }),
  })
}

/**
 * A failure without our problem body is of a proxy. It does not know whether the cashier carried the call out, which
 * matters for a call with an Idempotency-Key.
 */
function unexplainedFailure(response: Response, { headers }: RequestParts): RequestFailure {
  const { status } = response
  const code = status === 429 ? 'rate_limited' : status >= 500 ? 'gateway_unavailable' : 'unreadable'
  const isOpen = headers?.['idempotency-key'] !== undefined
  return new RequestFailure(isOpen ? 'unreadable' : code, { requestId: requestIdOf(response) })
}
