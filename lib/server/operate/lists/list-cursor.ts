/** Cursors of the console's lists: opaque text that names a row, by the values that the list is sorted by. */
import * as z from 'zod/mini'
import type { ListSort } from '#lib/contract/operate/list-fields.ts'
import type { ListName } from '#lib/contract/operate/lists.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { ListPlace } from '../../store/types.ts'

/** Where a page begins: after the row of `place`; with `back`, it ends before that row. */
export interface PageStart {
  readonly place: ListPlace
  readonly back: boolean
}

const stored = z.tuple([
  z.string(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])).check(z.minLength(1), z.maxLength(4)),
])

const nameOf = (list: ListName, { by, descending }: ListSort): string => `${list} ${descending ? '-' : ''}${by}`

export const writeListCursor = (list: ListName, sort: ListSort, { place, back }: PageStart): string =>
  Buffer.from(JSON.stringify([nameOf(list, sort), back, place])).toString('base64url')

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown
  } catch {
    return null
  }
}

/** @throws Problem `invalid_request` with `errors.cursor` if the text is not a cursor of this list in this order */
export function readListCursor(list: ListName, sort: ListSort, text: string | null): PageStart | null {
  if (text === null) return null
  const { success, data } = stored.safeParse(parsed(text))
  if (success && data[0] === nameOf(list, sort)) return { back: data[1], place: data[2] }
  throw new Problem('invalid_request', 'The cursor is not valid.', {
    errors: { cursor: ['must be a cursor from an earlier answer about this list in this order'] },
  })
}
