import { CashierError, readError } from './problem.ts'

export interface CashierOptions {
  /** The cashier's `PUBLIC_URL`, such as `https://cashier.example.com`. */
  readonly url: string
  /** `MERCHANT_API_KEY`. It must not reach a browser. */
  readonly apiKey: string
  /** Milliseconds for one attempt; 10000 by default. */
  readonly timeoutMs?: number
  /** How often a repeatable call is retried; 3 by default. */
  readonly retries?: number
  readonly fetch?: typeof globalThis.fetch
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/merchant`. */
  readonly path: string
  readonly query?: object
  readonly body?: unknown
  /** Whether the call can be repeated without harm. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
  /** Resolves with the body as a stream; only its begin has a time limit. */
  readonly asFile?: boolean
}

export type Caller = <T>(call: Call) => Promise<T>

/** Statuses after which a retry may succeed. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

/** 0.25, 0.5, 1, … seconds plus up to the same time at random, or `Retry-After` if longer; at most 30 s. */
function waitMs(attempt: number, response: Response | null): number {
  const asked = Number(response?.headers.get('retry-after') ?? NaN)
  const own = 250 * 2 ** attempt * (1 + Math.random())
  return Math.min(Number.isFinite(asked) ? Math.max(asked * 1000, own) : own, 30_000)
}

function addressOf(base: string, { path, query = {} }: Call): string {
  const url = new URL(`/api/merchant${path}`, base)
  for (const [name, value] of Object.entries(query) as [string, unknown][])
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof one === 'string' || typeof one === 'number') url.searchParams.append(name, String(one))
  return url.href
}

/** @throws CashierError if the cashier refuses; the error of `fetch` if it cannot be reached */
export function createCaller(options: CashierOptions): Caller {
  const { url, apiKey, timeoutMs = 10_000, retries = 3, fetch = globalThis.fetch } = options

  const attempt = async (call: Call): Promise<Response> => {
    const slow = new AbortController()
    const timeout = call.asFile === true ? slow.signal : AbortSignal.timeout(timeoutMs)
    const timer = setTimeout(() => slow.abort(new DOMException('no answer in time', 'TimeoutError')), timeoutMs)
    return fetch(addressOf(url, call), {
      method: call.method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      redirect: 'error',
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    }).finally(() => clearTimeout(timer))
  }

  return async <T>(call: Call): Promise<T> => {
    const tries = call.repeatable ? retries : 0
    for (let tried = 0; ; tried += 1) {
      let response: Response | null = null
      try {
        response = await attempt(call)
        if (response.ok && call.asFile === true) return response.body as T
        if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T
        if (tried >= tries || !PASSING.has(response.status)) throw await readError(response)
        response.body?.cancel().catch(() => undefined)
      } catch (error) {
        if (error instanceof CashierError || tried >= tries || call.signal?.aborted) throw error
      }
      await pause(waitMs(tried, response), call.signal)
    }
  }
}
