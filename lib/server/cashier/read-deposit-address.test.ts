import { expect, test } from 'vitest'
import { readDepositAddress, withTagApart } from './read-deposit-address.ts'

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const USDT = { currency_code: 'USDT', network: 'Tron' }
const reply = (change: Partial<Record<'address' | 'currency' | 'network', string>> = {}) => ({
  address: TRON,
  currency: 'USDT',
  network: 'Tron',
  ...change,
})

test.each([
  ['as asked for', reply()],
  ['with surrounding white space', reply({ address: ` ${TRON}\n` })],
  ['with another name of the same network', reply({ network: 'TRC20' })],
  ['in other letter case', reply({ currency: 'usdt', network: 'tron' })],
])('a reply %s gives the address alone', (_name, answer) => {
  expect(readDepositAddress(USDT, answer).address).toBe(TRON)
})

test.each([
  ['another currency', reply({ currency: 'USDC' })],
  ['another network', reply({ network: 'Ethereum' })],
  ['an address of another network', reply({ address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' })],
  ['a mistyped address', reply({ address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u' })],
  ['an invisible character', reply({ address: `TR7NHqjeKQxGTCi8q8\u200bZY4pL8otSzgjLj6t` })],
  ['nothing', reply({ address: ' ' })],
])('%s is refused', (_name, answer) => {
  expect(() => readDepositAddress(USDT, answer)).toThrow(expect.objectContaining({ kind: 'unreadable' }))
})

test('a network without a known form of address accepts any visible address', () => {
  const asked = { currency_code: 'XRP', network: 'XRP Ledger' }
  const answer = { address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=7', currency: 'XRP', network: 'XRP Ledger' }
  expect(readDepositAddress(asked, answer).address).toBe(answer.address)
})

test.each([
  ['XRP Ledger', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=7', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', { tag: '7' }],
  ['Stellar', 'GAAZI4TCR3?memo=a%20b', 'GAAZI4TCR3', { tag: 'a b' }],
  ['EOS', 'exchangeacct:9', 'exchangeacct', { tag: '9' }],
  ['EOS', 'exchangeacct', 'exchangeacct', {}],
  ['Elsewhere', 'abc?dt=7', 'abc?dt=7', {}],
])('on %s, %s is shown as %s and %o', (network, whole, address, tag) => {
  const answer = { address: whole, currency: 'C', network }
  expect(withTagApart(readDepositAddress({ currency_code: 'C', network }, answer))).toEqual({
    address,
    currency: 'C',
    network,
    ...tag,
  })
})

test('a tag with an invisible character is refused', () => {
  const answer = { address: 'GAAZI4TCR3?memo=7%E2%80%8B', currency: 'XLM', network: 'Stellar' }
  expect(() => readDepositAddress({ currency_code: 'XLM', network: 'Stellar' }, answer)).toThrow(
    expect.objectContaining({ kind: 'unreadable' }),
  )
})
