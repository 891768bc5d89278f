import { expect, test } from 'vitest'
import { findNetwork, KNOWN_NETWORKS } from '#lib/addresses/networks.ts'
import { coinMark, NETWORK_MARKS } from './network-marks.tsx'

test.each(KNOWN_NETWORKS.flatMap(({ names }) => names.split(' ')))('a network named "%s" has a drawing', (name) => {
  const known = findNetwork(name)
  expect(known).not.toBeNull()
  expect(known && NETWORK_MARKS[known.id]).toMatchObject({
    background: expect.stringMatching(/^#[0-9a-f]{6}$/) as string,
  })
  expect(known && NETWORK_MARKS[known.id].shape).toBeTruthy()
})

test.each([
  ['BTC', NETWORK_MARKS.bitcoin],
  ['ETH', NETWORK_MARKS.ethereum],
  ['TRX', NETWORK_MARKS.tron],
])('%s has the drawing of its network', (code, mark) => {
  expect(coinMark(code)).toBe(mark)
})

test('a stablecoin has its own drawing, an unknown currency has none', () => {
  expect(coinMark('USDT')?.shape).toBeTruthy()
  expect(coinMark('USDC')).not.toBe(coinMark('USDT'))
  expect(coinMark('XYZ')).toBeUndefined()
  expect(coinMark('constructor')).toBeUndefined()
})
