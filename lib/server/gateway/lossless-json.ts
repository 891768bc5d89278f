/**
 * Reads JSON from outside without losing a digit. The engine's own parser turns numbers into binary fractions, takes
 * the last of two equal keys, and has no limit of nesting, so this is a separate parser.
 */
import { decimalFromNumberText } from '#lib/contract/money.ts'
import { MOST_VALUES } from './storable-text.ts'

/** Why a body was not read. The message contains nothing of the body. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault'
}

/** Nested too deeply, or too many values; whether the rest is JSON was not checked. */
export class SizeFault extends JsonFault {}

export interface LosslessJsonOptions {
  /** The deepest nesting of objects and arrays that is accepted; 64 by default. */
  readonly maxDepth?: number
  /** The length to which longer texts are cut; a longer key is refused. No limit by default. */
  readonly longestText?: number
  /** Converts a number's source text to its value; to a `Decimal` string by default, which `isNumberIn` tells apart. */
  readonly readNumber?: (text: string) => unknown
}

const CODE = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
}

const WORDS: readonly (readonly [word: string, value: boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** The members of read objects that came as numbers, and not as strings of digits. */
const numbers = new WeakMap<object, Set<string>>()

const isNumberStart = (code: number): boolean => code === CODE.minus || (code >= CODE.zero && code <= CODE.nine)

function noteNumber(owner: object, key: string): void {
  const keys = numbers.get(owner)
  if (keys === undefined) numbers.set(owner, new Set([key]))
  else keys.add(key)
}

/** Whether a member of an object that was read here, without `readNumber`, came as a JSON number. */
export const isNumberIn = (owner: object, key: string): boolean => numbers.get(owner)?.has(key) === true

const notJson = (cause?: unknown): JsonFault => new JsonFault('not JSON', { cause })

/** A recursive descent: each method reads the part that begins at `#at`, and moves `#at` behind it. */
class JsonReader {
  readonly #text: string
  readonly #maxDepth: number
  readonly #longestText: number
  readonly #readNumber: (text: string) => unknown
  readonly #notesNumbers: boolean
  readonly #number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  #at = 0
  #values = 0

  constructor(text: string, { maxDepth = 64, longestText = Infinity, readNumber }: LosslessJsonOptions) {
    this.#text = text
    this.#maxDepth = maxDepth
    this.#longestText = longestText
    this.#readNumber = readNumber ?? decimalOf
    this.#notesNumbers = readNumber === undefined
  }

  /** The single value of the text. */
  document(): unknown {
    const value = this.#value(0)
    if (this.#at < this.#text.length) throw notJson()
    return value
  }

  /** A value with the white space around it, inside `depth` objects and arrays. */
  #value(depth: number): unknown {
    this.#values += 1
    if (this.#values > MOST_VALUES) throw new SizeFault('too many values')
    const code = this.#next()
    let value: unknown
    if (code === CODE.quote) value = this.#string().slice(0, this.#longestText)
    else if (code === CODE.openBrace) value = this.#object(depth + 1)
    else if (code === CODE.openBracket) value = this.#array(depth + 1)
    else value = this.#numberOrWord()
    this.#next()
    return value
  }

  #object(depth: number): object {
    const members: Record<string, unknown> = {}
    for (let more = this.#opens(depth, CODE.closeBrace); more; more = this.#continues(CODE.closeBrace)) {
      if (this.#next() !== CODE.quote) throw notJson()
      const key = this.#string()
      if (key.length > this.#longestText) throw new JsonFault('a key is too long')
      if (Object.hasOwn(members, key)) throw new JsonFault('duplicate key')
      if (this.#next() !== CODE.colon) throw notJson()
      this.#at += 1
      if (isNumberStart(this.#next()) && this.#notesNumbers) noteNumber(members, key)
      const value = this.#value(depth)
      // An assignment would set the prototype.
      if (key === '__proto__') Object.defineProperty(members, key, { value, ...OWN })
      else members[key] = value
    }
    return members
  }

  #array(depth: number): readonly unknown[] {
    const items: unknown[] = []
    for (let more = this.#opens(depth, CODE.closeBracket); more; more = this.#continues(CODE.closeBracket))
      items.push(this.#value(depth))
    return items
  }

  /** Reads the opening bracket; false if the closing bracket follows at once. */
  #opens(depth: number, close: number): boolean {
    if (depth > this.#maxDepth) throw new SizeFault('nested too deeply')
    this.#at += 1
    if (this.#next() !== close) return true
    this.#at += 1
    return false
  }

  /** Reads the character after a member: true for a comma, false for the closing bracket. */
  #continues(close: number): boolean {
    const code = this.#text.charCodeAt(this.#at)
    this.#at += 1
    if (code !== CODE.comma && code !== close) throw notJson()
    return code === CODE.comma
  }

  #string(): string {
    const start = this.#at
    let hasEscape = false
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at)
      if (code === CODE.quote) {
        this.#at = at + 1
        return hasEscape ? unescape(this.#text.slice(start, this.#at)) : this.#text.slice(start + 1, at)
      }
      if (code < CODE.space) break
      if (code === CODE.backslash) {
        hasEscape = true
        at += 1
      }
    }
    throw notJson()
  }

  #numberOrWord(): unknown {
    this.#number.lastIndex = this.#at
    const found = this.#number.exec(this.#text)
    if (found !== null) {
      this.#at += found[0].length
      return this.#readNumber(found[0])
    }
    for (const [word, value] of WORDS)
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    throw notJson()
  }

  /** Skips white space; returns the code of the next character, or NaN at the end. */
  #next(): number {
    for (; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      const isSpace = code === CODE.space || code === CODE.lineFeed || code === CODE.carriageReturn || code === CODE.tab
      if (!isSpace) return code
    }
  }
}

const OWN = { writable: true, enumerable: true, configurable: true }

/** Reads a quoted string that has escapes. */
function unescape(source: string): string {
  try {
    return JSON.parse(source) as string
  } catch (cause) {
    throw notJson(cause)
  }
}

function decimalOf(text: string): string {
  const value = decimalFromNumberText(text)
  if (value === null) throw new JsonFault('a number is out of range for an amount')
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
 * @throws JsonFault for bad UTF-8, a byte order mark, bad JSON, a duplicate key in one object, or an exponent of more
 * than three digits (leading zeros do not count); SizeFault for deeper nesting than `maxDepth`, or more values than
 * `MOST_VALUES`
 */
export const parseLosslessJson = (bytes: Uint8Array, options: LosslessJsonOptions = {}): unknown =>
  new JsonReader(textOf(bytes), options).document()
