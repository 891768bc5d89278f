/** The story of a transaction or a withdrawal: who said what and when, what followed, and what happens next. */
import * as z from 'zod/mini'
import { WITHDRAWAL_RULE_NAMES, WITHDRAWAL_STATUSES } from '../cashier.ts'

export const STORY_KINDS = ['withdrawal', 'deposit', 'payout', 'onramp', 'unknown'] as const
export type StoryKind = (typeof STORY_KINDS)[number]

/** The statuses of withdrawals and of the gateway's transactions. */
export const STORY_STATUSES = [...WITHDRAWAL_STATUSES, 'pending', 'other'] as const
const status = z.enum(STORY_STATUSES)

/** What two sources may tell differently. */
export const STORY_FIELDS = [
  'user',
  'currency',
  'amount',
  'paid',
  'to_address',
  'from_address',
  'hash',
  'transaction',
] as const
export type StoryField = (typeof STORY_FIELDS)[number]

/**
 * Who told a value. `asked`: the user's request; `reply`: the gateway's reply to our call; `list`: its list; `held`: an
 * event in quarantine, which was not applied; `session`: what the user started to buy.
 */
export const STORY_SOURCES = ['asked', 'reply', 'session', 'held', 'event', 'list', 'deposit', 'purchase'] as const
export type StorySource = (typeof STORY_SOURCES)[number]

export const VERDICTS = ['agree', 'unknown', 'differ'] as const
export type StoryVerdict = (typeof VERDICTS)[number]

/** One field as each source tells it. `unknown`: fewer than two tell it. */
const comparison = z.object({
  field: z.enum(STORY_FIELDS),
  verdict: z.enum(VERDICTS),
  values: z.array(z.object({ source: z.enum(STORY_SOURCES), value: z.string() })),
})
export type StoryComparison = z.output<typeof comparison>

/** Standing of a transaction: whether it may be booked. */
const STORY_STANDINGS = ['confirmed', 'unconfirmed', 'withheld', 'before', 'disputed'] as const

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
  status,
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

const entry = z.discriminatedUnion('kind', [
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
export type StoryEntry = z.output<typeof entry>

/** What would be expected in a story of this kind, and is not there. */
export const STORY_GAPS = [
  'event',
  'record',
  'record_elsewhere',
  'reply',
  'owner',
  'user',
  'deposit',
  'hash',
  'session',
  'transaction',
  'raw_event',
  'vanished',
] as const
export type StoryGap = (typeof STORY_GAPS)[number]

const NEXT_STEPS = [
  'decision',
  'wait',
  'reply',
  'list_read',
  'list_being_read',
  'absence_check',
  'absence_proof',
  'overdue',
  'overdue_told',
  'deposit',
  'owner',
  'person',
  'release',
  'delivery',
  'delivery_dead',
  'delivery_gives_up',
] as const

/** What happens next, and when. */
const nextStep = z.object({
  what: z.enum(NEXT_STEPS),
  /** ISO 8601; null: as soon as possible, or when somebody acts. */
  at: z.nullable(z.string()),
  /** Complete reads that lacked it so far; failed attempts so far. */
  count: z.nullable(z.number()),
  /** The reason of the line for a person. */
  reason: z.nullable(z.string()),
  /** Where it is settled: a line in quarantine, a payout, a delivery. */
  id: z.nullable(z.string()),
})
export type NextStep = z.output<typeof nextStep>

const storyTransaction = z.object({
  transaction_uuid: z.string(),
  kind: z.nullable(z.enum(['deposit', 'payout', 'onramp'])),
  status: z.nullable(z.string()),
  standing: z.nullable(z.enum(STORY_STANDINGS)),
  amount: z.nullable(z.string()),
  currency_code: z.nullable(z.string()),
  network: z.nullable(z.string()),
  /** What the user was credited for it, perhaps `0`; null: it credits nothing, or the merchant keeps the books. */
  credited: z.nullable(z.string()),
})
export type StoryTransaction = z.output<typeof storyTransaction>

export const storySchema = z.object({
  kind: z.enum(STORY_KINDS),
  status: z.nullable(status),
  user_reference_id: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  currency_code: z.nullable(z.string()),
  network: z.nullable(z.string()),
  to_address: z.nullable(z.string()),
  from_address: z.nullable(z.string()),
  tx_hash: z.nullable(z.string()),
  withdrawal_id: z.nullable(z.string()),
  session_id: z.nullable(z.string()),
  /** What belongs together, the one that was asked for first. */
  transactions: z.array(storyTransaction),
  /** Oldest first. */
  entries: z.array(entry),
  comparisons: z.array(comparison),
  missing: z.array(z.enum(STORY_GAPS)),
  next: z.array(nextStep),
  /** The control totals of the user differ, and this is among what explains it. */
  totals_differ: z.boolean(),
  /** Older entries of some kind are left out. */
  is_cut: z.boolean(),
  /** When it was read; ISO 8601. */
  read_at: z.string(),
})
export type Story = z.output<typeof storySchema>
