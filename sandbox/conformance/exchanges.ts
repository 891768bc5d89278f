import type { CallGateway } from './gateway.ts'

/** One call of a check and its answer. Keys and signatures are left out. */
export interface Exchange {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: string
  /** Null if there was no answer; `answer` is then the reason. */
  readonly status: number | null
  readonly answer: string
  readonly took_ms: number
}

const LONGEST_TEXT = 4000

/** Notes each call and its answer. */
export function recordedCalls(call: CallGateway, note: (exchange: Exchange) => void): CallGateway {
  return async (method, path, body, overrides = {}) => {
    const { query = '', rawBody } = overrides
    const started = performance.now()
    const asked = {
      method,
      path: query === '' ? path : `${path}?${query}`,
      body: (rawBody ?? (body === undefined ? '' : JSON.stringify(body))).slice(0, LONGEST_TEXT),
    }
    const took = (): number => Math.round(performance.now() - started)
    try {
      const { status, text, json } = await call(method, path, body, overrides)
      note({ ...asked, status, answer: text.slice(0, LONGEST_TEXT), took_ms: took() })
      return { status, text, json }
    } catch (error) {
      note({ ...asked, status: null, answer: error instanceof Error ? error.message : String(error), took_ms: took() })
      throw error
    }
  }
}
