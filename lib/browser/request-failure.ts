/** How a call to the BFF may fail, for screens to choose words by. */
import { isProblemCode, type ProblemCode } from '#lib/contract/problems.ts'

/** Ours: nothing came back (`offline`, `timeout`), or what came cannot be read. The rest are the BFF's problem codes. */
export type FailureCode = ProblemCode | 'offline' | 'timeout' | 'unreadable'

export interface FailureFacts {
  /** What support asks for; null where no answer came. */
  readonly requestId: string | null
  /** The server's words for people; of a decline, the merchant's. */
  readonly detail?: string
  readonly retryAfterS?: number
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly withdrawalId?: string
}

export class RequestFailure extends Error {
  readonly code: FailureCode
  readonly facts: FailureFacts

  constructor(code: FailureCode, facts: FailureFacts, cause?: unknown) {
    super(code, { cause })
    this.name = 'RequestFailure'
    this.code = code
    this.facts = facts
  }
}

const OWN_CODES = ['offline', 'timeout', 'unreadable'] as const
type OwnCode = (typeof OWN_CODES)[number]
const isOwnCode = (text: string): text is OwnCode => (OWN_CODES as readonly string[]).includes(text)

/** A code from the server that a newer version may know and this one does not is an error like any. */
export const failureCode = (text: string): FailureCode => (isProblemCode(text) || isOwnCode(text) ? text : 'internal')

/** The session is over, or was never this browser's: nothing else on the page can work. */
export const endsSession = (error: unknown): error is RequestFailure =>
  error instanceof RequestFailure && (error.code === 'unauthenticated' || error.code === 'session_ended')
