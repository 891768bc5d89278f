import type { ScheduledAction } from '../lifecycle/scheduler.ts'
import type { Reply } from '../operations/reply.ts'

/** How a call ends for the client. */
export type CallOutcome =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | {
      readonly kind: 'raw'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  /** The connection is closed without a response. */
  | { readonly kind: 'cut' }
  /** The connection is closed in the middle of the response body. */
  | { readonly kind: 'cut_mid_reply'; readonly reply: Reply }
  /** No response; the connection stays open. */
  | { readonly kind: 'silence' }

/** What a fault does to a list. */
export interface ListEffects {
  /** The largest page, independent of the request. */
  readonly clampTo: number | null
  /** Newer rows are not listed yet. */
  readonly lagMs: number
  /** The end cursor is the cursor of the request, so that the next page is the same. */
  readonly repeatCursor: boolean
  /** Added to `total_count`. */
  readonly countOffset: number
}

/** What a fault does to a withdrawal. */
export interface PayoutEffects {
  readonly needsApproval: boolean
  readonly tooSmall: boolean
  readonly failure: { readonly httpStatus: number; readonly message: string; readonly failed: boolean } | null
  readonly later: { readonly action: ScheduledAction; readonly afterMs: number } | null
}

export const NO_LIST_EFFECTS: ListEffects = { clampTo: null, lagMs: 0, repeatCursor: false, countOffset: 0 }
export const NO_PAYOUT_EFFECTS: PayoutEffects = { needsApproval: false, tooSmall: false, failure: null, later: null }

/** Everything that a fault does to one call. */
export interface Effects {
  readonly delayBeforeMs: number
  /** Ends the call before the operation runs. */
  readonly before: CallOutcome | null
  readonly list: ListEffects
  readonly payout: PayoutEffects
  readonly delayAfterMs: number
  /** Replaces the reply after the operation ran. */
  readonly after: ((reply: Reply) => CallOutcome) | null
}

export const NO_EFFECTS: Effects = {
  delayBeforeMs: 0,
  before: null,
  list: NO_LIST_EFFECTS,
  payout: NO_PAYOUT_EFFECTS,
  delayAfterMs: 0,
  after: null,
}
