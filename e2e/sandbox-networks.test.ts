/** The networks that the sandbox seeds are ones that the cashier draws and checks addresses for. */
import { expect, test } from 'vitest'
import { findNetwork } from '#lib/addresses/networks.ts'
import { NETWORK_NAMES } from '../sandbox/currencies/networks.ts'

test.each(NETWORK_NAMES)('the cashier knows %s of the sandbox', (name) => {
  expect(findNetwork(name)?.id).toBe(name.toLowerCase())
})
