import type { AlarmAction } from '../lifecycle/alarm-actions.ts'
import type { Reply } from '../operations/reply.ts'

/** How a call ends for the caller. */
export type Outcome =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | {
      readonly kind: 'raw'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  /** The connection is closed without an answer. */
  | { readonly kind: 'cut' }
  /** The connection is closed in the middle of the answer. */
  | { readonly kind: 'cut_mid_reply'; readonly reply: Reply }
  /** No answer while the connection stays open. */
  | { readonly kind: 'silence' }

/** What a fault does to a list. */
export interface ListTwist {
  /** No page is longer than this, whatever was asked. */
  readonly clampTo: number | null
  /** Rows younger than this are not shown yet. */
  readonly lagMs: number
  /** The next page's cursor is the one that was sent. */
  readonly repeatCursor: boolean
  /** Added to `total_count`. */
  readonly countOff: number
}

/** What a fault does to a withdrawal. */
export interface PayoutTwist {
  readonly needsApproval: boolean
  readonly tooSmall: boolean
  readonly refusal: { readonly httpStatus: number; readonly message: string; readonly failed: boolean } | null
  readonly later: { readonly action: AlarmAction; readonly afterMs: number } | null
}

export const NO_LIST_TWIST: ListTwist = { clampTo: null, lagMs: 0, repeatCursor: false, countOff: 0 }
export const NO_PAYOUT_TWIST: PayoutTwist = { needsApproval: false, tooSmall: false, refusal: null, later: null }

/** All that a fault does to one call. */
export interface Effects {
  readonly delayBeforeMs: number
  /** Ends the call before the operation runs. */
  readonly before: Outcome | null
  readonly list: ListTwist
  readonly payout: PayoutTwist
  readonly delayAfterMs: number
  /** Ends the call otherwise after the operation ran. */
  readonly after: ((reply: Reply) => Outcome) | null
}

export const NO_EFFECTS: Effects = {
  delayBeforeMs: 0,
  before: null,
  list: NO_LIST_TWIST,
  payout: NO_PAYOUT_TWIST,
  delayAfterMs: 0,
  after: null,
}
