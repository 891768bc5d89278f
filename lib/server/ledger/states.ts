/**
 * The states of a transaction as tables: a higher rank replaces a lower one, whatever order they arrive in.
 * Spec: "States and transitions". `failed` of a deposit or payout comes from the list alone (webhooks of it are not
 * shown); `other` is a status of the list that nothing is known of. Money that moved outranks a failure.
 */
export const RANKS = {
  deposit: { other: 0, processing: 1, failed: 2, succeeded: 3 },
  payout: { other: 0, awaiting_approval: 1, processing: 2, failed: 3, succeeded: 4 },
  onramp: { pending: 0, processing: 1, failed: 2, succeeded: 3 },
} as const satisfies Record<string, Record<string, number>>

export type Kind = keyof typeof RANKS

export const KINDS = Object.keys(RANKS) as readonly Kind[]

/** Rank of a status among its kind's, or null where the kind has no such status. */
export function rankOf(kind: Kind, status: string): number | null {
  const ranks: Readonly<Record<string, number>> = RANKS[kind]
  return Object.hasOwn(ranks, status) ? (ranks[status] ?? null) : null
}

/** Kind of a webhook by its `event`, and the statuses that it may tell. */
export const WEBHOOK_EVENTS: Readonly<Record<string, { readonly kind: Kind; readonly statuses: readonly string[] }>> = {
  'User Deposit': { kind: 'deposit', statuses: ['processing', 'succeeded'] },
  'User Payout': { kind: 'payout', statuses: ['processing', 'succeeded'] },
  'User Onramp': { kind: 'onramp', statuses: ['pending', 'processing', 'succeeded', 'failed'] },
}

/** Kind of a record of the list by its `type`. */
export const RECORD_KINDS: Readonly<Record<string, 'deposit' | 'payout'>> = { Deposit: 'deposit', Payout: 'payout' }

export type RecordState = 'processing' | 'awaiting_approval' | 'succeeded' | 'failed' | 'other'

const RECORD_WORDS: readonly (readonly [RegExp, RecordState])[] = [
  [/^TXN_NEW$/, 'processing'],
  [/^TXN_PROVIDER_SUCCEEDED$/, 'succeeded'],
  [/FAIL|REJECT|DECLIN|CANCEL|EXPIR/i, 'failed'],
]

/** How a status word of the list is read (contract section 5): two known ones, failing words, all else `other`. */
export const recordState = (status: string): RecordState =>
  RECORD_WORDS.find(([pattern]) => pattern.test(status))?.[1] ?? 'other'

/** A payout's word that it waits for an approval; which words those are is not shown. */
const AWAITING = /(AWAIT|PENDING|REQUIRE)\w*APPROV/i

/** The same for a payout, whose waiting for an approval we follow. */
export function payoutState(status: string): RecordState {
  const state = recordState(status)
  return state === 'other' && AWAITING.test(status) ? 'awaiting_approval' : state
}
