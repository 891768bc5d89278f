import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** 32 bytes that depend only on the parts. */
export const deterministicBytes = (...parts: readonly string[]): Uint8Array => sha256(utf8ToBytes(parts.join('\u0000')))

/** A UUID in the form of version 4 that depends only on the parts. */
export function deterministicUuid(...parts: readonly string[]): string {
  const hex = bytesToHex(deterministicBytes(...parts))
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4] ?? '8'
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
