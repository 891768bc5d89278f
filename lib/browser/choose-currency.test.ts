import { expect, test } from 'vitest'
import { balanceOf, chooseCurrency } from './choose-currency.ts'

const currency = (id: string) => ({ id, name: id, currency_code: id, symbol: id, network: 'Tron' })
const balance = (currency_id: string, available: string) => ({
  currency_id,
  currency_code: currency_id,
  network: 'Tron',
  available,
  held: '0',
})

test.each([
  ['an offered currency', 'b', 'b'],
  ['a currency that is not offered: the first with a balance', 'x', 'c'],
  ['none: the first with a balance', null, 'c'],
])('requested: %s', (_name, asked, chosen) => {
  const balances = [balance('a', '0'), balance('b', '-1'), balance('c', '0.01')]
  expect(chooseCurrency(['a', 'b', 'c'].map(currency), balances, asked)?.id).toBe(chosen)
})

test('without balances the first currency, without currencies null', () => {
  expect(chooseCurrency([currency('a')], [], null)?.id).toBe('a')
  expect(chooseCurrency([], [balance('a', '5')], 'a')).toBeNull()
  expect(balanceOf([balance('a', '5')], 'b')).toBeNull()
})
