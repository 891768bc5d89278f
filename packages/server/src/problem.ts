import type { Problem } from './api-types.ts'

/** The code of a problem, or `unreadable` for an answer that is no problem. */
export type RefusalCode = Problem['code'] | 'unreadable'

/** The cashier refused a call. Switch on `code`; the message is for people. */
export class CashierError extends Error {
  override readonly name = 'CashierError'
  readonly status: number
  readonly code: RefusalCode
  /** What is allowed, by the name of the wrong field. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Quote it to the operator of the cashier. */
  readonly requestId: string | null

  constructor(status: number, code: RefusalCode, detail: string, more: Partial<Problem> = {}) {
    super(`${code}: ${detail}`)
    this.status = status
    this.code = code
    this.errors = more.errors ?? {}
    this.requestId = more.request_id ?? null
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string' && 'detail' in value

/** The error for a failed answer. */
export async function readError(response: Response): Promise<CashierError> {
  const body: unknown = await response.json().catch(() => null)
  if (!isProblem(body))
    return new CashierError(response.status, 'unreadable', `the answer has status ${response.status}`)
  return new CashierError(response.status, body.code, body.detail, body)
}
