import { expect, test } from 'vitest'
import { addressOf } from '../state/addresses.ts'
import { USUAL_CURRENCIES } from './catalogue.ts'
import { findCurrency } from './find-currency.ts'
import { LONG_LIST } from './long-list.ts'
import { NETWORKS, NETWORK_NAMES } from './networks.ts'
import type { NetworkName } from './networks.ts'
import { deterministicBytes, deterministicUuid } from './deterministic-ids.ts'

/** Publicly known addresses. */
const REAL: readonly (readonly [NetworkName, string])[] = [
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['Bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['Bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['Bitcoin', 'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297'],
  ['Ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['Ethereum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['Polygon', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
]

const WRONG: readonly (readonly [NetworkName, string, string])[] = [
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'a wrong last letter'],
  ['Bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp', 'a wrong last letter'],
  ['Bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'of the test network'],
  ['Bitcoin', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'bech32m with a wrong letter'],
  ['Ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed', 'a wrong case'],
  ['Ethereum', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'no 0x'],
  ['Ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'too short'],
  ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'a wrong last letter'],
  ['Tron', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'of Bitcoin'],
  ['Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt', 'too short'],
  ['Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt0v', 'a letter outside base58'],
]

test.each(REAL)('%s has %s', (network, address) => {
  expect(NETWORKS[network].encoding.isValid(address)).toBe(true)
})

test.each(WRONG)('%s does not have %s: %s', (network, address) => {
  expect(NETWORKS[network].encoding.isValid(address)).toBe(false)
})

test.each(NETWORK_NAMES)('an address that the sandbox creates for %s is valid', (network) => {
  const written = Array.from({ length: 200 }, (_item, at) =>
    NETWORKS[network].encoding.write(deterministicBytes('test', String(at))),
  )
  expect(written.filter((address) => !NETWORKS[network].encoding.isValid(address))).toEqual([])
  expect(new Set(written).size).toBe(200)
})

test('token addresses of the long list are valid for their networks', () => {
  const tokens = LONG_LIST.filter(({ tokenAddress }) => tokenAddress !== '')
  expect(tokens.filter(({ network, tokenAddress }) => !NETWORKS[network].encoding.isValid(tokenAddress))).toEqual([])
  expect(tokens.length).toBeGreaterThan(290)
})

test('an address belongs to one merchant, user and currency', () => {
  const [btc, eth] = USUAL_CURRENCIES
  const addresses = [
    addressOf({ merchantId: 'a', userReference: 'u' }, eth!),
    addressOf({ merchantId: 'b', userReference: 'u' }, eth!),
    addressOf({ merchantId: 'a', userReference: 'v' }, eth!),
    addressOf({ merchantId: 'a', userReference: 'u' }, btc!),
  ]
  expect(new Set(addresses).size).toBe(4)
  expect(addressOf({ merchantId: 'a', userReference: 'u' }, eth!)).toBe(addresses[0])
})

test('the catalogue has 14 usual currencies, 300 in the long list, and unique ids', () => {
  expect(USUAL_CURRENCIES).toHaveLength(14)
  expect(LONG_LIST).toHaveLength(300)
  expect(new Set(LONG_LIST.map(({ id }) => id)).size).toBe(300)
  expect(new Set(USUAL_CURRENCIES.map(({ network }) => network))).toEqual(new Set(NETWORK_NAMES))
  expect(deterministicUuid('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a currency is found by id, by code and network, and by a code that exists on one network only', () => {
  const [btc] = USUAL_CURRENCIES
  expect(findCurrency({ id: btc!.id })).toBe(btc)
  expect(findCurrency({ code: 'btc' })).toBe(btc)
  expect(findCurrency({ code: 'USDT', network: 'tron' })?.network).toBe('Tron')
  expect(findCurrency({ code: 'USDT' })).toBeNull()
  expect(findCurrency({ code: 'USDT', network: 'Bitcoin' })).toBeNull()
})
