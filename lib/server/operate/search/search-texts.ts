import { comparableHash } from '#lib/addresses/index.ts'
import { canonicalId } from '#lib/contract/canonical-id.ts'
import { SHORTEST_PREFIX } from '#lib/contract/operate/search.ts'
import type { SearchText } from '../../store/types.ts'

/** What a text may mean. */
export interface SearchTexts {
  /** As it was typed, and with the case that ids have; each whole and, if it is long enough, as a beginning. */
  readonly ids: readonly SearchText[]
  readonly hashes: readonly SearchText[]
  readonly addresses: readonly SearchText[]
  /** A number of the quarantine; null if it is none. */
  readonly number: number | null
  /** A number of the merchant's feed, also within a cursor. */
  readonly cursor: number | null
}

/** Hexadecimal hashes ignore case, all others keep theirs, as on a network that is not known. */
const NO_NETWORK = ''
const PRINTABLE = /^[!-~]+$/
const UUID_LIKE = /^[0-9A-F-]+$/i
const NUMBER = /^\d{1,15}$/
/** A cursor that the feed gave (`merchant/feed-cursor.ts`), or a plain number. */
const CURSOR = /^(?:[0-9a-f]{24}-)?(\d{1,15})$/

const numberOf = (text: string | undefined): number | null =>
  text !== undefined && NUMBER.test(text) ? Number(text) : null

/** Whole, and as a beginning: an index finds it by the order of its bytes, so it must be printable ASCII. */
const bothWays = (texts: readonly string[]): readonly SearchText[] =>
  [...new Set(texts)].flatMap((text) => {
    const mayBegin = text.length >= SHORTEST_PREFIX && PRINTABLE.test(text)
    return [{ text, isPrefix: false }, ...(mayBegin ? [{ text, isPrefix: true }] : [])]
  })

/** What to look for when this was typed. */
export function searchTexts(typed: string): SearchTexts {
  const text = typed.trim()
  return {
    ids: bothWays([text, UUID_LIKE.test(text) ? text.toLowerCase() : canonicalId(text)]),
    hashes: text.length < SHORTEST_PREFIX ? [] : bothWays([comparableHash(NO_NETWORK, text)]),
    addresses: text.length < SHORTEST_PREFIX ? [] : bothWays([text.toLowerCase()]),
    number: numberOf(text),
    cursor: numberOf(CURSOR.exec(text)?.[1]),
  }
}
