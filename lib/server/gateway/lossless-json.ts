/**
 * Reads JSON from outside without losing a digit, with the engine's own parser: numbers are made strings before, which
 * takes half of the time of a reviver. Duplicate keys and nesting that is too deep, which the parser would accept, are
 * found in the text before.
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

interface Structure {
  /** Members written in all objects. */
  readonly members: number
  /** The deepest nesting. */
  readonly depth: number
  /** Where each number begins and ends. */
  readonly numbers: readonly number[]
}

/** What stands outside of strings. */
function structureOf(text: string): Structure {
  let members = 0
  let open = 0
  let depth = 0
  const numbers: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === CODE.quote) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== CODE.quote; at += 1)
        if (text.charCodeAt(at) === CODE.backslash) at += 1
    } else if (code === CODE.colon) members += 1
    else if (code === CODE.openBrace || code === CODE.openBracket) depth = Math.max(depth, ++open)
    else if (code === CODE.closeBrace || code === CODE.closeBracket) open -= 1
    else if (code === CODE.minus || isDigit(code)) {
      const start = at
      while (continuesNumber(text.charCodeAt(at + 1))) at += 1
      numbers.push(start, at + 1)
    }
  }
  return { members, depth, numbers }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A character that JSON allows in a string alone, before a number's digits. */
const MARK = '\uE0B0'

/** The text with each number as a string that begins with the mark, so that the parser keeps its digits. */
function markNumbers(text: string, numbers: readonly number[]): string {
  let marked = ''
  let from = 0
  for (let index = 0; index < numbers.length; index += 2) {
    const [start = 0, end = 0] = [numbers[index], numbers[index + 1]]
    const number = text.slice(start, end)
    if (!NUMBER.test(number)) throw new JsonFault('not JSON')
    marked += `${text.slice(from, start)}"${MARK}${number}"`
    from = end
  }
  return marked + text.slice(from)
}

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
 * gives it (`__proto__` is a plain own key). Throws a `JsonFault` for bad UTF-8, a byte order mark, bad JSON,
 * a key twice in one object, deeper nesting than `maxDepth`, or an exponent of more than three digits.
 */
export function parseLosslessJson(bytes: Uint8Array, options: LosslessJsonOptions = {}): unknown {
  const { maxDepth = 64, readNumber = decimalOf } = options
  const text = textOf(bytes)
  const written = structureOf(text)
  if (written.depth > maxDepth) throw new DepthFault('nested too deep')
  const isMarked = !text.includes(MARK) && !text.includes('\\u')
  // The reviver is called once more, with the whole value.
  let membersKept = isMarked ? 0 : -1

  /** Numbers in place of the strings that stand for them. */
  const readMarked = (value: unknown): unknown => {
    if (typeof value === 'string') return value.startsWith(MARK) ? readNumber(value.slice(1)) : value
    if (Array.isArray(value)) return value.map(readMarked)
    if (typeof value !== 'object' || value === null) return value
    const members = value as Record<string, unknown>
    for (const key of Object.keys(members)) {
      if (key.startsWith(MARK)) throw new JsonFault('not JSON')
      membersKept += 1
      const member = members[key]
      if (typeof member === 'object' || (typeof member === 'string' && member.startsWith(MARK)))
        Object.defineProperty(members, key, {
          value: readMarked(member),
          writable: true,
          enumerable: true,
          configurable: true,
        })
    }
    return members
  }
  /** For a text that has the mark itself, or may have it in an escape: the parser's own, slower way to a number's digits. */
  const revive = function (this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
    if (!Array.isArray(this)) membersKept += 1
    return typeof value === 'number' ? readNumber(context?.source ?? '') : value
  }
  let value: unknown
  try {
    value = isMarked ? readMarked(JSON.parse(markNumbers(text, written.numbers))) : JSON.parse(text, revive)
  } catch (cause) {
    throw cause instanceof JsonFault ? cause : new JsonFault('not JSON', { cause })
  }
  if (membersKept !== written.members) throw new JsonFault('a key twice')
  return value
}
