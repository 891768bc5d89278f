/**
 * Reads payment URIs: BIP 21 and similar forms, Solana Pay, EIP-681, and Ethereum addresses with a chain (ERC-3770
 * `eth:0x…`, CAIP-10 `eip155:1:0x…`).
 */
import { canonical, decimalFromNumberText, isPositive, type Decimal } from '#lib/contract/money.ts'
import { isCashaddrLike } from './cashaddr.ts'
import { evmChainId } from './evm-chains.ts'
import { tokenOfContract } from './token-contracts.ts'
import { only, readQuery, tagOf, type UriQuery } from './uri-query.ts'

export interface PaymentUri {
  readonly address: string
  /** A name of the network; null for an Ethereum address without a chain. */
  readonly network: string | null
  /** The requested currency, as its code or as the contract of a token; null if the URI names none. */
  readonly code: string | null
  readonly amount: Decimal | null
  /** A destination tag or memo. */
  readonly tag: string | null
}

/** URIs of the form `scheme:address?amount=1.5`, in whole coins. */
interface Scheme {
  readonly network: string
  readonly coin: string
  /** The parameter with the contract of a token. */
  readonly token?: string
}

export const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['bitcoin', { network: 'Bitcoin', coin: 'BTC' }],
  ['bitcoincash', { network: 'Bitcoin Cash', coin: 'BCH' }],
  ['litecoin', { network: 'Litecoin', coin: 'LTC' }],
  ['dogecoin', { network: 'Dogecoin', coin: 'DOGE' }],
  ['tron', { network: 'Tron', coin: 'TRX', token: 'token' }],
  ['solana', { network: 'Solana', coin: 'SOL', token: 'spl-token' }],
])

/** Short names of chains (ERC-3770) that are not also names of the network. */
const SHORT_NAMES: ReadonlyMap<string, number> = new Map([
  ['arb1', 42161],
  ['oeth', 10],
  ['gno', 100],
  ['scr', 534352],
  ['bnb', 56],
])

/** The coins of chains whose coin is not ether. */
const COINS: ReadonlyMap<number, string> = new Map([
  [56, 'BNB'],
  [100, 'XDAI'],
  [137, 'POL'],
  [42220, 'CELO'],
  [43114, 'AVAX'],
])
const ETHER_CHAINS: readonly number[] = [1, 10, 130, 324, 8453, 42161, 42170, 59144, 81457, 534352]
/** The code of a chain's own coin; null if it is unknown. */
export const coinOf = (chainId: number): string | null =>
  COINS.get(chainId) ?? (ETHER_CHAINS.includes(chainId) ? 'ETH' : null)

/** Second codes of a coin. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['XBT', 'BTC'],
  ['MATIC', 'POL'],
])
/** One code for each coin. */
export const plainCode = (code: string): string => ALIASES.get(code.toUpperCase()) ?? code.toUpperCase()

const WEI_DECIMALS = 18
type Payment = Omit<PaymentUri, 'tag'>

/** An amount in units; 10^decimals units are one coin. */
function readAmount(text: string | null, decimals: number): Decimal | null {
  const [, digits, exponent = '0'] = /^(\d+(?:\.\d+)?|\.\d+)(?:e(\d{1,2}))?$/i.exec(text ?? '') ?? []
  if (digits === undefined) return null
  const shifted = decimalFromNumberText(`${digits.replace(/^\./, '0.')}e${String(Number(exponent) - decimals)}`)
  return shifted !== null && isPositive(shifted) ? canonical(shifted) : null
}

const codeOfContract = (network: string, contract: string): string =>
  tokenOfContract(network, contract)?.code ?? contract

function readCoinUri(name: string, scheme: Scheme, address: string, query: UriQuery): Payment | null {
  // BIP 21: a reader that does not know a required parameter must not pay.
  if ([...query.keys()].some((parameter) => parameter.startsWith('req-'))) return null
  const { network, coin } = scheme
  const contract = scheme.token === undefined ? null : only(query, scheme.token)
  const amount = readAmount(only(query, 'amount'), 0)
  return {
    // A Bitcoin Cash address keeps its prefix, which is part of the address.
    address: name === 'bitcoincash' && isCashaddrLike(address) ? `${name}:${address}` : address,
    network,
    code: contract === null ? amount && coin : codeOfContract(network, contract),
    amount,
  }
}

/** The network of a chain id; null without a chain id. */
const chainName = (chainId: string | undefined): string | null => (chainId === undefined ? null : `eip155:${chainId}`)

const ETHEREUM_URI = /^(?:pay-)?(0x[0-9a-f]{40})(?:@(\d{1,18}))?(?:\/([a-z0-9]+))?$/i

/** EIP-681: a payment in the chain's coin (in wei), or a call of a token's `transfer` (in the token's units). */
function readEthereumUri(path: string, query: UriQuery): Payment | null {
  const [, target, chainId, call] = ETHEREUM_URI.exec(path) ?? []
  if (target === undefined) return null
  const network = chainName(chainId)
  if (call === undefined) {
    // Without a chain id, the amount is in Ethereum's coin.
    const amount = readAmount(only(query, 'value'), WEI_DECIMALS)
    return { address: target, network, code: amount && coinOf(Number(chainId ?? 1)), amount }
  }
  const address = only(query, 'address')
  if (call !== 'transfer' || address === null) return null
  const onNetwork = network ?? 'Ethereum'
  const decimals = tokenOfContract(onNetwork, target)?.decimals
  const amount = decimals === undefined ? null : readAmount(only(query, 'uint256'), decimals)
  return { address, network, code: codeOfContract(onNetwork, target), amount }
}

/** An Ethereum address after a chain's short name or id. */
function readChainAddress(text: string): PaymentUri | null {
  const [, prefix = '', address] = /^([a-z0-9-]+(?::\d{1,18})?):(0x[0-9a-f]{40})$/i.exec(text) ?? []
  if (address === undefined) return null
  const chainId = SHORT_NAMES.get(prefix.toLowerCase()) ?? evmChainId(prefix)
  return chainId === null ? null : { address, network: chainName(String(chainId)), code: null, amount: null, tag: null }
}

/** Null for any other text. The address is not checked. */
export function readPaymentUri(text: string): PaymentUri | null {
  const [, name = '', rest = ''] = /^([a-z]+):(?:\/\/)?(.+)$/i.exec(text) ?? []
  const scheme = name.toLowerCase()
  const known = SCHEMES.get(scheme)
  if (!known && scheme !== 'ethereum') return readChainAddress(text)
  const [path = '', ...parameters] = rest.split('?')
  const query = readQuery(parameters.join('?'))
  if (query === null || path === '') return null
  const read = known ? readCoinUri(scheme, known, path, query) : readEthereumUri(path, query)
  return read && { ...read, tag: tagOf(query) }
}
