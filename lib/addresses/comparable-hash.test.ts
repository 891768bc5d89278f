import { expect, test } from 'vitest'
import { comparableHash } from './comparable-hash.ts'

test.each([
  ['Ethereum', '0xAB12', 'ab12', true],
  ['Ethereum', '0XAB12', '0xab12', true],
  ['Ethereum', '0xHash-1', 'hash-1', true],
  ['Tron', 'AB12', '0xab12', true],
  ['Bitcoin', 'AB12', 'ab13', false],
  ['Solana', '5hBaFzv', '5hbafzv', false],
  ['Solana', '5hBaFzv', '5hBaFzv', true],
  ['Somewhere', '0xAB12', 'ab12', true],
  ['Somewhere', '0xHash', 'Hash', true],
  ['Somewhere', 'Hash', 'hash', false],
])('on %s, %s and %s are one hash: %s', (network, a, b, same) => {
  expect(comparableHash(network, a) === comparableHash(network, b)).toBe(same)
})
