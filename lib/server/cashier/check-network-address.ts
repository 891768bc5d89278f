import { checkAddress, type AddressFault } from '#lib/addresses/index.ts'
import { Problem } from '#lib/contract/problems.ts'

const ADDRESS_RULES: Readonly<Record<AddressFault, string>> = {
  empty: 'must not be empty',
  too_long: 'must have at most 256 characters',
  not_visible_ascii: 'must be visible ASCII characters without spaces',
  wrong_network: 'is an address of another network',
  testnet: 'is an address of a test network',
  bad_checksum: 'has a mistake in it: its checksum is wrong',
  malformed: 'is not an address of this network',
}

/** Checks an address by the network's rule. @throws Problem `invalid_request` that says what is wrong */
export function checkNetworkAddress(network: string, address: string): void {
  const check = checkAddress(network, address)
  if (check.ok) return
  const rule = ADDRESS_RULES[check.fault]
  throw new Problem('invalid_request', `wallet_address ${rule}.`, { errors: { wallet_address: [rule] } })
}
