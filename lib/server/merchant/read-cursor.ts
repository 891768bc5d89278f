import { Problem } from '#lib/contract/problems.ts'

/** Cursors are decimal text to others; what is none was never given by us. */
const CURSOR = /^\d{1,15}$/

/** The place that a cursor names; null, before the first page, is zero. Throws `invalid_request` under `field`. */
export function readCursor(text: string | null, field: string): number {
  if (text === null) return 0
  if (CURSOR.test(text)) return Number(text)
  throw new Problem('invalid_request', 'The cursor is not one of ours.', {
    errors: { [field]: ['must be a cursor as an earlier answer gave it'] },
  })
}
