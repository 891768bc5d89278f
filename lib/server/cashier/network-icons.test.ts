import { expect, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import { withNetworkIcons } from './network-icons.ts'

const currency = (id: string, network: string, network_icon?: string): Currency => ({
  id,
  name: id,
  currency_code: id,
  symbol: id,
  network,
  ...(network_icon !== undefined && { network_icon }),
})

test('every currency of a network has the network’s icon, whichever currency an event named with it', () => {
  const listed = [currency('USDT', 'Tron'), currency('TRX', 'Tron'), currency('ETH', 'Ethereum')]
  const known = [currency('USDT', 'Tron', 'https://i.example/tron.svg'), currency('ETH', 'Ethereum')]
  expect(withNetworkIcons(listed, known).map(({ id, network_icon }) => [id, network_icon])).toEqual([
    ['USDT', 'https://i.example/tron.svg'],
    ['TRX', 'https://i.example/tron.svg'],
    ['ETH', undefined],
  ])
})

test('a currency’s own icon comes first, then the icon of a listed currency, then any', () => {
  const listed = [currency('USDT', 'Tron'), currency('TRX', 'Tron'), currency('ETH', 'Ethereum')]
  const known = [
    currency('TRX', 'Tron', 'trx'),
    currency('USDT', 'Tron', 'usdt'),
    currency('delisted', 'Tron', 'old'),
    currency('gone', 'Ethereum', 'gone'),
  ]
  const iconsWith = (these: readonly Currency[]) =>
    withNetworkIcons(listed, these).map(({ network_icon }) => network_icon)
  expect(iconsWith(known)).toEqual(['usdt', 'trx', 'gone'])
  expect(iconsWith(known.slice(1))).toEqual(['usdt', 'usdt', 'gone'])
  expect(iconsWith(known.slice(2))).toEqual(['old', 'old', 'gone'])
})
