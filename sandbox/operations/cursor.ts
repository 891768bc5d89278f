/** A position in a list: the time and sequence number of a row. Opaque for clients. */
export interface CursorPosition {
  readonly insertedAt: number
  readonly seq: number
}

export const encodeCursor = ({ insertedAt, seq }: CursorPosition): string =>
  Buffer.from(`${String(insertedAt)}.${String(seq)}`).toString('base64url')

/** Null for a text that is not a cursor of this sandbox. */
export function decodeCursor(cursor: string): CursorPosition | null {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match) return null
  const position = { insertedAt: Number(match[1]), seq: Number(match[2]) }
  return encodeCursor(position) === cursor ? position : null
}
