import { cashaddrKey, isCashaddrLike } from './cashaddr.ts'
import { networkFamily, type NetworkFamily } from './networks.ts'
import { isSegwitLike, type SegwitPrefixes } from './segwit.ts'
import { BITCOIN_PREFIXES, LITECOIN_PREFIXES } from './segwit-prefixes.ts'

const asItIs = (address: string): string => address
const segwitKey = (prefixes: SegwitPrefixes) => (address: string) =>
  isSegwitLike(address, prefixes) ? address.toLowerCase() : address

const KEYS: Readonly<Record<NetworkFamily, (address: string) => string>> = {
  bitcoin: segwitKey(BITCOIN_PREFIXES),
  bitcoin_cash: (address) => (isCashaddrLike(address) ? cashaddrKey(address) : address),
  litecoin: segwitKey(LITECOIN_PREFIXES),
  dogecoin: asItIs,
  ethereum: (address) => address.toLowerCase(),
  tron: asItIs,
  solana: asItIs,
}

/** The spelling to compare addresses by: without regard to case where the network's addresses have none. */
export function addressKey(network: string, address: string): string {
  const family = networkFamily(network)
  return family === null ? address : KEYS[family](address)
}

/** True where two spellings mean one address. On a network that we do not know: the same text. */
export const addressesEqual = (network: string, a: string, b: string): boolean =>
  addressKey(network, a) === addressKey(network, b)
