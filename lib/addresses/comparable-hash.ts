import { networkFamily } from './network-family.ts'
import type { NetworkFamily } from './networks.ts'

/** Networks whose hashes are not hexadecimal. */
const WITH_CASE: readonly NetworkFamily[] = ['solana']

/**
 * A normalised spelling for comparing transaction hashes: without `0x`, and in lower case if the network's hashes
 * ignore case. On an unknown network hexadecimal hashes ignore case.
 */
export function comparableHash(network: string, hash: string): string {
  const bare = hash.replace(/^0x/i, '')
  const family = networkFamily(network)
  const ignoresCase = family === null ? /^[0-9a-f]+$/i.test(bare) : !WITH_CASE.includes(family)
  return ignoresCase ? bare.toLowerCase() : bare
}
