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
const NONE = { ownIds: new Set<string>(), recentIds: [] }

test('each ticker is one group with its networks, in the order of the list', () => {
  const groups = groupCurrencies(LIST, NONE)
  expect(groups.map(({ key, items }) => [key, items.map((item) => item.currency.network)])).toEqual([
    ['ticker USDT', ['Tron', 'Ethereum']],
    ['ticker BTC', ['Bitcoin']],
    ['ticker EURO', ['Solana']],
  ])
})

test('recently used currencies come first, in their order, without those no longer offered', () => {
  const [recent] = groupCurrencies(LIST, { ...NONE, recentIds: ['3', 'gone', '2'] })
  expect(recent).toMatchObject({ kind: 'recent', items: [{ currency: { id: '3' } }, { currency: { id: '2' } }] })
  const ids = groupCurrencies(LIST, { ...NONE, recentIds: ['3'] }).flatMap(({ items }) =>
    items.map((item) => item.currency.id),
  )
  expect(ids).toEqual(['3', '1', '2', '4'])
})

test('currencies with a balance come before recently used ones and are not repeated among them', () => {
  const groups = groupCurrencies(LIST, { ownIds: new Set(['4', '1', 'gone']), recentIds: ['4', '2'] })
  expect(groups.slice(0, 3).map(({ kind, items }) => [kind, items.map((item) => item.currency.id)])).toEqual([
    ['own', ['1', '4']],
    ['recent', ['2']],
    ['ticker', ['3']],
  ])
})

test.each([
  ['usdt', ['1', '3']],
  ['tether', ['1', '3']],
  ['ETHEREUM usd', ['3']],
  ['usd  tron', ['1']],
  ['euro', ['4']],
  ['trc20', ['1']],
  ['TRC-20', ['1']],
  ['usdt (erc20)', ['3']],
  ['usdt-trc20', ['1']],
  ['', ['1', '2', '3', '4']],
  ['(', []],
])('searching for %s finds %o', (query, ids) => {
  const items = groupCurrencies(LIST, NONE).flatMap((group) => group.items)
  const found = items.filter((item) => matchesQuery(item, query)).map((item) => item.currency.id)
  expect(found.sort()).toEqual(ids)
})
