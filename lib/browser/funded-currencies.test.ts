import { expect, test } from 'vitest'
import type { Balance, Currency } from '#lib/contract/cashier.ts'
import { fundedCurrencies } from './funded-currencies.ts'

const currency = (id: string, currency_code: string, network: string): Currency => ({
  id,
  currency_code,
  network,
  name: currency_code,
  symbol: currency_code,
})
const balance = (currency_id: string, available: string): Balance => ({
  currency_id,
  currency_code: '',
  network: '',
  available,
  held: '0',
})

const chosen = currency('a', 'USDT', 'Tron')
const LIST = [chosen, currency('b', 'BTC', 'Bitcoin'), currency('c', 'USDT', 'Ethereum'), currency('d', 'ETH', 'Base')]

test('the other currencies with money, the same code first; never one that is not offered', () => {
  const balances = [balance('d', '2'), balance('c', '0.0000001'), balance('b', '1'), balance('x', '5')]
  expect(fundedCurrencies(LIST, balances, chosen).map(({ id }) => id)).toEqual(['c', 'b', 'd'])
})

test('nothing is nothing: zero, less than zero, what cannot be read, and the chosen currency itself', () => {
  const balances = [balance('a', '9'), balance('b', '0.00'), balance('c', '-1'), balance('d', '?')]
  expect(fundedCurrencies(LIST, balances, chosen)).toEqual([])
})
