import { expect, test } from 'vitest'
import { bearerCheck } from './bearer.ts'

const check = bearerCheck(['first-key', 'second-key'])

test.each([
  ['Bearer first-key', true],
  ['Bearer second-key', true],
  ['bearer first-key', true],
  ['Bearer   first-key  ', true],
  ['Bearer third-key', false],
  ['Bearer first-key,second-key', false],
  ['Bearer ', false],
  ['Bearer', false],
  ['Basic first-key', false],
  ['first-key', false],
  ['', false],
  [null, false],
])('%j: %s', (header, passes) => {
  expect(check(header)).toBe(passes)
})
