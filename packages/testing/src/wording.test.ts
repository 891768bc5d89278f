import { expect, test } from 'vitest'
import { LOCALES, TEXTS, type CashierLocale, type CashierTextKey } from './texts.ts'
import { wordingOf } from './wording.ts'

const given = { amount: '1.5', code: 'USD+', name: 'Coin (test)', network: 'BNB*' }

test.each(LOCALES)('%s: a pattern matches its text with any values, and no other text', (locale) => {
  const { text, pattern } = wordingOf(locale)
  for (const key of Object.keys(TEXTS.en) as CashierTextKey[]) {
    expect(text(key, given)).toMatch(pattern(key, given))
    expect(text(key, given)).toMatch(pattern(key))
    expect(text(key, given).replaceAll(/\s/g, ' ')).toMatch(pattern(key, given))
    expect(`x${text(key, given)}x`).not.toMatch(pattern(key, given))
  }
  expect(text('currency.nameOn', { ...given, network: 'BNB' })).not.toMatch(pattern('currency.nameOn', given))
  expect(text('withdraw.check.confirm', given)).toContain('1.5\u00a0USD+')
})

test('a language that the cashier does not support is an error at once', () => {
  expect(() => wordingOf('xx' as CashierLocale)).toThrow('no language xx')
})
