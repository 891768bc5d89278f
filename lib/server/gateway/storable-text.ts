/** Texts of the gateway's that every database can store. PostgreSQL's text holds no NUL, and no half of a surrogate pair. */

/** Names are found by an index, and one of PostgreSQL holds 2,700 bytes a row. */
export const LONGEST_NAME = 256

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The text without what cannot be stored. */
export const storableText = (text: string): string =>
  isStorable(text) ? text : text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '')

/** True for a text by which something may be stored and found. */
export const isStorableName = (text: string): boolean => text.length <= LONGEST_NAME && isStorable(text)
