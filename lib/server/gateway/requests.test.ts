import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBody } from './requests.ts'
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

test('normalising an emitted body changes nothing, and parsing it gives the value back', () => {
  fc.assert(
    fc.property(anyBody, (value) => {
      const body = encodeBody(value)
      expect(normalizeBody(body)).toBe(body)
      expect(body).toMatch(/^[\x21-\x7e]+$/)
      expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: 2000 },
  )
})

test('spaces and letters outside ASCII go out escaped', () => {
  expect(encodeBody({ note: 'two wörds', left: undefined })).toBe('{"note":"two\\u0020w\\u00f6rds"}')
})
