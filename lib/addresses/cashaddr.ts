/** Bitcoin Cash's own form of an address, with or without its prefix. */
import type { Verdict } from './verdict.ts'

const DATA = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const PREFIXES = new Map<string, Verdict>([
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

/** True for what can only be meant as a cash address: one with a prefix, or `q…` and `p…` of 42 characters. */
export const isCashaddrLike = (address: string): boolean => /^(?:[a-z]+:.*|[qp][a-z0-9]{41})$/i.test(address)

/** A cash address in lower case with its prefix. */
export const cashaddrKey = (address: string): string => {
  const lower = address.toLowerCase()
  return lower.includes(':') ? lower : `bitcoincash:${lower}`
}

/** A key's or a script's hash of 20 bytes. */
export function checkCashaddr(address: string): Verdict {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return 'malformed'
  const [prefix = '', payload = ''] = cashaddrKey(address).split(':')
  const verdict = PREFIXES.get(prefix)
  const words = Array.from(payload, (letter) => DATA.indexOf(letter))
  if (verdict === undefined || words.length !== 42 || words.includes(-1)) return 'malformed'
  const prefixWords = Array.from(prefix, (letter) => letter.charCodeAt(0) & 31)
  if (polymod([...prefixWords, 0, ...words]) !== 0n) return 'bad_checksum'
  // The version byte is the first word and three bits of the second: 0 a key's hash, 8 a script's, of 160 bits.
  const version = ((words[0] ?? 0) << 3) | ((words[1] ?? 0) >> 2)
  return version === 0 || version === 8 ? verdict : 'malformed'
}
