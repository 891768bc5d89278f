/** The story of a transaction or a withdrawal: who said what and when, what followed, and what happens next. */
import * as z from 'zod/mini'
import { comparisonSchema } from './story-comparison.ts'
import { storyEntrySchema, storyStatusSchema } from './story-entries.ts'

export const STORY_KINDS = ['withdrawal', 'deposit', 'payout', 'onramp', 'unknown'] as const
export type StoryKind = (typeof STORY_KINDS)[number]

/** Standing of a transaction: whether it may be booked. */
const STORY_STANDINGS = ['confirmed', 'unconfirmed', 'withheld', 'before', 'disputed'] as const

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
  status: z.nullable(storyStatusSchema),
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
  entries: z.array(storyEntrySchema),
  comparisons: z.array(comparisonSchema),
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
