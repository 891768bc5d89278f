import fc from 'fast-check'
import { expect, test } from 'vitest'
import { legibleJson } from './legible-json.ts'

test('JSON gets a line for each field, as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 4), (value, spaces) => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      expect(legibleJson(JSON.stringify(plain, null, spaces))).toBe(JSON.stringify(plain, null, 2))
    }),
  )
})

test('a number keeps the digits that JavaScript would round', () => {
  expect(legibleJson('{"amount":0.1234567890123456789}')).toBe('{\n  "amount": 0.1234567890123456789\n}')
})

test.each(['', 'Bad Gateway', '{"cut":'])('other text stays as it is: %j', (text) => {
  expect(legibleJson(text)).toBe(text)
})
