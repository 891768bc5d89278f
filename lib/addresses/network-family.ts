import { evmChainId, isEvmNetwork } from './evm-chains.ts'
import { findNetwork, type NetworkFamily } from './networks.ts'

/** The address family for a network's name; null if unknown. */
export const networkFamily = (name: string): NetworkFamily | null =>
  findNetwork(name)?.family ?? (isEvmNetwork(name) ? 'ethereum' : null)

const plainName = (name: string): string => name.trim().toLowerCase()

/** The chain id of an EVM chain, or a known network's id; null for other networks. */
const knownKey = (name: string): string | number | null => evmChainId(name) ?? findNetwork(name)?.id ?? null

/** The same text for all names of one network. */
export const networkKey = (name: string): string => String(knownKey(name) ?? plainName(name))

/** True for equal names, and for two names of one known network, such as `Tron` and `TRC20`. */
export function isSameNetwork(one: string, other: string): boolean {
  const key = knownKey(one)
  return plainName(one) === plainName(other) || (key !== null && key === knownKey(other))
}
