import { findNetwork, type NetworkFamily } from './networks.ts'

const hexHash =
  (before: string) =>
  (hash: string): string | null => {
    const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(hash)?.[1]
    return digits === undefined ? null : before + digits.toLowerCase()
  }
const plainHex = hexHash('')

/** A transaction hash in the spelling of the explorers, or null if it does not have the family's format. */
const HASHES: Readonly<Record<NetworkFamily, (hash: string) => string | null>> = {
  bitcoin: plainHex,
  bitcoin_cash: plainHex,
  litecoin: plainHex,
  dogecoin: plainHex,
  ethereum: hexHash('0x'),
  tron: plainHex,
  solana: (hash) => (/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(hash) ? hash : null),
}

/** Accepts a hash of any visible ASCII characters; null if a URL cannot contain the values. */
function ownExplorerUrl(template: string, network: string, txHash: string): string | null {
  if (!/^[!-~]{1,256}$/.test(txHash) || /\p{Surrogate}/u.test(network)) return null
  return template.replaceAll('{network}', encodeURIComponent(network)).replaceAll('{hash}', encodeURIComponent(txHash))
}

/**
 * The transaction's page at a public explorer (https); null if the network or the hash's format is unknown.
 * @param template `EXPLORER_URL`: the explorer for all networks; replaces the public ones
 */
export function explorerUrl(network: string, txHash: string, template: string | null): string | null {
  if (template !== null) return ownExplorerUrl(template, network, txHash)
  const known = findNetwork(network)
  const hash = known && HASHES[known.family](txHash)
  return known && hash ? known.explorer + hash : null
}
