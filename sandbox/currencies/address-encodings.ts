import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'

/** The formats of addresses and transaction hashes of one family of networks. */
export interface AddressEncoding {
  /** A valid address of this network from 32 bytes. */
  readonly write: (seed: Uint8Array) => string
  readonly isValid: (address: string) => boolean
  /** A transaction hash in this network's format from 32 bytes. */
  readonly hash: (seed: Uint8Array) => string
}

const base58check = createBase58check(sha256)
const TRON_PREFIX = 0x41
const BITCOIN_BASE58_VERSIONS: readonly number[] = [0x00, 0x05]

function holds(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

/** The mixed-case form of EIP-55. */
function checksummed(hex: string): string {
  const lower = hex.toLowerCase()
  const digest = bytesToHex(keccak_256(utf8ToBytes(lower)))
  const mixed = Array.from(lower, (digit, at) =>
    Number.parseInt(digest.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${mixed.join('')}`
}

function isSegwit(address: string): boolean {
  return [bech32, bech32m].some((codec) =>
    holds(() => {
      const { prefix, words } = codec.decode(address as `${string}1${string}`)
      const version = words[0] ?? -1
      const length = codec.fromWords(words.slice(1)).length
      if (prefix !== 'bc' || version < 0 || version > 16) return false
      return codec === bech32
        ? version === 0 && (length === 20 || length === 32)
        : version > 0 && length >= 2 && length <= 40
    }),
  )
}

const isBitcoinBase58 = (address: string): boolean =>
  holds(() => {
    const bytes = base58check.decode(address)
    return bytes.length === 21 && BITCOIN_BASE58_VERSIONS.includes(bytes[0] ?? -1)
  })

export const bitcoin: AddressEncoding = {
  write: (seed) => bech32.encode('bc', [0, ...bech32.toWords(ripemd160(seed))]),
  isValid: (address) => isSegwit(address) || isBitcoinBase58(address),
  hash: bytesToHex,
}

export const evm: AddressEncoding = {
  write: (seed) => checksummed(bytesToHex(seed.slice(0, 20))),
  isValid(address) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
    const hex = address.slice(2)
    return hex === hex.toLowerCase() || hex === hex.toUpperCase() || checksummed(hex) === address
  },
  hash: (seed) => `0x${bytesToHex(seed)}`,
}

export const tron: AddressEncoding = {
  write: (seed) => base58check.encode(Uint8Array.of(TRON_PREFIX, ...seed.slice(0, 20))),
  isValid: (address) =>
    holds(() => {
      const bytes = base58check.decode(address)
      return bytes.length === 21 && bytes[0] === TRON_PREFIX
    }),
  hash: bytesToHex,
}

export const solana: AddressEncoding = {
  write: (seed) => base58.encode(seed),
  isValid: (address) => holds(() => base58.decode(address).length === 32),
  hash: (seed) => base58.encode(Uint8Array.of(...seed, ...sha256(seed))),
}
