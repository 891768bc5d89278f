/** Bitcoin Cash's CashAddr format, with or without its prefix. */
import type { FormatResult } from './format-result.ts'

const DATA = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const PREFIXES = new Map<string, FormatResult>([
  ['bitcoincash', 'ok'],
  ['bchtest', 'testnet'],
  ['bchreg', 'testnet'],
])
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

function polymod(values: readonly number[]): bigint {
  let sum = 1n
  for (const value of values) {
    const top = sum >> 35n
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(value)
    GENERATORS.forEach((generator, bit) => {
      if ((top >> BigInt(bit)) & 1n) sum ^= generator
    })
  }
  return sum ^ 1n
}

/** True for what can only be a CashAddr: a prefix, or `q…` and `p…` of 42 characters. */
export const isCashaddrLike = (address: string): boolean => /^(?:[a-z]+:.*|[qp][a-z0-9]{41})$/i.test(address)

/** A CashAddr in lower case with its prefix. */
export const cashaddrKey = (address: string): string => {
  const lower = address.toLowerCase()
  return lower.includes(':') ? lower : `bitcoincash:${lower}`
}

/** Accepts hashes of 20 bytes, of a key or a script. */
export function checkCashaddr(address: string): FormatResult {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return 'malformed'
  const [prefix = '', payload = ''] = cashaddrKey(address).split(':')
  const result = PREFIXES.get(prefix)
  const groups = Array.from(payload, (letter) => DATA.indexOf(letter))
  if (result === undefined || groups.length !== 42 || groups.includes(-1)) return 'malformed'
  const prefixGroups = Array.from(prefix, (letter) => letter.charCodeAt(0) & 31)
  if (polymod([...prefixGroups, 0, ...groups]) !== 0n) return 'bad_checksum'
  // The version byte is the first group of 5 bits and three bits of the second: 0 a key's hash, 8 a script's, of 160 bits.
  const version = ((groups[0] ?? 0) << 3) | ((groups[1] ?? 0) >> 2)
  return version === 0 || version === 8 ? result : 'malformed'
}
