/** HTTP client for the console's API: same origin, time limit, every response parsed. */
import * as z from 'zod/mini'
import { parseJson } from '../parse-json.ts'
import { failureCode, RequestFailure } from '../request-failure.ts'

const TIMEOUT_MS = 20_000

export interface ConsoleClient {
  /** @param path after `/api/operate/`. @throws RequestFailure */
  get<Schema extends z.ZodMiniType>(path: string, schema: Schema, signal?: AbortSignal): Promise<z.output<Schema>>
  /** @param timeoutMs 20 s by default @throws RequestFailure */
  send<Schema extends z.ZodMiniType>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    schema: Schema,
    timeoutMs?: number,
  ): Promise<z.output<Schema>>
}

/** For an answer 204. */
export const nothing = z.undefined()

const problem = z.object({
  code: z.string(),
  detail: z.string(),
  request_id: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
})

function failureOf(response: Response, body: unknown): RequestFailure {
  const parsed = problem.safeParse(body)
  const requestId = response.headers.get('x-request-id')
  if (!parsed.success) return new RequestFailure(response.status >= 500 ? 'internal' : 'unreadable', { requestId })
  const { code, detail, request_id, errors } = parsed.data
  return new RequestFailure(failureCode(code), { requestId: request_id, detail, ...(errors && { errors }) })
}

/** @param base of the paths; the console's own API by default */
export function createConsoleClient(
  fetch: (path: string, init: RequestInit) => Promise<Response>,
  base = '/api/operate/',
): ConsoleClient {
  async function call<Schema extends z.ZodMiniType>(
    path: string,
    init: RequestInit,
    schema: Schema,
    {
      outer,
      timeoutMs = TIMEOUT_MS,
    }: { readonly outer?: AbortSignal | undefined; readonly timeoutMs?: number | undefined },
  ): Promise<z.output<Schema>> {
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(base + path, {
        ...init,
        credentials: 'same-origin',
        cache: 'no-store',
        redirect: 'error',
        signal: outer === undefined ? limit : AbortSignal.any([limit, outer]),
      })
      const body = parseJson(await response.text())
      if (!response.ok) throw failureOf(response, body)
      const parsed = schema.safeParse(body)
      if (parsed.success) return parsed.data
      throw new RequestFailure('unreadable', { requestId: response.headers.get('x-request-id') }, parsed.error)
    } catch (error) {
      if (error instanceof RequestFailure || outer?.aborted === true) throw error
      throw new RequestFailure(limit.aborted ? 'timeout' : 'offline', { requestId: null }, error)
    }
  }
  return {
    get: (path, schema, signal) => call(path, { method: 'GET' }, schema, { outer: signal }),
    send: (method, path, body, schema, timeoutMs) =>
      call(
        path,
        body === undefined
          ? { method }
          : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
        schema,
        { timeoutMs },
      ),
  }
}
