import { expect, test } from 'vitest'
import { isStorableName, storableText } from './storable-text.ts'

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['a\0b', 'ab'],
  ['half \ud83d of a pair', 'half  of a pair'],
  ['\udcb8 the other', ' the other'],
  ['a whole pair 💸', 'a whole pair 💸'],
])('%j is stored as %j', (text, stored) => {
  expect(storableText(text)).toBe(stored)
  expect(isStorableName(text)).toBe(text === stored)
})

test('a name has at most 256 characters', () => {
  expect(isStorableName('x'.repeat(256))).toBe(true)
  expect(isStorableName('x'.repeat(257))).toBe(false)
})
