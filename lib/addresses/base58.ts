import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'
import type { Verdict } from './verdict.ts'

/** The bytes of a Base58 text, or null. The bound keeps the decoding, quadratic in the length, small. */
function base58Bytes(text: string): Uint8Array | null {
  if (text.length > 64) return null
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}

/** The version bytes of a chain's addresses, for money and for play. */
export interface Versions {
  readonly main: readonly number[]
  readonly test: readonly number[]
}

function verdictOf(version: number, versions: Versions): Verdict {
  if (versions.main.includes(version)) return 'ok'
  return versions.test.includes(version) ? 'testnet' : 'malformed'
}

/** Base58Check of a version byte and a hash of 20 bytes: Bitcoin's first form, used by many chains since. */
export function checkBase58Check(address: string, versions: Versions): Verdict {
  const bytes = base58Bytes(address)
  if (bytes?.length !== 25) return 'malformed'
  const verdict = verdictOf(bytes[0] ?? -1, versions)
  const sum = sha256(sha256(bytes.subarray(0, 21)))
  const isSumRight = bytes.subarray(21).every((byte, at) => byte === sum[at])
  return isSumRight || verdict === 'malformed' ? verdict : 'bad_checksum'
}

/** Solana: the 32 bytes of a public key, without any checksum. */
export const checkSolana = (address: string): Verdict => (base58Bytes(address)?.length === 32 ? 'ok' : 'malformed')
