import { cashaddrKey, isCashaddrLike } from './cashaddr.ts'
import { networkFamily, type NetworkFamily } from './networks.ts'
import { BITCOIN_PREFIXES, isSegwitLike, LITECOIN_PREFIXES, type SegwitPrefixes } from './segwit.ts'

const unchanged = (address: string): string => address
const normaliseSegwit = (prefixes: SegwitPrefixes) => (address: string) =>
  isSegwitLike(address, prefixes) ? address.toLowerCase() : address

const NORMALISERS: Readonly<Record<NetworkFamily, (address: string) => string>> = {
  bitcoin: normaliseSegwit(BITCOIN_PREFIXES),
  bitcoin_cash: (address) => (isCashaddrLike(address) ? cashaddrKey(address) : address),
  litecoin: normaliseSegwit(LITECOIN_PREFIXES),
  dogecoin: unchanged,
  ethereum: (address) => address.toLowerCase(),
  tron: unchanged,
  solana: unchanged,
}

/** A normalised spelling to compare addresses by: lower case where the network's addresses ignore case. */
export function comparableAddress(network: string, address: string): string {
  const family = networkFamily(network)
  return family === null ? address : NORMALISERS[family](address)
}

/** True where two spellings are one address. On an unknown network only the same text is. */
export const addressesEqual = (network: string, a: string, b: string): boolean =>
  comparableAddress(network, a) === comparableAddress(network, b)
