import { evmChainId, isEvmNetwork } from './evm-chains.ts'
import { findNetwork, type NetworkFamily } from './networks.ts'

/** The address family of a network's name; null where it is unknown. */
export const networkFamily = (name: string): NetworkFamily | null =>
  findNetwork(name)?.family ?? (isEvmNetwork(name) ? 'ethereum' : null)

/** What two names of one network share: a known network's id, or the chain id of an EVM chain. */
const networkKey = (name: string): string | number | null => evmChainId(name) ?? findNetwork(name)?.id ?? null

/** By name, or two names of one network that we know, such as `Tron` and `TRC20`. */
export function isSameNetwork(one: string, other: string): boolean {
  const plain = (name: string): string => name.trim().toLowerCase()
  const key = networkKey(one)
  return plain(one) === plain(other) || (key !== null && key === networkKey(other))
}
