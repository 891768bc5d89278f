import { expect, test } from 'vitest'
import { isNetworkName, isOwnCoin } from './currency-name.ts'

test.each([
  ['Bitcoin', 'Bitcoin', true],
  ['bitcoin', ' Bitcoin', true],
  ['Tether USD', 'Tron', false],
  ['TRON', 'Tron (TRC20)', false],
])('%s on %s is shown as one name: %s', (name, network, once) => {
  expect(isNetworkName(name, network)).toBe(once)
})

test.each([
  ['BTC', 'Bitcoin', 'Bitcoin', true],
  ['ETH', 'Ether', 'Ethereum (ERC20)', true],
  ['BNB', 'BNB', 'BNB Smart Chain', true],
  ['XRP', 'XRP', 'Ripple', false],
  ['ADA', 'Cardano', 'Cardano', true],
  ['XRP', 'Ripple', 'XRP', true],
  ['ETH', 'Ether', 'Base', false],
  ['USDT', 'Tether USD', 'Tron', false],
  ['FOO', 'Foo', 'Bar', false],
])('%s (%s) on %s is the coin of its network: %s', (currency_code, name, network, own) => {
  expect(isOwnCoin({ currency_code, name, network })).toBe(own)
})
