/** Wallet addresses as people write them: right for a network or not, the same as another or not. A leaf. */
export { addressKey } from './address-key.ts'
export { checkAddress, type AddressCheck, type AddressFault } from './check-address.ts'
