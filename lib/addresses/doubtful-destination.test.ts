import { expect, test } from 'vitest'
import { checkAddress } from './check-address.ts'
import { doubtAbout } from './doubtful-destination.ts'

const NOTHING = { own: [], contracts: [] }
const EVM = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

test.each([
  ['Ethereum', '0x0000000000000000000000000000000000000000'],
  ['Fantom', '0x0000000000000000000000000000000000000001'],
  ['Polygon', '0x000000000000000000000000000000000000dEaD'],
  ['BSC', '0xdEAD000000000000000042069420694206942069'],
  ['Ethereum', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'],
  ['Ethereum', '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF'],
  ['Tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
  ['Bitcoin', '1111111111111111111114oLvT2'],
  ['Bitcoin', '1BitcoinEaterAddressDontSendf59kuE'],
  ['Bitcoin', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr'],
  ['Bitcoin', 'BC1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ9E75RS'],
  ['Bitcoin Cash', 'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqfnhks603'],
  ['Bitcoin Cash', '1111111111111111111114oLvT2'],
  ['Dogecoin', 'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr'],
  ['Solana', '11111111111111111111111111111111'],
  ['Solana', '1nc1nerator11111111111111111111111111111111'],
])('on %s nobody has the key of %s', (network, address) => {
  expect(checkAddress(network, address)).toEqual({ ok: true, checked: 'full' })
  expect(doubtAbout(network, address, NOTHING)).toEqual({ kind: 'burn' })
})

test.each([
  ['Ethereum', '0xdac17f958d2ee523a2206206994597c13d831ec7', 'USDT'],
  ['TRC20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'USDT'],
  ['Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC'],
  ['Base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USDC'],
])('on %s, %s is the contract of %s', (network, address, token) => {
  expect(doubtAbout(network, address, NOTHING)).toEqual({ kind: 'contract', token })
})

test('the contract of a token in a record of the gateway', () => {
  const known = { own: [], contracts: [{ network: 'Ethereum', code: 'XYZ', address: EVM.toLowerCase() }] }
  expect(doubtAbout('Ethereum', EVM, known)).toEqual({ kind: 'contract', token: 'XYZ' })
  expect(doubtAbout('Polygon', EVM, known)).toBeNull()
})

test('a deposit address of the user is found in any spelling, for any currency', () => {
  const own = [
    { address: EVM.toLowerCase(), tag: null },
    { address: 'bitcoincash:qr7fzmep8g7h7ymfxy74lgc0v950j3r2959lhtxxsl', tag: null },
    { address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', tag: '7' },
  ]
  for (const [network, address, isOwn] of [
    ['Ethereum', EVM, true],
    ['Bitcoin Cash', 'zr7fzmep8g7h7ymfxy74lgc0v950j3r295z4y4gq0v', true],
    ['XRP', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', true],
    ['XRP', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=7', true],
    ['XRP', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=8', false],
  ] as const)
    expect(doubtAbout(network, address, { own, contracts: [] })).toEqual(isOwn ? { kind: 'own' } : null)
})

test('on a network that is not checked, an address of another network is doubted', () => {
  expect(doubtAbout('XRP Ledger', EVM, NOTHING)).toEqual({ kind: 'looks_like', looksLike: 'ethereum' })
})

test.each([
  ['Ethereum', EVM],
  ['Tron', TRON],
  ['Bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['Solana', 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN'],
  ['XRP Ledger', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'],
  // The contract of another network.
  ['Polygon', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
])('on %s there is no doubt about %s', (network, address) => {
  expect(doubtAbout(network, address, { own: [{ address: TRON.toLowerCase(), tag: null }], contracts: [] })).toBeNull()
})
