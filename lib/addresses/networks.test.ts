import { expect, test } from 'vitest'
import { EVM_CHAINS, evmChainId } from './evm-chains.ts'
import { explorerUrl } from './explorer.ts'
import { isSameNetwork, networkFamily } from './network-family.ts'
import { findNetwork } from './networks.ts'

test.each([
  ['Bitcoin', 'bitcoin'],
  ['btc', 'bitcoin'],
  ['Bitcoin Mainnet', 'bitcoin'],
  ['ERC20', 'ethereum'],
  ['erc-20', 'ethereum'],
  ['Ethereum (ERC20)', 'ethereum'],
  ['ethereum-mainnet', 'ethereum'],
  ['eip155:1', 'ethereum'],
  ['MATIC', 'ethereum'],
  ['Polygon PoS', 'ethereum'],
  ['BNB Smart Chain (BEP20)', 'ethereum'],
  ['Arbitrum One', 'ethereum'],
  ['OP Mainnet', 'ethereum'],
  ['Avalanche C-Chain', 'ethereum'],
  ['TRC-20', 'tron'],
  ['TRON', 'tron'],
  ['Tron (TRC20)', 'tron'],
  ['Solana', 'solana'],
  ['Litecoin', 'litecoin'],
  ['DOGE', 'dogecoin'],
  ['Bitcoin Cash', 'bitcoin_cash'],
  ['Bitcoin (Lightning)', null],
  ['Bitcoin Testnet', null],
  ['Ethereum (TRC20)', null],
  ['Sepolia', null],
  ['Fantom', 'ethereum'],
  ['FTM', 'ethereum'],
  ['Fantom Opera Network', 'ethereum'],
  ['Fantom (FTM)', 'ethereum'],
  ['Fantom (ERC20)', 'ethereum'],
  ['Polygon ERC-20', 'ethereum'],
  ['opBNB', 'ethereum'],
  ['zkSync Era Mainnet', 'ethereum'],
  ['Mantle', 'ethereum'],
  ['World Chain', 'ethereum'],
  ['Ethereum Chain', 'ethereum'],
  ['Ethereum Classic', 'ethereum'],
  ['ETHW', 'ethereum'],
  ['Kaia', 'ethereum'],
  ['Dogechain', 'ethereum'],
  ['Kava EVM', 'ethereum'],
  ['Polygon zkEVM', 'ethereum'],
  ['Sei (EVM)', 'ethereum'],
  ['eip155:1101', 'ethereum'],
  ['eip155:123456789', 'ethereum'],
  // Chains with a second format, or another checksum.
  ['Kava', null],
  ['Sei', null],
  ['Sei (non-EVM)', null],
  ['Ronin', null],
  ['Rootstock', null],
  ['XDC Network', null],
  ['Bitcoin Chain', null],
  ['Kava EVM Testnet', null],
  ['Fantom Testnet', null],
  ['chain', null],
  ['network', null],
  ['constructor', null],
  ['', null],
  ['()', null],
])('the network "%s" is %s', (name, family) => {
  expect(networkFamily(name)).toBe(family)
})

test.each([
  ['Tron', 'TRC20', true],
  ['Fantom', 'FTM Network', true],
  ['Fantom', 'eip155:250', true],
  ['Ethereum', 'eip155:1', true],
  ['Somewhere', ' somewhere', true],
  ['Fantom', 'Ethereum', false],
  ['Polygon', 'Polygon zkEVM', false],
  ['Kava EVM', 'Sei EVM', false],
  ['Somewhere', 'Elsewhere', false],
])('%s and %s are one network: %s', (one, other, same) => {
  expect(isSameNetwork(one, other)).toBe(same)
})

test('each name in the table of chains belongs to one chain and to no known network', () => {
  for (const [id, names] of Object.entries(EVM_CHAINS))
    for (const name of names.split(' ')) {
      expect([name, evmChainId(name)]).toEqual([name, Number(id)])
      expect([name, findNetwork(name)]).toEqual([name, null])
    }
})

const HASH = 'ab'.repeat(32)
const SOLANA = '5'.repeat(88)

test.each([
  ['Ethereum', `0x${HASH}`, `https://etherscan.io/tx/0x${HASH}`],
  ['Ethereum', HASH.toUpperCase(), `https://etherscan.io/tx/0x${HASH}`],
  ['Polygon', `0x${HASH}`, `https://polygonscan.com/tx/0x${HASH}`],
  ['Bitcoin', HASH, `https://mempool.space/tx/${HASH}`],
  ['TRC20', HASH, `https://tronscan.org/#/transaction/${HASH}`],
  ['Solana', SOLANA, `https://solscan.io/tx/${SOLANA}`],
  ['Solana', `${SOLANA}/../x`, null],
  ['Ethereum', `0x${HASH}?x=1`, null],
  ['Ethereum', 'javascript:alert(1)', null],
  ['Ethereum', '', null],
  ['Somewhere', HASH, null],
])('on %s the transaction %s is shown at %s', (network, hash, url) => {
  expect(explorerUrl(network, hash, null)).toBe(url)
})

test.each([
  ['Somewhere (new)', 'a/b', 'http://localhost:4010/explorer/Somewhere%20(new)/a%2Fb'],
  ['Ethereum', `0x${HASH}`, `http://localhost:4010/explorer/Ethereum/0x${HASH}`],
  ['{hash}', 'abc', 'http://localhost:4010/explorer/%7Bhash%7D/abc'],
  ['Ethereum', '', null],
  ['Ethereum', 'a b', null],
  ['\ud800', 'abc', null],
])('the installation’s own explorer has a page for every network: %s, %s', (network, hash, url) => {
  expect(explorerUrl(network, hash, 'http://localhost:4010/explorer/{network}/{hash}')).toBe(url)
})
