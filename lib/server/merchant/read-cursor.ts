import { Problem } from '#lib/contract/problems.ts'

/** Cursors of lists are decimal text. */
const CURSOR = /^\d{1,15}$/

export const invalidCursor = (field: string): Problem =>
  new Problem('invalid_request', 'The cursor is not valid.', {
    errors: { [field]: ['must be a cursor from an earlier answer'] },
  })

/** A position in a list that is newest first: the time and id of the last row on a page. */
export interface Place {
  readonly ms: number
  readonly id: string
}

/** The place before the newest. */
const START: Place = { ms: Number.MAX_SAFE_INTEGER, id: '' }

const PLACE = /^(\d{1,16})-(.*)$/

/** The cursor of a place, for `readPlace`. */
export const writePlace = ({ ms, id }: Place): string => `${ms}-${id}`

/** The place of a cursor; before the newest for null. @throws Problem `invalid_request` under `field` */
export function readPlace(text: string | null, field: string): Place {
  if (text === null) return START
  const [, time, id] = PLACE.exec(text) ?? []
  if (time !== undefined && id !== undefined && Number(time) <= START.ms) return { ms: Number(time), id }
  throw invalidCursor(field)
}

/** The number of a cursor; 0 for null (before the first page). @throws Problem `invalid_request` under `field` */
export function readCursor(text: string | null, field: string): number {
  if (text === null) return 0
  if (CURSOR.test(text)) return Number(text)
  throw invalidCursor(field)
}
