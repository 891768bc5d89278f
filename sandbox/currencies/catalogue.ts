import type { NetworkName } from './networks.ts'
import { deterministicUuid } from './deterministic-ids.ts'

export interface Currency {
  readonly id: string
  readonly name: string
  readonly code: string
  readonly symbol: string
  readonly network: NetworkName
  /** Empty for the native coin of a network. */
  readonly tokenAddress: string
  readonly decimals: number
  /** Whether the list has an icon. The spec allows its absence. */
  readonly listsIcon: boolean
  /** Whether the on-ramp provider sells it. */
  readonly onramp: boolean
}

type Row = readonly [code: string, name: string, symbol: string, network: NetworkName, decimals: number, token: string]

const ROWS: readonly Row[] = [
  ['BTC', 'Bitcoin', '₿', 'Bitcoin', 8, ''],
  ['ETH', 'Ether', 'Ξ', 'Ethereum', 18, ''],
  ['USDT', 'Tether USD', 'USDT', 'Ethereum', 6, '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  ['USDC', 'USD Coin', 'USDC', 'Ethereum', 6, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  ['DAI', 'Dai', 'DAI', 'Ethereum', 18, '0x6B175474E89094C44Da98b954EedeAC495271d0F'],
  ['WBTC', 'Wrapped Bitcoin', 'WBTC', 'Ethereum', 8, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'],
  ['LINK', 'Chainlink', 'LINK', 'Ethereum', 18, '0x514910771AF9Ca656af840dff83E8264EcF986CA'],
  ['TRX', 'Tronix', 'TRX', 'Tron', 6, ''],
  ['USDT', 'Tether USD', 'USDT', 'Tron', 6, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['SOL', 'Solana', '◎', 'Solana', 9, ''],
  ['USDC', 'USD Coin', 'USDC', 'Solana', 6, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['POL', 'Polygon', 'POL', 'Polygon', 18, ''],
  ['USDT', 'Tether USD', 'USDT', 'Polygon', 6, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
  ['USDC', 'USD Coin', 'USDC', 'Polygon', 6, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
]

const WITHOUT_ICON: readonly string[] = ['DAI', 'LINK']
const NOT_SOLD: readonly string[] = ['WBTC', 'LINK']

/** The 14 currencies of the default list. Their ids never change. */
export const USUAL_CURRENCIES: readonly Currency[] = ROWS.map(
  ([code, name, symbol, network, decimals, tokenAddress]) => ({
    id: deterministicUuid('currency', code, network),
    name,
    code,
    symbol,
    network,
    tokenAddress,
    decimals,
    listsIcon: !WITHOUT_ICON.includes(code),
    onramp: !NOT_SOLD.includes(code),
  }),
)
