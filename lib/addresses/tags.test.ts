import { expect, test } from 'vitest'
import { networkFamily } from './network-family.ts'
import { scannedAddress, splitTag, usesTags } from './tags.ts'

test.each([
  'XRP',
  'XRP Ledger',
  'Ripple',
  'Stellar',
  'XLM Network',
  'TON',
  'The Open Network',
  'Cosmos Hub (ATOM)',
  'EOS',
  'Hedera',
  'Stacks',
  'BNB Beacon Chain (BEP2)',
])('%s has tags and is not checked', (network) => {
  expect(usesTags(network)).toBe(true)
  expect(networkFamily(network)).toBeNull()
})

test.each(['Ethereum', 'Tron', 'Bitcoin', 'Polkadot', 'XRPL EVM', 'EOS EVM', ''])('%s has no tags', (network) => {
  expect(usesTags(network)).toBe(false)
})

const XRP = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'
const RAW_TON = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'

test.each([
  ['XRP', `${XRP}?dt=7`, XRP, '7'],
  ['XRP', `${XRP}?x=1&dt=7`, XRP, '7'],
  ['XRP', `${XRP}:7`, XRP, '7'],
  ['XRP', XRP, XRP, null],
  ['XRP', `${XRP}?dt=`, `${XRP}?dt=`, null],
  ['XRP', `${XRP}?amount=7`, `${XRP}?amount=7`, null],
  ['XRP', '?dt=7', '?dt=7', null],
  ['Stellar', 'GAAZ?memo=a%20b', 'GAAZ', 'a b'],
  ['Cosmos', 'cosmos1abc?memo=42', 'cosmos1abc', '42'],
  ['EOS', 'exchangeacct:42', 'exchangeacct', '42'],
  ['Hedera', '0.0.123?memo=9', '0.0.123', '9'],
  ['TON', RAW_TON, RAW_TON, null],
  ['TON', `${RAW_TON}?memo=5`, RAW_TON, '5'],
  ['Ethereum', '0xab?dt=7', '0xab?dt=7', null],
])('on %s, %s is %s with the tag %s', (network, text, address, tag) => {
  expect(splitTag(network, text)).toEqual({ address, tag })
})

test.each([
  ['XRP', '7', 'r?dt=7'],
  ['xlm', '7', 'web+stellar:pay?destination=r&memo=7&memo_type=MEMO_ID'],
  ['XLM', 'a b', 'web+stellar:pay?destination=r&memo=a%20b&memo_type=MEMO_TEXT'],
  ['TON', 'a&b', 'ton://transfer/r?text=a%26b'],
  // A token, and a coin without such a URI: the wallet asks for the tag.
  ['USDT', '7', 'r'],
  ['ATOM', '7', 'r'],
  ['XRP', null, 'r'],
])('for %s with the tag %s, wallets scan %s', (code, tag, scanned) => {
  expect(scannedAddress(code, { address: 'r', tag })).toBe(scanned)
})
