/** A place in a list: the time and serial number of a row. Opaque on the wire. */
export interface Place {
  readonly insertedAt: number
  readonly seq: number
}

export const cursorOf = ({ insertedAt, seq }: Place): string =>
  Buffer.from(`${String(insertedAt)}.${String(seq)}`).toString('base64url')

/** Null for a text that this sandbox never gave out as a cursor. */
export function placeOf(cursor: string): Place | null {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match) return null
  const place = { insertedAt: Number(match[1]), seq: Number(match[2]) }
  return cursorOf(place) === cursor ? place : null
}
