import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOCALES } from '#lib/contract/locales.ts'
import { formatDecimal, numberMarks } from './decimal-format.ts'
import { readTypedAmount } from './typed-amount.ts'

const english = { decimal: '.', group: ',' }
const german = { decimal: ',', group: '.' }
const french = { decimal: ',', group: '\u202f' }

test.each([
  ['250', english, '250'],
  ['250.00', english, '250.00'],
  ['1,234.50', english, '1234.50'],
  ['1.234,50', german, '1234.50'],
  ['0,5', german, '0.5'],
  ['1.5', german, '1.5'],
  ['0.004', german, '0.004'],
  ['1234.567', german, '1234.567'],
  ['1,5', english, '1.5'],
  ['1.234.567', german, '1234567'],
  ['12,345,678', english, '12345678'],
  ['1\u202f234,5', french, '1234.5'],
  ['1 234,5', french, '1234.5'],
  ["1'234.5", english, '1234.5'],
  ['.5', english, '0.5'],
  ['5.', english, '5'],
  ['007.10', english, '7.10'],
  ['١٢٣٫٤٥', english, '123.45'],
  ['۱۲۳', english, '123'],
  ['１２３．５', english, '123.5'],
  ['0.000000000000000001', english, '0.000000000000000001'],
])('%s is read as one amount', (typed, marks, decimal) => {
  expect(readTypedAmount(typed, marks)).toEqual({ state: 'amount', decimal })
})

test.each([
  ['1,234', english, '1234', '1.234'],
  ['1.234', german, '1234', '1,234'],
])('%s has two readings and is ambiguous', (typed, marks, whole, fractional) => {
  expect(readTypedAmount(typed, marks)).toEqual({ state: 'ambiguous', whole, fractional })
  for (const reading of [whole, fractional]) expect(readTypedAmount(reading, marks).state).toBe('amount')
})

test.each([
  ['-5', 'not_a_decimal'],
  ['+5', 'not_a_decimal'],
  ['1e5', 'not_a_decimal'],
  ['1,2,3', 'not_a_decimal'],
  ['1.2.3', 'not_a_decimal'],
  ['1,23.4', 'not_a_decimal'],
  ['1.234,5.6', 'not_a_decimal'],
  ['.', 'not_a_decimal'],
  ['12 USDT', 'not_a_decimal'],
  ['0', 'not_positive'],
  ['0.000', 'not_positive'],
  [`1.${'0'.repeat(30)}1`, 'too_many_fractional_digits'],
  ['9'.repeat(61), 'too_many_digits'],
])('%s is refused', (typed, fault) => {
  expect(readTypedAmount(typed, english)).toEqual({ state: 'fault', fault })
})

test('empty input is empty', () => {
  expect(readTypedAmount('', english)).toEqual({ state: 'empty' })
  expect(readTypedAmount('  ', english)).toEqual({ state: 'empty' })
})

test('a formatted amount is read back as the same amount, or is ambiguous', () => {
  const amount = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.stringMatching(/^\d{0,18}$/))
    .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`))
  fc.assert(
    fc.property(fc.constantFrom(...LOCALES), amount, (locale, value) => {
      const marks = numberMarks(locale)
      const read = readTypedAmount(formatDecimal(value, marks), marks)
      if (read.state === 'ambiguous') expect([read.whole, read.fractional.replace(marks.decimal, '.')]).toContain(value)
      else expect(read).toEqual({ state: 'amount', decimal: value })
    }),
  )
})

test('no text throws, and an amount is always canonical', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9.,e \u00a0\u0663x-]{0,20}$/), (typed) => {
      const read = readTypedAmount(typed, german)
      if (read.state === 'amount') expect(read.decimal).toMatch(/^(0|[1-9]\d*)(\.\d+)?$/)
    }),
  )
})
