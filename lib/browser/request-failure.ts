/** How a call to the API can fail. Screens choose their message by the code. */
import { isProblemCode, type ProblemCode } from '#lib/contract/problems.ts'

/** The API's problem codes, and three of the page: no response (`offline`, `timeout`), or an unreadable response. */
export type FailureCode = ProblemCode | 'offline' | 'timeout' | 'unreadable'

export interface FailureDetails {
  /** For support; null without a response. */
  readonly requestId: string | null
  /** The server's message for people; for a declined withdrawal, the merchant's message. */
  readonly detail?: string
  readonly retryAfterS?: number
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly withdrawalId?: string
}

export class RequestFailure extends Error {
  readonly code: FailureCode
  readonly details: FailureDetails

  constructor(code: FailureCode, details: FailureDetails, cause?: unknown) {
    super(code, { cause })
    this.name = 'RequestFailure'
    this.code = code
    this.details = details
  }
}

const OWN_CODES = ['offline', 'timeout', 'unreadable'] as const
type OwnCode = (typeof OWN_CODES)[number]
const isOwnCode = (text: string): text is OwnCode => (OWN_CODES as readonly string[]).includes(text)

/** A code that only a newer server knows counts as `internal`. */
export const failureCode = (text: string): FailureCode => (isProblemCode(text) || isOwnCode(text) ? text : 'internal')

const UNANSWERED: ReadonlySet<FailureCode> = new Set(['offline', 'timeout'])

/** No response arrived, so another attempt may succeed. */
export const isUnanswered = (error: unknown): boolean => error instanceof RequestFailure && UNANSWERED.has(error.code)

/** True if the session has ended or belongs to another browser: nothing on the page can work. */
export const endsSession = (error: unknown): error is RequestFailure =>
  error instanceof RequestFailure && (error.code === 'unauthenticated' || error.code === 'session_ended')
