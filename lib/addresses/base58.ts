import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'
import type { FormatResult } from './format-result.ts'

/** The bytes of a Base58 text, or null. The limit bounds the decoding time, which is quadratic in the length. */
function base58Bytes(text: string): Uint8Array | null {
  if (text.length > 64) return null
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}

/** The version bytes of a chain's addresses, on the main network and on test networks. */
export interface Versions {
  readonly main: readonly number[]
  readonly test: readonly number[]
}

function formatOfVersion(version: number, versions: Versions): FormatResult {
  if (versions.main.includes(version)) return 'ok'
  return versions.test.includes(version) ? 'testnet' : 'malformed'
}

/** Base58Check of a version byte and a hash of 20 bytes: Bitcoin's legacy format, shared by many chains. */
export function checkBase58Check(address: string, versions: Versions): FormatResult {
  const bytes = base58Bytes(address)
  if (bytes?.length !== 25) return 'malformed'
  const result = formatOfVersion(bytes[0] ?? -1, versions)
  const sum = sha256(sha256(bytes.subarray(0, 21)))
  const isSumRight = bytes.subarray(21).every((byte, at) => byte === sum[at])
  return isSumRight || result === 'malformed' ? result : 'bad_checksum'
}

/** Solana: the 32 bytes of a public key, without any checksum. */
export const checkSolana = (address: string): FormatResult => (base58Bytes(address)?.length === 32 ? 'ok' : 'malformed')
