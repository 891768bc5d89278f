import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { knownAddresses } from './known-addresses.ts'
import { keys } from './queries.ts'

const node = (type: string, to_address: string | null, more: object = {}) => ({
  node: { type, to_address, currency: { network: 'Tron', code: 'USDT' }, ...more },
})

test('the known addresses are those of deposits, shown or in the history, and of token contracts', () => {
  const cache = new QueryClient()
  expect(knownAddresses(cache)).toEqual({ own: [], contracts: [] })
  cache.setQueryData(keys.depositAddress('a'), { address: 'shown', tag: '7', currency: 'USDT', network: 'Tron' })
  cache.setQueryData(keys.depositAddress('b'), { address: 'shown too', currency: 'BTC', network: 'Bitcoin' })
  void cache.query({ queryKey: keys.depositAddress('c'), queryFn: () => new Promise<never>(() => undefined) })
  cache.setQueryData(keys.transactionsPage('first=20'), {
    edges: [
      node('Deposit', 'paid to'),
      node('Deposit', null),
      node('Payout', 'of somebody'),
      node('Deposit', 'of a purchase', { session_reference: 's' }),
      node('Payout', 'x', { currency: { network: 'Tron', code: 'USDC', token_address: 'contract' } }),
      node('Payout', 'x', { currency: { network: 'Tron', code: 'TRX', token_address: '' } }),
    ],
  })
  expect(knownAddresses(cache)).toEqual({
    own: [
      { address: 'shown', tag: '7' },
      { address: 'shown too', tag: null },
      { address: 'paid to', tag: null },
    ],
    contracts: [{ network: 'Tron', code: 'USDC', address: 'contract' }],
  })
})
