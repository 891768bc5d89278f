import { comparableAddress } from './comparable-address.ts'
import { isSameNetwork } from './network-family.ts'
import type { KnownNetwork } from './networks.ts'

export interface TokenContract {
  readonly network: KnownNetwork['id']
  /** The currency's code. */
  readonly code: string
  readonly decimals: number
  readonly address: string
}

const token = (network: KnownNetwork['id'], code: string, decimals: number, address: string): TokenContract => ({
  network,
  code,
  decimals,
  address,
})

/** The contracts of the tokens that are withdrawn most. The address of a contract is not a wallet. */
export const TOKEN_CONTRACTS: readonly TokenContract[] = [
  token('ethereum', 'USDT', 6, '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
  token('ethereum', 'USDC', 6, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  token('ethereum', 'DAI', 18, '0x6B175474E89094C44Da98b954EedeAC495271d0F'),
  token('ethereum', 'WBTC', 8, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'),
  token('ethereum', 'WETH', 18, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
  token('ethereum', 'LINK', 18, '0x514910771AF9Ca656af840dff83E8264EcF986CA'),
  token('polygon', 'USDT', 6, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
  token('polygon', 'USDC', 6, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  token('polygon', 'USDC.e', 6, '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'),
  token('polygon', 'DAI', 18, '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'),
  token('bnb', 'USDT', 18, '0x55d398326f99059fF775485246999027B3197955'),
  token('bnb', 'USDC', 18, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'),
  token('arbitrum', 'USDT', 6, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'),
  token('arbitrum', 'USDC', 6, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  token('optimism', 'USDT', 6, '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58'),
  token('optimism', 'USDC', 6, '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
  token('optimism', 'WETH', 18, '0x4200000000000000000000000000000000000006'),
  token('base', 'USDC', 6, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  token('base', 'WETH', 18, '0x4200000000000000000000000000000000000006'),
  token('avalanche', 'USDT', 6, '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7'),
  token('avalanche', 'USDC', 6, '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
  token('tron', 'USDT', 6, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
  token('tron', 'USDC', 6, 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'),
  token('solana', 'USDC', 6, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  token('solana', 'USDT', 6, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
  token('solana', 'WSOL', 9, 'So11111111111111111111111111111111111111112'),
]

/** The token whose contract has this address on this network. */
export function tokenOfContract(network: string, address: string): TokenContract | null {
  const key = comparableAddress(network, address)
  const found = TOKEN_CONTRACTS.find(
    (contract) => isSameNetwork(contract.network, network) && comparableAddress(network, contract.address) === key,
  )
  return found ?? null
}
