/** The page's way to the BFF: same origin, session header, a time limit, answers parsed before anyone sees them. */
import type * as z from 'zod/mini'
import type * as contract from '#lib/contract/cashier.ts'
import { failureCode, RequestFailure } from './request-failure.ts'

/** The parsers, fetched with the first answer: a page that the server drew needs none of them to start. */
export type Schemas = typeof contract
type Pick<Schema> = (schemas: Schemas) => Schema

export interface BffClient {
  readonly sessionId: string
  /** Throws a `RequestFailure`. */
  get<Schema extends z.ZodMiniType>(path: string, pick: Pick<Schema>, signal?: AbortSignal): Promise<z.output<Schema>>
  /** `idempotencyKey` makes a repeat of the same call safe. Throws a `RequestFailure`. */
  post<Schema extends z.ZodMiniType>(
    path: string,
    body: unknown,
    pick: Pick<Schema>,
    idempotencyKey?: string,
  ): Promise<z.output<Schema>>
  /** A call whose answer nobody reads: that it was a good one is all. Throws a `RequestFailure`. */
  send(path: string, body: unknown): Promise<void>
}

export interface BffClientNeeds {
  readonly sessionId: string
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>
  readonly loadSchemas: () => Promise<Schemas>
  readonly isOnline: () => boolean
  readonly timeoutMs: number
}

type Read<T> = (body: string, response: Response) => Promise<T>

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function createBffClient({ sessionId, fetch, loadSchemas, isOnline, timeoutMs }: BffClientNeeds): BffClient {
  /** `read` is given a good answer's body. */
  async function call<T>(path: string, init: Sent, read: Read<T>, signal?: AbortSignal): Promise<T> {
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
      if (!response.ok) throw failureOf(response, (await loadSchemas()).problemSchema.safeParse(readJson(body)))
      return await read(body, response)
    } catch (error) {
      if (error instanceof RequestFailure || signal?.aborted) throw error
      throw new RequestFailure(limit.isOver() && isOnline() ? 'timeout' : 'offline', { requestId: null }, error)
    } finally {
      limit.lift()
    }
  }

  /** The parsers come at the same time as what they parse. */
  function parsing<Schema extends z.ZodMiniType>(pick: Pick<Schema>): Read<z.output<Schema>> {
    const schemas = loadSchemas()
    schemas.catch(() => undefined)
    return async (body, response) => {
      const parsed = pick(await schemas).safeParse(readJson(body))
      if (!parsed.success) throw new RequestFailure('unreadable', { requestId: requestIdOf(response) }, parsed.error)
      return parsed.data
    }
  }

  const posted = (body: unknown, idempotencyKey?: string): Sent => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
  })

  return {
    sessionId,
    get: (path, pick, signal) => call(path, { method: 'GET' }, parsing(pick), signal),
    post: (path, body, pick, idempotencyKey) => call(path, posted(body, idempotencyKey), parsing(pick)),
    send: (path, body) => call(path, posted(body), async () => undefined),
  }
}

/** `AbortSignal.any` of a time limit and the caller's own, for browsers that lack it. */
function limitTime(timeoutMs: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let over = false
  const timer = setTimeout(() => {
    over = true
    controller.abort()
  }, timeoutMs)
  const abort = (): void => controller.abort()
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    isOver: () => over,
    lift: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const requestIdOf = (response: Response): string | null => response.headers.get('x-request-id')

function failureOf(response: Response, problem: z.core.util.SafeParseResult<contract.ProblemBody>): RequestFailure {
  const requestId = requestIdOf(response)
  if (!problem.success) {
    const code =
      response.status === 429 ? 'rate_limited' : response.status >= 500 ? 'gateway_unavailable' : 'unreadable'
    return new RequestFailure(code, { requestId })
  }
  const { code, detail, errors, withdrawal_id, request_id } = problem.data
  const seconds = Number(response.headers.get('retry-after') ?? '')
  return new RequestFailure(failureCode(code), {
    requestId: request_id,
    detail,
    ...(seconds > 0 && { retryAfterS: Math.ceil(seconds) }),
    ...(errors && { errors }),
    ...(withdrawal_id !== undefined && { withdrawalId: withdrawal_id }),
  })
}
