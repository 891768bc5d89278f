import { evmChainId, isEvmNetwork } from './evm-chains.ts'
import { findNetwork, type NetworkFamily } from './networks.ts'

/** The address family for a network's name; null if unknown. */
export const networkFamily = (name: string): NetworkFamily | null =>
  findNetwork(name)?.family ?? (isEvmNetwork(name) ? 'ethereum' : null)

/** The same for all names of one network: the chain id of an EVM chain, or a known network's id. */
const networkKey = (name: string): string | number | null => evmChainId(name) ?? findNetwork(name)?.id ?? null

/** True for equal names, and for two names of one known network, such as `Tron` and `TRC20`. */
export function isSameNetwork(one: string, other: string): boolean {
  const plain = (name: string): string => name.trim().toLowerCase()
  const key = networkKey(one)
  return plain(one) === plain(other) || (key !== null && key === networkKey(other))
}
