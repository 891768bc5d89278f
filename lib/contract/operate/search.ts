/** The search of the console: one text that may be any id. */
import * as z from 'zod/mini'

/** What a search finds; each kind is a group of the results, in this order. */
export const SEARCH_KINDS = [
  'user',
  'transaction',
  'withdrawal',
  'payout',
  'purchase',
  'session',
  'address',
  'adjustment',
  'quarantine',
  'delivery',
] as const
const searchKind = z.enum(SEARCH_KINDS)

/** Shorter texts find whole ids only. */
export const SHORTEST_PREFIX = 6

export const searchQuery = z.object({
  q: z.string().check(z.trim(), z.minLength(1, { error: 'must not be empty' }), z.maxLength(200)),
})
export type SearchQuery = z.output<typeof searchQuery>

const searchHit = z.object({
  kind: searchKind,
  /** Its id, as its page has it. */
  id: z.string(),
  /** The page below `/operate` that tells of it, such as `/users/u-1`. */
  page: z.string(),
  /** By what it was found: the whole of it, or the beginning. */
  by: z.enum(['id', 'transaction', 'hash', 'address', 'reference', 'request', 'number']),
  exact: z.boolean(),
  status: z.nullable(z.string()),
  /** A decimal string. */
  amount: z.nullable(z.string()),
  currency_code: z.nullable(z.string()),
  network: z.nullable(z.string()),
  user_reference_id: z.nullable(z.string()),
  /** ISO time: of a user when seen last, else when it began. */
  at: z.nullable(z.string()),
})
export type SearchHit = z.output<typeof searchHit>

export const searchReply = z.object({
  q: z.string(),
  groups: z.array(z.object({ kind: searchKind, hits: z.array(searchHit), more: z.boolean() })),
  /** The page to show at once, if the text names one thing. */
  go: z.nullable(z.string()),
})
export type SearchReply = z.output<typeof searchReply>
