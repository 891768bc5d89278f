import { expect, test } from 'vitest'
import { DEFAULT_MODES } from '../../state/modes.ts'
import { readWait, spanText, waitText } from './waits.ts'

test.each([
  [null, 'off'],
  [0, '0 s'],
  [500, '500 ms'],
  [90_000, '90 s'],
  [7_200_000, '2 h'],
  [-3_600_000, '-1 h'],
  [86_400_000, '1 d'],
])('%s is shown as %s, and read back', (value, text) => {
  expect(waitText(value)).toBe(text)
  expect(readWait(text, false)).toBe(value)
})

test('a list that is written is read back unchanged', () => {
  expect(waitText(DEFAULT_MODES.webhook_retries_ms)).toBe('1 s, 5 s, 30 s, 2 min, 10 min, 1 h, 6 h')
  for (const list of [DEFAULT_MODES.webhook_retries_ms, [], [0]]) expect(readWait(waitText(list), true)).toEqual(list)
})

test.each([
  ['250', 250],
  ['1.5 s', 1500],
  [' 2MIN ', 120_000],
  ['OFF', null],
])('%s is another accepted form', (text, value) => {
  expect(readWait(text, false)).toBe(value)
})

test.each([
  ['soon', false],
  ['', false],
  ['5 weeks', false],
  ['0.1 ms', false],
  ['1 s, 2 s', false],
  ['1 s, soon', true],
  ['off', true],
])('%s is refused', (text, isList) => {
  expect(() => readWait(text, isList)).toThrow(/^Write/)
})

test('a span has as many units as necessary', () => {
  expect([spanText(7_200_000), spanText(-90_061_001)]).toEqual(['2 h', '1 d 1 h 1 min 1 s 1 ms'])
})
