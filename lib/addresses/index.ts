/** Wallet addresses as people write them: right for a network or not, the same as another or not. A leaf. */
export { addressesEqual, addressKey } from './address-key.ts'
export { checkAddress, type AddressCheck, type AddressFault } from './check-address.ts'
export { explorerUrl } from './explorer.ts'
export { NETWORK_FAMILIES, networkFamily, type NetworkFamily } from './networks.ts'
