/** The entries of a story: what was said, done and told, and when. */
import * as z from 'zod/mini'
import { WITHDRAWAL_RULE_NAMES, WITHDRAWAL_STATUSES } from '../cashier.ts'
import { STORY_FIELDS } from './story-comparison.ts'

/** The statuses of withdrawals and of the gateway's transactions. */
export const STORY_STATUSES = [...WITHDRAWAL_STATUSES, 'pending', 'other'] as const
export const storyStatusSchema = z.enum(STORY_STATUSES)

const shared = {
  /** Unique in the story. */
  key: z.string(),
  /** ISO 8601 */
  at: z.string(),
  /** The transaction or withdrawal that it is about, by its id; null: the whole story. */
  about: z.nullable(z.string()),
}
const differs = z.array(z.enum(STORY_FIELDS))
const money = { amount: z.string(), currency_code: z.string(), network: z.string() }

/** What brought a withdrawal's status. */
export const WITHDRAWAL_CAUSES = [
  'requested',
  'approved',
  'declined',
  'postponed',
  'accepted',
  'refused',
  'error_reply',
  'uncertain',
  'payout',
  'absent',
  'not_sent',
  'cancelled',
  'found_again',
  'restored',
] as const

const POSTING_KINDS = ['credit', 'reversal', 'hold', 'release', 'payout', 'late_payout', 'adjustment'] as const

const account = z.enum(['available', 'held', 'gateway', 'merchant'])

const requested = z.object({
  ...shared,
  kind: z.literal('requested'),
  ...money,
  address: z.string(),
  /** The rules that caught it. */
  review: z.array(z.enum(WITHDRAWAL_RULE_NAMES)),
  /** Before this time it is not sent; ISO 8601. */
  wait_until: z.nullable(z.string()),
})

const purchaseStarted = z.object({
  ...shared,
  kind: z.literal('purchase_started'),
  ...money,
  session_id: z.string(),
  /** Of `amount`. */
  fiat_currency: z.string(),
  country: z.string(),
  /** The user's own address to which the coins go; null: to the account. */
  wallet_address: z.nullable(z.string()),
})

/** A signed message of the gateway. */
const event = z.object({
  ...shared,
  kind: z.literal('event'),
  event_name: z.nullable(z.string()),
  status: z.nullable(z.string()),
  /** By its `X-Timestamp`; null if the message is no longer kept as it came. */
  sent_at: z.nullable(z.string()),
  /** `applied`, `seen` before, or why it was not applied. */
  outcome: z.string(),
  /** Its line in quarantine. */
  quarantine_id: z.nullable(z.number()),
  differs,
  /** The body as received; null if it is no longer kept. */
  raw: z.nullable(z.string()),
})

/** What the gateway's list said. */
const record = z.object({
  ...shared,
  kind: z.literal('record'),
  /** `seen`: it said this status for the first time; `last`: the record as last stored. */
  how: z.enum(['seen', 'last', 'misplaced', 'taken_back']),
  status: z.string(),
  differs,
  /** The record as JSON; null if only what it meant is kept. */
  raw: z.nullable(z.string()),
})

const state = z.object({
  ...shared,
  kind: z.literal('state'),
  status: storyStatusSchema,
  cause: z.enum([...WITHDRAWAL_CAUSES, 'told']),
  /** The words for the user that came with it. */
  words: z.nullable(z.string()),
})

const posting = z.object({
  ...shared,
  kind: z.literal('posting'),
  ...money,
  booking: z.enum(POSTING_KINDS),
  posting_key: z.string(),
  from: account,
  to: account,
})

/** A call about a withdrawal: to the gateway, or to ask the merchant. */
const call = z.object({
  ...shared,
  kind: z.literal('call'),
  purpose: z.enum(['authorize', 'withdraw']),
  ended_at: z.string(),
  /** HTTP status; null without a reply. */
  status: z.nullable(z.number()),
  fault: z.nullable(z.string()),
  request: z.nullable(z.string()),
  reply: z.nullable(z.string()),
})

/** A call to the gateway of which nothing is kept. */
const callUnkept = z.object({
  ...shared,
  kind: z.literal('call_unkept'),
  /** Null while it is under way. */
  ended_at: z.nullable(z.string()),
})

const resolution = z.object({
  ...shared,
  kind: z.literal('resolution'),
  outcome: z.enum(['sent', 'not_sent']),
  note: z.nullable(z.string()),
})

/** A person was asked, or is told: a line in quarantine that is no event. */
const reported = z.object({
  ...shared,
  kind: z.literal('reported'),
  quarantine_id: z.number(),
  reason: z.string(),
  raw: z.string(),
})

const settled = z.object({
  ...shared,
  kind: z.literal('settled'),
  quarantine_id: z.number(),
  reason: z.string(),
  /** `system`, or who did it. */
  by: z.string(),
  note: z.nullable(z.string()),
})

const STORY_OWNERS = ['withdrawal', 'acknowledged', 'before'] as const

const owner = z.object({
  ...shared,
  kind: z.literal('owner'),
  owner: z.enum(STORY_OWNERS),
  withdrawal_id: z.nullable(z.string()),
  note: z.nullable(z.string()),
})

const delivery = z.object({
  ...shared,
  kind: z.literal('delivery'),
  cursor: z.number(),
  /** The status that the event tells. */
  status: z.string(),
  state: z.enum(['delivered', 'pending', 'dead']),
  /** How often it has failed since it was queued. */
  failures: z.number(),
  /** What is still kept of the attempts, oldest first. */
  attempts: z.array(
    z.object({
      at: z.string(),
      ended_at: z.string(),
      /** The status of the reply, or in a word why none came. */
      outcome: z.string(),
      error: z.nullable(z.string()),
      reply: z.nullable(z.string()),
    }),
  ),
  raw: z.string(),
})

/** An act of an operator in the console. */
const act = z.object({
  ...shared,
  kind: z.literal('act'),
  action: z.string(),
  operator: z.string(),
  reason: z.nullable(z.string()),
  /** What became of it; null: that is not stored, or it has not ended. */
  outcome: z.nullable(z.enum(['done', 'refused', 'failed'])),
})

export const storyEntrySchema = z.discriminatedUnion('kind', [
  requested,
  purchaseStarted,
  event,
  record,
  state,
  posting,
  call,
  callUnkept,
  resolution,
  reported,
  settled,
  owner,
  delivery,
  act,
])
export type StoryEntry = z.output<typeof storyEntrySchema>
