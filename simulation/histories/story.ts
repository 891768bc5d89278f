/** What happens at the gateway, the messages about it, and the truth that the books must agree with. */
import type { JsonObject, Reply } from './wire.ts'

export interface WithdrawalPlan {
  readonly id: string
  readonly amount: string
  readonly to: string
}

export interface SessionPlan {
  readonly id: string
  /** Null if the gateway's reply, which gives the key, was lost. */
  readonly key: string | null
  readonly fiat: string
}

/** When a message arrives that belongs to none of the first minutes: between which reads of the whole list. */
export type Late = 'first-scan' | 'second-scan' | 'overdue'

export type What =
  | { readonly kind: 'request'; readonly withdrawal: WithdrawalPlan }
  | { readonly kind: 'reply'; readonly withdrawal: string; readonly reply: Reply; readonly clockOffsetMs: number }
  | { readonly kind: 'webhook'; readonly body: JsonObject }
  /** The user's list shows this record. */
  | { readonly kind: 'listed'; readonly record: JsonObject }

/** What a field means, whatever its name in a message. */
export type Role =
  | 'user'
  | 'merchant'
  | 'currency id'
  | 'currency code'
  | 'network'
  | 'amount'
  | 'fiat amount'
  | 'fiat currency'
  | 'address'
  | 'hash'
  | 'key'
  | 'session'
  | 'time'
  | 'status'
  | 'type'
  | 'uuid'
  | 'approval'

export interface Message {
  readonly name: string
  readonly what: What
  /** The messages that must have come before. */
  readonly after: readonly string[]
  /** It exists only if this withdrawal was sent. */
  readonly ifSent?: string
  readonly late?: Late
  /** The record that it shows, by the name of its transaction, and its place in that record's life. */
  readonly entry?: string
  /** The whole list shows the record as it was before a perturbation. */
  readonly later?: JsonObject
}

/** The name of a transaction whose uuid a message lacks: a line about it has no uuid. */
export const UNNAMED = 'unnamed'

/** Money that arrived for the user. */
export interface Arrival {
  /** The transactions that tell of it: a purchase and its deposit are one arrival. */
  readonly uuids: readonly string[]
  /** `0` if nothing has arrived in the end. */
  readonly amount: string
  /** The message that alone tells the amount. */
  readonly toldBy?: string
}

/** A payout that the gateway made. */
export interface Departure {
  /** Its uuid; two if a message names it by another. */
  readonly uuids: readonly string[]
  /** Whether the money is gone in the end. */
  readonly left: boolean
  /** It exists only if this withdrawal was sent. */
  readonly ifSent: string | null
}

export interface HistoryScene {
  readonly name: string
  readonly messages: readonly Message[]
  readonly sessions: readonly SessionPlan[]
  readonly arrivals: readonly Arrival[]
  readonly departures: readonly Departure[]
  /** What the user has at the start, by an adjustment. */
  readonly funds: string
  /** What another user waits for, which the gateway has accepted and does not pay; null: nothing. */
  readonly alike: WithdrawalPlan | null
  /** Entries that the whole list lacks from the second read on. */
  readonly vanished: readonly string[]
  /** Whether everything ends by itself, so that no person is asked. */
  readonly calm: boolean
  /** The fields that alone tell what is wrong, so they are not changed. */
  readonly telling: readonly Role[]
}
