/** The cashier has an icon and an address check for every network of the sandbox. */
import { expect, test } from 'vitest'
import { findNetwork } from '#lib/addresses/networks.ts'
import { NETWORK_NAMES } from '../sandbox/currencies/networks.ts'

test.each(NETWORK_NAMES)("the cashier knows the sandbox's network %s", (name) => {
  expect(findNetwork(name)?.id).toBe(name.toLowerCase())
})
