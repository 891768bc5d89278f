import * as z from 'zod/mini'
import { Problem } from '#lib/contract/problems.ts'

/**
 * A place in a user's history that the gateway has no cursor for: a row of ours, or any row of a page that was answered
 * from the store. It leads on from there whether the gateway is reachable then or not.
 */
export interface HistoryPlace {
  /** Whose history it is a place of. */
  readonly user: string
  /** The row's name, and its time for when no row has that name any more. */
  readonly name: string
  readonly insertedMs: number
  /** The gateway's cursor of this row, or of the record before it; null: there is none, so its list begins after it. */
  readonly after: string | null
  /** The gateway's cursor of this row, or of the record after it; null: none is known. */
  readonly before: string | null
  /** True where a first page of the gateway's list has shown our own rows, older ones too. */
  readonly oursShown: boolean
}

const PREFIX = 'local:'

const placeSchema = z.tuple([
  z.string(),
  z.string(),
  z.int(),
  z.nullable(z.string()),
  z.nullable(z.string()),
  z.boolean(),
])

export const placeCursor = ({ user, name, insertedMs, after, before, oursShown }: HistoryPlace): string =>
  PREFIX + Buffer.from(JSON.stringify([user, name, insertedMs, after, before, oursShown])).toString('base64url')

export const badCursor = (side: 'after' | 'before', why: string): Problem =>
  new Problem('invalid_request', `Not valid: ${side}.`, { errors: { [side]: [why] } })

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

/** A cursor that a page has given: a place of ours, or the gateway's own, which is not looked into. */
export type HistoryCursor = HistoryPlace | string

/** Throws `invalid_request` for one that begins like ours and is none, or is of another user's history. */
export function readCursorOf(user: string, side: 'after' | 'before', cursor: string): HistoryCursor {
  if (!cursor.startsWith(PREFIX)) return cursor
  const parsed = z.safeParse(placeSchema, decoded(cursor.slice(PREFIX.length)))
  if (!parsed.success || parsed.data[0] !== user) throw badCursor(side, 'is not a cursor of this list')
  const [, name, insertedMs, after, before, oursShown] = parsed.data
  return { user, name, insertedMs, after, before, oursShown }
}
