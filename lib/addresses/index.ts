/** Wallet addresses: validation for a network, and comparison. */
export { comparableAddress } from './comparable-address.ts'
export { comparableHash } from './comparable-hash.ts'
export { isSameNetwork, networkKey } from './network-family.ts'
export { checkAddress, type AddressCheck, type AddressFault } from './check-address.ts'
export { readDestination, type Destination, type DestinationNote } from './read-destination.ts'
export { splitTag } from './tags.ts'
export { settingOf, settingOnNetwork } from './setting-of.ts'
