import { bitcoin, evm, solana, tron } from './address-encodings.ts'
import type { AddressEncoding } from './address-encodings.ts'

export interface Network {
  readonly name: string
  readonly encoding: AddressEncoding
  readonly chainId: number | null
  readonly colour: string
}

export const NETWORKS = {
  Bitcoin: { name: 'Bitcoin', encoding: bitcoin, chainId: null, colour: '#f7931a' },
  Ethereum: { name: 'Ethereum', encoding: evm, chainId: 1, colour: '#627eea' },
  Tron: { name: 'Tron', encoding: tron, chainId: null, colour: '#e0332c' },
  Solana: { name: 'Solana', encoding: solana, chainId: null, colour: '#14a37f' },
  Polygon: { name: 'Polygon', encoding: evm, chainId: 137, colour: '#8247e5' },
} as const satisfies Readonly<Record<string, Network>>

export type NetworkName = keyof typeof NETWORKS

export const NETWORK_NAMES = Object.keys(NETWORKS) as readonly NetworkName[]
