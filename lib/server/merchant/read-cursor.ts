import { Problem } from '#lib/contract/problems.ts'

/** Cursors of lists are decimal text. */
const CURSOR = /^\d{1,15}$/

export const invalidCursor = (field: string): Problem =>
  new Problem('invalid_request', 'The cursor is not valid.', {
    errors: { [field]: ['must be a cursor from an earlier answer'] },
  })

/** The number of a cursor; 0 for null (before the first page). Throws `invalid_request` under `field`. */
export function readCursor(text: string | null, field: string): number {
  if (text === null) return 0
  if (CURSOR.test(text)) return Number(text)
  throw invalidCursor(field)
}
