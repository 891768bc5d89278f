/**
 * Finds the blockchain of a currency's `network`. The gateway's names are free text, so many spellings are accepted.
 */

/** In the search order of `looksLike`: a legacy Bitcoin Cash address is also a Bitcoin address. */
export const NETWORK_FAMILIES = [
  'bitcoin',
  'bitcoin_cash',
  'litecoin',
  'dogecoin',
  'ethereum',
  'tron',
  'solana',
] as const
/** Networks of one family share one address format; `ethereum` is every chain with Ethereum's addresses. */
export type NetworkFamily = (typeof NETWORK_FAMILIES)[number]

interface Network {
  readonly id: string
  readonly family: NetworkFamily
  /** URL of a public explorer, up to the transaction hash. */
  readonly explorer: string
  /** Accepted spellings, in lower case without spaces and punctuation. */
  readonly names: string
}

export const KNOWN_NETWORKS = [
  { id: 'bitcoin', family: 'bitcoin', explorer: 'https://mempool.space/tx/', names: 'bitcoin btc xbt segwit' },
  {
    id: 'bitcoin-cash',
    family: 'bitcoin_cash',
    explorer: 'https://blockchair.com/bitcoin-cash/transaction/',
    names: 'bitcoincash bch',
  },
  { id: 'litecoin', family: 'litecoin', explorer: 'https://litecoinspace.org/tx/', names: 'litecoin ltc' },
  {
    id: 'dogecoin',
    family: 'dogecoin',
    explorer: 'https://blockchair.com/dogecoin/transaction/',
    names: 'dogecoin doge',
  },
  { id: 'tron', family: 'tron', explorer: 'https://tronscan.org/#/transaction/', names: 'tron trx trc20 trc10' },
  { id: 'solana', family: 'solana', explorer: 'https://solscan.io/tx/', names: 'solana sol spl' },
  { id: 'ethereum', family: 'ethereum', explorer: 'https://etherscan.io/tx/', names: 'ethereum eth erc20 erc eip1551' },
  {
    id: 'polygon',
    family: 'ethereum',
    explorer: 'https://polygonscan.com/tx/',
    names: 'polygon polygonpos matic pol eip155137',
  },
  {
    id: 'bnb',
    family: 'ethereum',
    explorer: 'https://bscscan.com/tx/',
    names: 'bsc bnb bep20 bnbchain bnbsmartchain binancesmartchain binance eip15556',
  },
  {
    id: 'arbitrum',
    family: 'ethereum',
    explorer: 'https://arbiscan.io/tx/',
    names: 'arbitrum arbitrumone arb eip15542161',
  },
  {
    id: 'optimism',
    family: 'ethereum',
    explorer: 'https://optimistic.etherscan.io/tx/',
    names: 'optimism op eip15510',
  },
  { id: 'base', family: 'ethereum', explorer: 'https://basescan.org/tx/', names: 'base eip1558453' },
  {
    id: 'avalanche',
    family: 'ethereum',
    explorer: 'https://snowscan.xyz/tx/',
    names: 'avalanche avalanchec avalanchecchain avax avaxc avaxcchain cchain arc20 eip15543114',
  },
  { id: 'linea', family: 'ethereum', explorer: 'https://lineascan.build/tx/', names: 'linea eip15559144' },
  { id: 'scroll', family: 'ethereum', explorer: 'https://scrollscan.com/tx/', names: 'scroll eip155534352' },
  {
    id: 'gnosis',
    family: 'ethereum',
    explorer: 'https://gnosisscan.io/tx/',
    names: 'gnosis gnosischain xdai eip155100',
  },
  { id: 'celo', family: 'ethereum', explorer: 'https://celoscan.io/tx/', names: 'celo eip15542220' },
] as const satisfies readonly Network[]

export type KnownNetwork = (typeof KNOWN_NETWORKS)[number]

const BY_NAME = new Map<string, KnownNetwork>(
  KNOWN_NETWORKS.flatMap((network) => network.names.split(' ').map((name) => [name, network] as const)),
)

const named = (text: string): KnownNetwork | undefined => {
  const name = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return BY_NAME.get(name) ?? BY_NAME.get(name.replace(/(?:mainnet|network|blockchain)$/, ''))
}

/**
 * The network with this name, or null. `Tron (TRC20)` is found because both parts name one known network.
 * `Bitcoin (Lightning)` and test networks are not found.
 */
export function findNetwork(name: string): KnownNetwork | null {
  const whole = named(name)
  if (whole) return whole
  const parts = name.split(/[()[\]/]/).filter((part) => part.trim() !== '')
  const [first, ...others] = parts.map(named)
  return first && others.every((other) => other === first) ? first : null
}

/** True for two names of one network of this file, such as `Tron` and `TRC20`. */
export function isSameKnownNetwork(one: string, other: string): boolean {
  const known = findNetwork(one)
  return known !== null && known === findNetwork(other)
}

/** The known spellings of a network, such as `trc20` for Tron; empty if the network is unknown. */
export const networkSpellings = (name: string): string => findNetwork(name)?.names ?? ''
