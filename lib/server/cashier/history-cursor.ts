import * as z from 'zod/mini'
import { Problem } from '#lib/contract/problems.ts'

/**
 * A place in a user's history for which the gateway has no cursor: a row of ours, or any row of a page that came from
 * the store. Paging continues from this place whether the gateway is reachable or not.
 */
export interface HistoryPlace {
  /** The user whose history it is. */
  readonly user: string
  /** The row's name. Its time is used once no row has that name. */
  readonly name: string
  readonly insertedMs: number
  /**
   * The gateway's cursor of this row or of the record before it; null if there is none: this row is then before the
   * gateway's list.
   */
  readonly after: string | null
  /** The gateway's cursor of this row or of the record after it; null if none is known. */
  readonly before: string | null
  /** True if a first page of the gateway's list has shown our own rows, including older ones. */
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

/** The cursor of a place, for the page; `readCursorOf` reads it again. */
export const placeCursor = ({ user, name, insertedMs, after, before, oursShown }: HistoryPlace): string =>
  PREFIX + Buffer.from(JSON.stringify([user, name, insertedMs, after, before, oursShown])).toString('base64url')

/** The problem of a cursor that cannot be used, with the reason for its field. */
export const badCursor = (side: 'after' | 'before', why: string): Problem =>
  new Problem('invalid_request', `Not valid: ${side}.`, { errors: { [side]: [why] } })

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

/** A cursor that a page has given: a place of ours, or the gateway's own cursor, which is passed on unread. */
export type HistoryCursor = HistoryPlace | string

/**
 * @throws Problem `invalid_request` for a cursor that has our prefix and cannot be read, or belongs to another user's
 * history
 */
export function readCursorOf(user: string, side: 'after' | 'before', cursor: string): HistoryCursor {
  if (!cursor.startsWith(PREFIX)) return cursor
  const parsed = z.safeParse(placeSchema, decoded(cursor.slice(PREFIX.length)))
  if (!parsed.success || parsed.data[0] !== user) throw badCursor(side, 'is not a cursor of this list')
  const [, name, insertedMs, after, before, oursShown] = parsed.data
  return { user, name, insertedMs, after, before, oursShown }
}
