import { expect, test } from 'vitest'
import { findNetwork, KNOWN_NETWORKS } from '#lib/addresses/networks.ts'
import { NETWORK_MARKS } from './network-marks.tsx'

test.each(KNOWN_NETWORKS.flatMap(({ names }) => names.split(' ')))('a network named "%s" has a drawing', (name) => {
  const known = findNetwork(name)
  expect(known).not.toBeNull()
  expect(known && NETWORK_MARKS[known.id]).toMatchObject({
    background: expect.stringMatching(/^#[0-9a-f]{6}$/) as string,
  })
  expect(known && NETWORK_MARKS[known.id].shape).toBeTruthy()
})
