/**
 * Reads JSON from outside without losing a digit, with the engine's own parser: numbers are made strings before, which
 * takes half of the time of a reviver. Duplicate keys and nesting that is too deep, which the parser would accept, are
 * found in the text before. Keys written with an escape are replaced before, too: V8 13.6 (Node 24) reads
 * `{"a":1,"\\u0020":""}` with a key of one backslash where it has read `{"a":1,"\\\\":""}` before.
 */
import { decimalFromNumberText } from '#lib/contract/money.ts'

/** Why a body was not read. The message names no content. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault'
}

/** Nested deeper than is read; whether it is JSON was not looked at. */
export class DepthFault extends JsonFault {}

export interface LosslessJsonOptions {
  /** Deepest nesting of objects and arrays that is read; 64 by default. */
  readonly maxDepth?: number
  /** What a number becomes, given its source text; a `Decimal` string by default. */
  readonly readNumber?: (text: string) => unknown
}

const CODE = {
  quote: 0x22,
  backslash: 0x5c,
  minus: 0x2d,
  plus: 0x2b,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  upperE: 0x45,
  lowerE: 0x65,
  colon: 0x3a,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
}

const isDigit = (code: number): boolean => code >= CODE.zero && code <= CODE.nine

const continuesNumber = (code: number): boolean =>
  isDigit(code) ||
  code === CODE.point ||
  code === CODE.minus ||
  code === CODE.plus ||
  code === CODE.lowerE ||
  code === CODE.upperE

/** A part of the text that the parser must not read itself. A key's has its quotes. */
interface Part {
  readonly kind: 'number' | 'escaped key'
  readonly start: number
  readonly end: number
}

interface Structure {
  /** Members written in all objects. */
  readonly members: number
  /** The deepest nesting. */
  readonly depth: number
  /** All numbers, and the keys that are written with an escape, in the text's order. */
  readonly parts: readonly Part[]
}

/** What the text has outside of strings, and its keys with an escape. */
function structureOf(text: string): Structure {
  let members = 0
  let open = 0
  let depth = 0
  const parts: Part[] = []
  let escapedString: Part | null = null
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === CODE.quote) {
      const start = at
      let hasEscape = false
      for (at += 1; at < text.length && text.charCodeAt(at) !== CODE.quote; at += 1)
        if (text.charCodeAt(at) === CODE.backslash) {
          hasEscape = true
          at += 1
        }
      escapedString = hasEscape ? { kind: 'escaped key', start, end: at + 1 } : null
    } else if (code === CODE.colon) {
      members += 1
      if (escapedString) parts.push(escapedString)
      escapedString = null
    } else if (code === CODE.openBrace || code === CODE.openBracket) depth = Math.max(depth, ++open)
    else if (code === CODE.closeBrace || code === CODE.closeBracket) open -= 1
    else if (code === CODE.minus || isDigit(code)) {
      const start = at
      while (continuesNumber(text.charCodeAt(at + 1))) at += 1
      parts.push({ kind: 'number', start, end: at + 1 })
      escapedString = null
    }
  }
  return { members, depth, parts }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const PRIVATE = { first: 0xe000, last: 0xf8ff }
const PRIVATE_OR_ESCAPE = /[\uE000-\uF8FF]|\\u[ef][\da-f]{3}/gi

/**
 * A character of Unicode's private area that the text does not have, not as an escape either: it begins the strings
 * that stand for parts. JSON allows it in a string alone.
 */
function markFor(text: string): string {
  const used = new Set<number>()
  for (const [found] of text.matchAll(PRIVATE_OR_ESCAPE))
    used.add(found.length === 1 ? found.charCodeAt(0) : parseInt(found.slice(2), 16))
  for (let code = PRIVATE.first; code <= PRIVATE.last; code += 1) if (!used.has(code)) return String.fromCharCode(code)
  throw new JsonFault('all 6,400 private characters of Unicode in one text')
}

/** After the mark, begins what stands for a key; a number begins with a digit or a minus. */
const KEY = 'k'

interface MarkedText {
  readonly text: string
  /** The keys that were replaced, by the number that follows `KEY`. */
  readonly keys: readonly string[]
}

/** @throws JsonFault for what is not JSON */
function engineParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new JsonFault('not JSON', { cause })
  }
}

/** The text with each part as a string that begins with the mark: numbers with their digits, keys by their index. */
function markParts(text: string, parts: readonly Part[], mark: string): MarkedText {
  const keys: string[] = []
  let marked = ''
  let from = 0
  for (const { kind, start, end } of parts) {
    const source = text.slice(start, end)
    if (kind === 'number' && !NUMBER.test(source)) throw new JsonFault('not JSON')
    const sign = kind === 'number' ? source : `${KEY}${keys.push(engineParse(source) as string) - 1}`
    marked += `${text.slice(from, start)}"${mark}${sign}"`
    from = end
  }
  return { text: marked + text.slice(from), keys }
}

const setOwn = (members: object, key: string, value: unknown): object =>
  Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true })

function decimalOf(text: string): string {
  const value = decimalFromNumberText(text)
  if (value === null) throw new JsonFault('a number beyond what an amount can be')
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 text, or a `JsonFault` for bad bytes. A byte order mark stays, and JSON does not allow it. */
function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new JsonFault('not UTF-8', { cause })
  }
}

/**
 * Reads UTF-8 JSON. Numbers become decimal strings with every digit that was sent; the rest is as `JSON.parse`
 * gives it (`__proto__` is a plain own key).
 * @throws JsonFault for bad UTF-8, a byte order mark, bad JSON, a key twice in one object, an exponent of more than
 * three digits beside leading zeros, or a text with every private character of Unicode; DepthFault for deeper nesting than `maxDepth`
 */
export function parseLosslessJson(bytes: Uint8Array, options: LosslessJsonOptions = {}): unknown {
  const { maxDepth = 64, readNumber = decimalOf } = options
  const text = textOf(bytes)
  const written = structureOf(text)
  if (written.depth > maxDepth) throw new DepthFault('nested too deep')
  const mark = markFor(text)
  const marked = markParts(text, written.parts, mark)
  const isMarked = (value: unknown): value is string => typeof value === 'string' && value.startsWith(mark)
  let membersKept = 0

  const nameOf = (key: string): string => {
    if (!isMarked(key)) return key
    const name = key[mark.length] === KEY ? marked.keys[Number(key.slice(mark.length + KEY.length))] : undefined
    if (name === undefined) throw new JsonFault('not JSON')
    return name
  }
  const withNames = (members: object): object =>
    Object.entries(members).reduce((named, [key, member]) => setOwn(named, nameOf(key), member), {})

  /** The value with its numbers and keys in place of the strings that stand for them. */
  const read = (value: unknown): unknown => {
    if (isMarked(value)) return readNumber(value.slice(mark.length))
    if (Array.isArray(value)) return value.map(read)
    if (typeof value !== 'object' || value === null) return value
    const members = value as Record<string, unknown>
    const keys = Object.keys(members)
    if (keys.some(isMarked)) return read(withNames(members))
    membersKept += keys.length
    for (const key of keys) {
      const member = members[key]
      if (typeof member === 'object' || isMarked(member)) setOwn(members, key, read(member))
    }
    return members
  }
  const value = read(engineParse(marked.text))
  if (membersKept !== written.members) throw new JsonFault('a key twice')
  return value
}
