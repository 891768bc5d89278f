/**
 * Address poisoning plants an address whose ends equal those of an address that the user knows: wallets and people show
 * and compare the ends only.
 */
import { comparableAddress } from './comparable-address.ts'
import { networkFamily } from './network-family.ts'
import type { NetworkFamily } from './networks.ts'
import { splitTag } from './tags.ts'

/** How many characters at each end make two addresses look alike. */
const END = 4

/** What all addresses of a format begin with, after `comparableAddress`: it distinguishes nothing. */
const PREFIXES: Readonly<Record<NetworkFamily, RegExp>> = {
  bitcoin: /^(?:(?:bc|sp)1.|[13])/,
  bitcoin_cash: /^(?:bitcoincash:.|[13])/,
  litecoin: /^(?:ltc1.|ltcmweb1.|[LM3])/,
  dogecoin: /^[DA9]/,
  ethereum: /^0x/,
  tron: /^T/,
  solana: /^/,
}
/** The formats of other networks: hexadecimal, bech32, XRP Ledger, Stellar, TON. */
const OTHER_PREFIXES =
  /^(?:0x(?=[0-9a-f]+$)|[a-z_]{1,20}1(?=[02-9ac-hj-np-z]{30,}$)|r(?=[1-9A-HJ-NP-Za-km-z]{24,34}$)|G(?=[A-Z2-7]{55}$)|[EU]Q(?=[\w-]{46}$))/

/** The address without its tag, in the spelling by which two are compared. */
const keyOf = (network: string, text: string): string => comparableAddress(network, splitTag(network, text).address)

/** What distinguishes an address of this network, without the prefix of its format. */
function distinguishing(network: string, key: string): string {
  const family = networkFamily(network)
  return key.replace(family === null ? OTHER_PREFIXES : PREFIXES[family], '')
}

/** True for two different addresses whose ends are equal. A tag is no part of an address. */
export function looksAlike(network: string, one: string, other: string): boolean {
  const [a, b] = [keyOf(network, one), keyOf(network, other)]
  if (a === b) return false
  const [first, second] = [distinguishing(network, a), distinguishing(network, b)]
  const isLongEnough = Math.min(first.length, second.length) > 2 * END
  return isLongEnough && first.slice(0, END) === second.slice(0, END) && first.slice(-END) === second.slice(-END)
}

/**
 * Where a known address comes from, the most trusted first: the user sent to it, it is a deposit address of the user's
 * own, or a deposit came from it, which anybody can make.
 */
const FAMILIARITIES = ['sent', 'own', 'received'] as const
type Familiarity = (typeof FAMILIARITIES)[number]

export interface FamiliarAddress {
  readonly address: string
  readonly familiarity: Familiarity
}

/**
 * The familiar address with which the destination may have been confused. Null for an address that the user sent to or
 * owns, and if none looks alike. An address that only sent something may be the planted one, so it proves nothing.
 */
export function lookAlikeOf<Known extends FamiliarAddress>(
  network: string,
  destination: string,
  known: readonly Known[],
): Known | null {
  const key = keyOf(network, destination)
  const isTrusted = known.some(
    ({ address, familiarity }) => familiarity !== 'received' && keyOf(network, address) === key,
  )
  if (isTrusted) return null
  const alike = known.filter(({ address }) => looksAlike(network, destination, address))
  return FAMILIARITIES.flatMap((level) => alike.find(({ familiarity }) => familiarity === level) ?? [])[0] ?? null
}

export interface ComparedGroup {
  readonly text: string
  readonly differs: boolean
}

/** The prefix of a CashAddr, which may be left out. */
const OPTIONAL_PREFIX = /^bitcoincash:/i

const groupsOf = (text: string): readonly string[] => text.replace(OPTIONAL_PREFIX, '').match(/.{1,4}/g) ?? []

/**
 * Both addresses, without tags and optional prefixes, in groups of four characters; a group differs if the group at its
 * place in the other does.
 */
export function compareInGroups(
  network: string,
  one: string,
  other: string,
): readonly [readonly ComparedGroup[], readonly ComparedGroup[]] {
  const compared = (shown: string, against: string): readonly ComparedGroup[] => {
    const [own, others] = [groupsOf(keyOf(network, shown)), groupsOf(keyOf(network, against))]
    return groupsOf(splitTag(network, shown).address).map((text, at) => ({ text, differs: own[at] !== others[at] }))
  }
  return [compared(one, other), compared(other, one)]
}
