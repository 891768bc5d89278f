import { expect, test } from 'vitest'
import { groupCurrencies, matchesQuery } from './currency-groups.ts'

const currency = (id: string, code: string, name: string, network: string) => ({
  id,
  currency_code: code,
  name,
  network,
  symbol: code,
})
const LIST = [
  currency('1', 'USDT', 'Tether USD', 'Tron'),
  currency('2', 'BTC', 'Bitcoin', 'Bitcoin'),
  currency('3', 'USDT', 'Tether USD', 'Ethereum'),
  currency('4', 'EURO', 'Éuro Coin', 'Solana'),
]

test('one group a ticker with its networks, in the order of the list', () => {
  const groups = groupCurrencies(LIST, [])
  expect(groups.map(({ ticker, items }) => [ticker, items.map((item) => item.currency.network)])).toEqual([
    ['USDT', ['Tron', 'Ethereum']],
    ['BTC', ['Bitcoin']],
    ['EURO', ['Solana']],
  ])
})

test('recently used come first, in their order, without those that are no longer offered', () => {
  const [recent] = groupCurrencies(LIST, ['3', 'gone', '2'])
  expect(recent).toMatchObject({ ticker: null, items: [{ currency: { id: '3' } }, { currency: { id: '2' } }] })
  const ids = groupCurrencies(LIST, ['3']).flatMap(({ items }) => items.map(({ key }) => key))
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  ['usdt', ['1', '3']],
  ['tether', ['1', '3']],
  ['ETHEREUM usd', ['3']],
  ['usd  tron', ['1']],
  ['euro', ['4']],
  ['', ['1', '2', '3', '4']],
  ['(', []],
])('searching for %s finds %o', (query, ids) => {
  const items = groupCurrencies(LIST, []).flatMap((group) => group.items)
  const found = items.filter((item) => matchesQuery(item, query)).map((item) => item.currency.id)
  expect(found.sort()).toEqual(ids)
})
