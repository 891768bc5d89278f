import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBody } from './encode-request.ts'
import { normalizeBody } from './signing.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(' ', '\t', '\u00a0', '\u2028', '\ufeff', '\u0085', '\u180e', '\ud800', '😀', '"', '\\'),
  }),
)
const anyBody = fc.dictionary(anyText, fc.oneof(anyText, fc.jsonValue({ stringUnit: 'binary' })), {
  noNullPrototype: true,
})

/**
 * Replaces each `\uXXXX` in JSON by its character. `JSON.parse` cannot be used: V8 13.6 confuses an escaped key with an
 * earlier key that is spelled like the beginning of the escape, such as `"\u0020"` with `"\\"`.
 */
const unescaped = (json: string): string =>
  json.replace(/\\(?:u([0-9a-f]{4})|.)/g, (written, code?: string) =>
    code === undefined ? written : String.fromCharCode(Number.parseInt(code, 16)),
  )

test('normalising an encoded body changes nothing, and its escapes stand for the text of the value', () => {
  fc.assert(
    fc.property(anyBody, (value) => {
      const body = encodeBody(value)
      expect(normalizeBody(body)).toBe(body)
      expect(body).toMatch(/^[\x21-\x7e]+$/)
      expect(unescaped(body)).toBe(unescaped(JSON.stringify(value)))
      expect(() => void JSON.parse(body)).not.toThrow()
    }),
    { numRuns: 2000 },
  )
})

test('spaces and characters outside ASCII are escaped', () => {
  expect(encodeBody({ note: 'two wörds', left: undefined })).toBe('{"note":"two\\u0020w\\u00f6rds"}')
})
