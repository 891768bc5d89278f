import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { FormatResult } from './format-result.ts'

/** An address in EIP-55's mixed case. `address` is `0x` and 40 hexadecimal digits. */
export function toChecksumCase(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  return `0x${Array.from(digits, (digit, at) => ((hash[at] ?? '0') >= '8' ? digit.toUpperCase() : digit)).join('')}`
}

/** Checks the EIP-55 checksum of an address in mixed case; an address in one case has no checksum. */
export function checkEthereum(address: string): FormatResult {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return 'malformed'
  const digits = address.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return isMixed && toChecksumCase(address) !== address ? 'bad_checksum' : 'ok'
}
