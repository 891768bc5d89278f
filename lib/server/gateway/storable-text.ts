/**
 * The limits of the gateway's texts, and what makes them storable in every database: PostgreSQL's text type takes no
 * NUL and no half surrogate pair. The limit of an amount is in lib/contract/money.ts.
 */

/** Names are found by an index; PostgreSQL's index entries hold at most 2,700 bytes. */
export const LONGEST_NAME = 256
/** A text that is shown or compared, and a cursor. */
export const LONGEST_TEXT = 2048
/** A link is opened as it is, or not at all. */
export const LONGEST_LINK = 8192
/** Any text of a reply, also in a field that nobody reads; above each limit of a field. */
export const LONGEST_UNREAD = 16_384
/** Numbers, texts, words, objects and arrays of one message: several times those of the longest page. */
export const MOST_VALUES = 25_000
/** Entries of a list in a reply. */
export const MOST_ENTRIES = 2000

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The text without the characters that cannot be stored, cut to `LONGEST_TEXT`. */
export function storableText(text: string): string {
  const short = text.slice(0, LONGEST_TEXT)
  return isStorable(short) ? short : short.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '')
}

/** True for a text under which something can be stored and found. */
export const isStorableName = (text: string): boolean => text.length <= LONGEST_NAME && isStorable(text)
