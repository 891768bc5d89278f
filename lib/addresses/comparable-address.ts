import { cashaddrKey, isCashaddrLike } from './cashaddr.ts'
import { networkFamily } from './network-family.ts'
import type { NetworkFamily } from './networks.ts'
import {
  BITCOIN_PREFIXES,
  isSegwitLike,
  LITECOIN_PREFIXES,
  MWEB,
  SILENT_PAYMENTS,
  type SegwitPrefixes,
} from './segwit.ts'

const unchanged = (address: string): string => address
const normaliseBech32 =
  (...formats: readonly SegwitPrefixes[]) =>
  (address: string) =>
    formats.some((prefixes) => isSegwitLike(address, prefixes)) ? address.toLowerCase() : address

const NORMALISERS: Readonly<Record<NetworkFamily, (address: string) => string>> = {
  bitcoin: normaliseBech32(BITCOIN_PREFIXES, SILENT_PAYMENTS),
  bitcoin_cash: (address) => (isCashaddrLike(address) ? cashaddrKey(address) : address),
  litecoin: normaliseBech32(LITECOIN_PREFIXES, MWEB),
  dogecoin: unchanged,
  ethereum: (address) => address.toLowerCase(),
  tron: unchanged,
  solana: unchanged,
}

/** In Ethereum's format the case is only a checksum, on every network. */
const isEthereumLike = (address: string): boolean => /^0x[0-9a-f]{40}$/i.test(address)

/**
 * A normalised spelling for comparing addresses: lower case if the format ignores case, and one spelling for each hash
 * of Bitcoin Cash.
 */
export function comparableAddress(network: string, address: string): string {
  const family = networkFamily(network)
  if (family !== null) return NORMALISERS[family](address)
  return isEthereumLike(address) ? address.toLowerCase() : address
}
