/** What the sources of a story tell of one field each. */
import * as z from 'zod/mini'

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
export const comparisonSchema = z.object({
  field: z.enum(STORY_FIELDS),
  verdict: z.enum(VERDICTS),
  values: z.array(z.object({ source: z.enum(STORY_SOURCES), value: z.string() })),
})
export type StoryComparison = z.output<typeof comparisonSchema>
