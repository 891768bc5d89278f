import { checkBase58Check, checkSolana, type Versions } from './base58.ts'
import { checkCashaddr, isCashaddrLike } from './cashaddr.ts'
import { checkEthereum } from './eip55.ts'
import { networkFamily } from './network-family.ts'
import { NETWORK_FAMILIES, type NetworkFamily } from './networks.ts'
import {
  BITCOIN_PREFIXES,
  checkSegwit,
  checkStealth,
  isSegwitLike,
  LITECOIN_PREFIXES,
  MWEB,
  SILENT_PAYMENTS,
  type SegwitPrefixes,
  type StealthFormat,
} from './segwit.ts'
import type { FormatResult } from './format-result.ts'

/** What is wrong with an address; the page has a message for each code. */
export type AddressFault =
  | 'empty'
  /** Over 256 characters. */
  | 'too_long'
  /** A space, a line break, or anything outside printable ASCII. */
  | 'not_visible_ascii'
  /** An address of another network, which `looksLike` names. */
  | 'wrong_network'
  /** An address of a test network. */
  | 'testnet'
  /** The right format, with a typing mistake. */
  | 'bad_checksum'
  /** Not an address of this network. */
  | 'malformed'

export type AddressCheck =
  | { readonly ok: true; readonly checked: 'full' }
  /**
   * The network is unknown: only length and characters were checked. `looksLike`: the family that the address belongs
   * to.
   */
  | { readonly ok: true; readonly checked: 'generic'; readonly looksLike?: NetworkFamily }
  | { readonly ok: false; readonly fault: AddressFault; readonly looksLike?: NetworkFamily }

const BITCOIN = { main: [0x00, 0x05], test: [0x6f, 0xc4] }
/** Litecoin's old script addresses start with `3` and look exactly like Bitcoin's, so they are refused. */
const LITECOIN = { main: [0x30, 0x32], test: [0x3a, 0x6f, 0xc4] }
const DOGECOIN = { main: [0x16, 0x1e], test: [0x71, 0xc4] }
const TRON = { main: [0x41], test: [] }

/** The prefix decides: a segwit address, one of the newer long formats, or a legacy address. */
const checkBitcoinLike =
  (segwit: SegwitPrefixes, stealth: StealthFormat, legacy: Versions) =>
  (address: string): FormatResult => {
    if (isSegwitLike(address, segwit)) return checkSegwit(address, segwit)
    return isSegwitLike(address, stealth) ? checkStealth(address, stealth) : checkBase58Check(address, legacy)
  }

const CHECKS: Readonly<Record<NetworkFamily, (address: string) => FormatResult>> = {
  bitcoin: checkBitcoinLike(BITCOIN_PREFIXES, SILENT_PAYMENTS, BITCOIN),
  bitcoin_cash: (address) => (isCashaddrLike(address) ? checkCashaddr(address) : checkBase58Check(address, BITCOIN)),
  litecoin: checkBitcoinLike(LITECOIN_PREFIXES, MWEB, LITECOIN),
  dogecoin: (address) => checkBase58Check(address, DOGECOIN),
  ethereum: checkEthereum,
  tron: (address) => checkBase58Check(address, TRON),
  solana: checkSolana,
}

const refused = (fault: AddressFault): AddressCheck => ({ ok: false, fault })

const familyOf = (address: string): NetworkFamily | undefined =>
  NETWORK_FAMILIES.find((family) => CHECKS[family](address) === 'ok')

/** Checks `address` (not trimmed) for the network of a currency. `network` may be any usual name of it. */
export function checkAddress(network: string, address: string): AddressCheck {
  if (address === '') return refused('empty')
  if (!/^[\x21-\x7e]*$/.test(address)) return refused('not_visible_ascii')
  if (address.length > 256) return refused('too_long')
  const family = networkFamily(network)
  if (family === null) {
    const looksLike = familyOf(address)
    return { ok: true, checked: 'generic', ...(looksLike && { looksLike }) }
  }
  const result = CHECKS[family](address)
  if (result === 'ok') return { ok: true, checked: 'full' }
  if (result !== 'malformed') return refused(result)
  const looksLike = familyOf(address)
  return looksLike === undefined ? refused('malformed') : { ok: false, fault: 'wrong_network', looksLike }
}
