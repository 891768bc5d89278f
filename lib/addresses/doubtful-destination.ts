/** Valid addresses that are almost surely a mistake as a destination. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import { checkAddress } from './check-address.ts'
import { comparableAddress } from './comparable-address.ts'
import { networkFamily } from './network-family.ts'
import type { NetworkFamily } from './networks.ts'
import { splitTag, type TaggedAddress } from './tags.ts'
import { tokenOfContract } from './token-contracts.ts'

export type DestinationDoubt =
  /** Nobody has its key. */
  | { readonly kind: 'burn' }
  /** A token's own contract. */
  | { readonly kind: 'contract'; readonly token: string }
  /** The user's own deposit address. */
  | { readonly kind: 'own' }
  /** On a network that we do not check: a valid address of another network. */
  | { readonly kind: 'looks_like'; readonly looksLike: NetworkFamily }

/** The user's addresses and the tokens that the page has seen. */
export interface KnownAddresses {
  readonly own: readonly TaggedAddress[]
  readonly contracts: readonly { readonly network: string; readonly code: string; readonly address: string }[]
}

/**
 * 20 bytes without a known key: numbers below 65,536 (zero, `…dead`, precompiled contracts), one repeated digit, and
 * `dead` followed by zeros or by 42069 repeated.
 */
const isBurnHash = (hex: string): boolean =>
  /^(?:0{36}[0-9a-f]{4}|([0-9a-f])\1{39}|dead0{36}|dead0{16}(?:42069){4})$/.test(hex)

const base58check = createBase58check(sha256)
/** The hash of a Base58Check address in hexadecimal. */
const base58Hash = (address: string): string => {
  try {
    return bytesToHex(base58check.decode(address).subarray(1))
  } catch {
    return ''
  }
}

/** Addresses with a readable text instead of a hash, and programs of the network. */
const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  '1BitcoinEaterAddressDontSendf59kuE',
  '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
  'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr',
  // Solana: system program, incinerator, token program, associated token program.
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
])

/** A hash of zeros, in bech32 and in CashAddr. */
const ZERO_HASH = /^(?:(?:bc|ltc)1[a-z0-9]q{32,52}.{6}|bitcoincash:[pq]q{33}.{8})$/

const isBurnHex = (address: string): boolean => isBurnHash(address.slice(2))
const isBurnBase58 = (address: string): boolean => isBurnHash(base58Hash(address))

const BURNS: Readonly<Record<NetworkFamily, (key: string) => boolean>> = {
  bitcoin: isBurnBase58,
  bitcoin_cash: isBurnBase58,
  litecoin: isBurnBase58,
  dogecoin: isBurnBase58,
  tron: isBurnBase58,
  ethereum: isBurnHex,
  solana: () => false,
}

function isBurn(network: string, key: string): boolean {
  const family = networkFamily(network)
  return family !== null && (BURN_ADDRESSES.has(key) || ZERO_HASH.test(key) || BURNS[family](key))
}

/** Why to ask the user before sending to this address; null if there is no doubt. */
export function doubtAbout(network: string, address: string, known: KnownAddresses): DestinationDoubt | null {
  const keyOf = (text: string): string => comparableAddress(network, splitTag(network, text).address)
  const key = keyOf(address)
  if (isBurn(network, key)) return { kind: 'burn' }
  const token =
    tokenOfContract(network, address)?.code ??
    known.contracts.find((contract) => contract.network === network && keyOf(contract.address) === key)?.code
  if (token !== undefined) return { kind: 'contract', token }
  // The same address with another tag belongs to somebody else.
  const { tag } = splitTag(network, address)
  if (known.own.some((own) => keyOf(own.address) === key && (tag === null || tag === own.tag))) return { kind: 'own' }
  const check = checkAddress(network, address)
  return check.ok && check.checked === 'generic' && check.looksLike !== undefined
    ? { kind: 'looks_like', looksLike: check.looksLike }
    : null
}
