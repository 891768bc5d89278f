import { expect, test } from 'vitest'
import { checkAddress } from './check-address.ts'
import { toChecksumCase } from './eip55.ts'
import { TOKEN_CONTRACTS, tokenOfContract } from './token-contracts.ts'

test.each(TOKEN_CONTRACTS)('the contract of $code on $network is a valid address with a checksum', (contract) => {
  const { network, address } = contract
  expect(checkAddress(network, address)).toEqual({ ok: true, checked: 'full' })
  if (address.startsWith('0x')) expect(address).toBe(toChecksumCase(address))
  expect(tokenOfContract(network, address)).toBe(contract)
})

test('a contract is found in any case and by any name of its network, but on no other network', () => {
  const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
  expect(tokenOfContract('ERC20', usdt)?.code).toBe('USDT')
  expect(tokenOfContract('Polygon', usdt)).toBeNull()
  expect(tokenOfContract('Somewhere', usdt)).toBeNull()
})
