import { findNetwork, type NetworkFamily } from './networks.ts'

const hexHash =
  (before: string) =>
  (hash: string): string | null => {
    const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(hash)?.[1]
    return digits === undefined ? null : before + digits.toLowerCase()
  }
const bare = hexHash('')

/** A transaction hash as explorers take it, or null where it has not the family's form. */
const HASHES: Readonly<Record<NetworkFamily, (hash: string) => string | null>> = {
  bitcoin: bare,
  bitcoin_cash: bare,
  litecoin: bare,
  dogecoin: bare,
  ethereum: hexHash('0x'),
  tron: bare,
  solana: (hash) => (/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(hash) ? hash : null),
}

/** Where people look a transaction up (https), or null where the network or the form of the hash is not known. */
export function explorerUrl(network: string, txHash: string): string | null {
  const known = findNetwork(network)
  const hash = known && HASHES[known.family](txHash)
  return known && hash ? known.explorer + hash : null
}
