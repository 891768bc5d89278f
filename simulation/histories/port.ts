/** The cashier as a history sees it: a state, and what each message or read makes of it. */
import type { Reply } from './wire.ts'
import type { HistoryScene, What, WithdrawalPlan } from './story.ts'

/** A state never changes. Equal states have an equal number. */
export interface State {
  readonly id: number
}

/** What an outsider sees of the ledger. Amounts are decimal strings. */
export interface Books {
  readonly balances: readonly { readonly currency: string; readonly available: string; readonly held: string }[]
  /** The sum of what was credited for each transaction. */
  readonly credits: readonly Credit[]
  readonly withdrawals: readonly BookedWithdrawal[]
  /** The payouts that nobody owns. */
  readonly unowned: readonly string[]
  /** What a person has called none of ours, and has not failed. */
  readonly acknowledged: readonly { readonly currency: string; readonly amount: string }[]
  /** The open lines of the quarantine. */
  readonly lines: readonly OpenLine[]
}

/** What one user was credited for one transaction. */
export interface Credit {
  readonly user: string
  readonly uuid: string
  readonly currency: string
  readonly amount: string
}

export interface BookedWithdrawal {
  readonly id: string
  readonly status: string
  readonly attention: string | null
  readonly amount: string
  readonly currency: string
  /** Whether its amount is held or was paid, by its postings. */
  readonly money: 'held' | 'paid' | 'released'
  readonly uuid: string | null
  /** Why it failed; `not_sent` if its absence was proved, or a person said so. */
  readonly reason: string | null
  /** The first call, or the question to the merchant, is under way, or its outcome is unknown. */
  readonly uncertain: boolean
}

/** A line about several transactions stands once for each. */
export interface OpenLine {
  readonly reason: string
  readonly uuid: string | null
}

/** A read of the user's whole list. */
export interface WholeRead {
  readonly at: number
  readonly records: readonly string[]
}

/** A decision of a person about a withdrawal. */
export type Resolution =
  { readonly outcome: 'sent'; readonly transaction_uuid: string } | { readonly outcome: 'not_sent' }

/** Whose a payout is, as a person says. */
export type Ownership = { readonly withdrawal_id: string } | { readonly acknowledged: true; readonly note: string }

export interface Cashier<S extends State = State> {
  /** How it reads a message: two messages that it reads alike have the same effect. */
  readonly reading: (what: What) => string
  readonly start: (scene: HistoryScene) => S
  /** The cashier calls the gateway at once, unless it refuses: then it has no such withdrawal. */
  readonly request: (state: S, now: number, withdrawal: WithdrawalPlan) => S
  readonly reply: (state: S, now: number, withdrawal: string, reply: Reply, clockOffsetMs: number) => S
  /** Webhooks that arrive together. */
  readonly webhooks: (state: S, now: number, bodies: readonly string[]) => S
  /** Reads the newest part of the user's list. */
  readonly list: (state: S, now: number, records: readonly string[]) => S
  /** Reads the user's whole list. */
  readonly wholeList: (state: S, now: number, records: readonly string[]) => S
  /** Looks for what has waited too long, also for a part of the list that no read could read. */
  readonly deadlines: (state: S, now: number, reads: readonly WholeRead[]) => S
  /** Compares the books with the user's whole list. */
  readonly totals: (state: S, now: number, records: readonly string[]) => S
  /** `POST /api/merchant/withdrawals/{id}/resolution`; null if it is refused and changes nothing. */
  readonly resolve: (
    state: S,
    now: number,
    withdrawal: string,
    resolution: Resolution,
    records: readonly string[],
  ) => S | null
  /** `POST /api/merchant/payouts/{uuid}/owner`; null if it is refused. */
  readonly own: (state: S, now: number, uuid: string, request: Ownership) => S | null
  /** Dismisses every open line. */
  readonly dismiss: (state: S, now: number) => S
  readonly books: (state: S) => Books
}
