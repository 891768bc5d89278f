/** Payment URIs that wallets on a phone open: BIP 21 and similar forms, Solana Pay, EIP-681. */
import { evmChainId } from './evm-chains.ts'
import { findNetwork } from './networks.ts'
import { coinOf, plainCode, SCHEMES } from './payment-uri.ts'
import type { TaggedAddress } from './tags.ts'

export interface PaidCurrency {
  readonly currency_code: string
  readonly network: string
}

/**
 * A URI that asks a wallet for a payment to this address, without an amount. Null for a token, whose payment a wallet
 * would read as one in the network's coin; for an address with a tag; and for a network without such URIs.
 */
export function paymentUriOf({ currency_code, network }: PaidCurrency, { address, tag }: TaggedAddress): string | null {
  if (tag !== null || !/^[\w:]+$/.test(address)) return null
  const code = plainCode(currency_code)
  const chainId = evmChainId(network)
  if (chainId !== null) return coinOf(chainId) === code ? `ethereum:${address}@${String(chainId)}` : null
  const name = findNetwork(network)?.id.replaceAll('-', '') ?? ''
  if (SCHEMES.get(name)?.coin !== code) return null
  return address.startsWith(`${name}:`) ? address : `${name}:${address}`
}
