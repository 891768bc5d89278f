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

/** True if the text can only be a CashAddr: it has a prefix, or a type's first letter and length. */
export const isCashaddrLike = (address: string): boolean =>
  /^(?:[a-z]+:.*|[qpzr][a-z0-9]{41}|[pr][a-z0-9]{60})$/i.test(address)

/** A CashAddr in lower case with its prefix. */
const prefixed = (address: string): string => {
  const lower = address.toLowerCase()
  return lower.includes(':') ? lower : `bitcoincash:${lower}`
}

const CHECKSUM_LETTERS = 8
/** In the version byte: the address accepts tokens too. */
const TOKEN_BIT = 0x10

const prefixGroupsOf = (prefix: string): readonly number[] => Array.from(prefix, (letter) => letter.charCodeAt(0) & 31)

/** A CashAddr in lower case with its prefix. A token-aware address becomes the plain address of the same hash. */
export function cashaddrKey(address: string): string {
  const whole = prefixed(address)
  const [prefix = '', payload = ''] = whole.split(':')
  const [first = -1, ...others] = Array.from(payload.slice(0, -CHECKSUM_LETTERS), (letter) => DATA.indexOf(letter))
  const tokenGroup = TOKEN_BIT >> 3
  if (checkCashaddr(whole) === 'malformed' || (first & tokenGroup) === 0) return whole
  const groups = [first ^ tokenGroup, ...others]
  const sum = polymod([...prefixGroupsOf(prefix), 0, ...groups, ...Array<number>(CHECKSUM_LETTERS).fill(0)])
  const checksum = Array.from({ length: CHECKSUM_LETTERS }, (_, at) =>
    Number((sum >> BigInt(5 * (CHECKSUM_LETTERS - 1 - at))) & 31n),
  )
  return `${prefix}:${[...groups, ...checksum].map((group) => DATA[group]).join('')}`
}

/** Characters after the prefix, by version byte: types of address, and of hashes of 20 or 32 bytes. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  // The hash of a key, of a script, and both for wallets with tokens (2023).
  [0x00, 42],
  [0x08, 42],
  [0x10, 42],
  [0x18, 42],
  // A script's hash of 32 bytes (2023), without and with tokens.
  [0x0b, 61],
  [0x1b, 61],
])

export function checkCashaddr(address: string): FormatResult {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return 'malformed'
  const [prefix = '', payload = ''] = prefixed(address).split(':')
  const result = PREFIXES.get(prefix)
  const groups = Array.from(payload, (letter) => DATA.indexOf(letter))
  if (result === undefined || ![...LENGTHS.values()].includes(groups.length) || groups.includes(-1)) return 'malformed'
  if (polymod([...prefixGroupsOf(prefix), 0, ...groups]) !== 0n) return 'bad_checksum'
  // The first group of 5 bits, and three bits of the second group.
  const version = ((groups[0] ?? 0) << 3) | ((groups[1] ?? 0) >> 2)
  return LENGTHS.get(version) === groups.length ? result : 'malformed'
}
