import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32, bech32m } from '@scure/base'

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** The payload of a base58check address, or null if the checksum is wrong. */
function base58checked(address: string): Buffer | null {
  const bytes = Buffer.from(base58.decode(address))
  const payload = bytes.subarray(0, -4)
  return sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(-4)) ? payload : null
}

function isSegwit(address: string): boolean {
  const version = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.indexOf(address.slice(3, 4))
  const { prefix } = (version === 0 ? bech32 : bech32m).decode(address as `${string}1${string}`)
  return prefix === 'bc'
}

/** EIP-55: a letter is upper case when its digit in the hash of the lower-case text is 8 or more. */
function isEthereum(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
  const digits = address.slice(2)
  const hash = Buffer.from(keccak_256(Buffer.from(digits.toLowerCase()))).toString('hex')
  return [...digits.matchAll(/[a-fA-F]/g)].every(
    ({ 0: letter, index }) => Number.parseInt(hash.charAt(index), 16) >= 8 === (letter === letter.toUpperCase()),
  )
}

const CHECKS: Readonly<Record<string, (address: string) => boolean>> = {
  Bitcoin: (address) => (address.startsWith('bc1') ? isSegwit(address) : base58checked(address)?.length === 21),
  Ethereum: isEthereum,
  Polygon: isEthereum,
  Tron(address) {
    const payload = base58checked(address)
    return payload?.length === 21 && payload[0] === 0x41
  },
  Solana: (address) => base58.decode(address).length === 32,
}

/** Null for an unknown network. */
export function isValidAddress(network: string, address: string): boolean | null {
  const check = CHECKS[network]
  if (!check) return null
  try {
    return check(address)
  } catch {
    return false
  }
}
