/**
 * Makes the gateway's texts storable in every database. PostgreSQL's text type takes no NUL and no half surrogate pair.
 */

/** Names are found by an index; PostgreSQL's index entries hold at most 2,700 bytes. */
export const LONGEST_NAME = 256

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The text without the characters that cannot be stored. */
export const storableText = (text: string): string =>
  isStorable(text) ? text : text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '')

/** True for a text under which something can be stored and found. */
export const isStorableName = (text: string): boolean => text.length <= LONGEST_NAME && isStorable(text)

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A transaction's id in one spelling: two messages may write a UUID in different cases. */
export const transactionId = (id: string): string => (UUID.test(id) ? id.toLowerCase() : id)
