/**
 * Reads JSON from outside without losing a digit, with the engine's own parser: its reviver gets each number's source
 * text. Duplicate keys and nesting that is too deep, which the parser would accept, are found in the bytes before.
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
  colon: 0x3a,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
}

/** Members written in all objects, and the deepest nesting. Bytes of multi-byte characters are never ASCII. */
function structureOf(bytes: Uint8Array): { members: number; depth: number } {
  let members = 0
  let open = 0
  let depth = 0
  let inString = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (inString) {
      if (byte === CODE.backslash) at += 1
      else if (byte === CODE.quote) inString = false
    } else if (byte === CODE.quote) inString = true
    else if (byte === CODE.colon) members += 1
    else if (byte === CODE.openBrace || byte === CODE.openBracket) depth = Math.max(depth, ++open)
    else if (byte === CODE.closeBrace || byte === CODE.closeBracket) open -= 1
  }
  return { members, depth }
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
  const written = structureOf(bytes)
  if (written.depth > maxDepth) throw new DepthFault('nested too deep')
  const text = textOf(bytes)
  let membersKept = -1
  const revive = function (this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
    if (!Array.isArray(this)) membersKept += 1
    return typeof value === 'number' ? readNumber(context?.source ?? '') : value
  }
  let value: unknown
  try {
    value = JSON.parse(text, revive)
  } catch (cause) {
    throw cause instanceof JsonFault ? cause : new JsonFault('not JSON', { cause })
  }
  if (membersKept !== written.members) throw new JsonFault('a key twice')
  return value
}
