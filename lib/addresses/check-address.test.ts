import { sha256 } from '@noble/hashes/sha2.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAddress } from './check-address.ts'
import { toChecksumCase } from './eip55.ts'

const FULL = { ok: true, checked: 'full' }

test.each([
  // BIP 173 and BIP 350, "test vectors for segwit addresses".
  ['Bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['Bitcoin', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'],
  ['Bitcoin', 'BC1SW50QGDZ25J'],
  ['Bitcoin', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
  ['Bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC'],
  // Pay to anchor (2024): a witness of two bytes.
  ['Bitcoin', 'bc1pfeessrawgf'],
  // BIP 352, "test vectors".
  [
    'Bitcoin',
    'sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwv',
  ],
  // Litecoin Core's tests of MWEB.
  [
    'Litecoin',
    'ltcmweb1qq20e2arnhvxw97katjkmsd35agw3capxjkrkh7dk8d30rczm8ypxuq329nwh2twmchhqn3jqh7ua4ps539f6aazh79jy76urqht4qa59ts3at6gf',
  ],
  // EIP-55, "test cases".
  ['ERC20', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['ERC20', '0x8617E340B3D01FA5F11F306F4090FD50E238070D'],
  ['ERC20', '0xde709f2102306220921060314715629080e2fb77'],
  ['Ethereum', '0x27b1fdb04752bbc536007a920d24acb045561c26'],
  ['Polygon', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['BSC', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['Arbitrum', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
  ['Base', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
  ['TRC-20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['Solana', '11111111111111111111111111111111'],
  // The cash address specification, "examples".
  ['Bitcoin Cash', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  // Token-aware addresses, and scripts of 32 bytes (2023).
  ['Bitcoin Cash', 'bitcoincash:zr7fzmep8g7h7ymfxy74lgc0v950j3r295z4y4gq0v'],
  ['Bitcoin Cash', 'bitcoincash:rpawqn2h74a4t50phuza84kdp3794pq3cct3k50p0y'],
  ['Bitcoin Cash', 'bitcoincash:pvqqqqqqqqqqqqqqqqqqqqqqzg69v7ysqqqqqqqqqqqqqqqqqqqqqpkp7fqn0'],
  ['Bitcoin Cash', 'zr7fzmep8g7h7ymfxy74lgc0v950j3r295z4y4gq0v'],
  ['Bitcoin Cash', 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
  ['Bitcoin Cash', 'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A'],
  ['Bitcoin Cash', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'],
])('%s: %s', (network, address) => {
  expect(checkAddress(network, address)).toEqual(FULL)
})

test.each([
  // BIP 350, "test vectors for invalid segwit addresses".
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'bad_checksum'],
  ['BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', 'bad_checksum'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'bad_checksum'],
  ['bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'malformed'],
  ['BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'malformed'],
  ['bc1pw5dgrnzv', 'malformed'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav', 'malformed'],
  ['BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'malformed'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', 'malformed'],
  ['bc1gmk9yu', 'malformed'],
  ['tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut', 'malformed'],
  ['bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'malformed'],
  // The valid test network addresses of BIP 173 and BIP 350.
  ['tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy', 'testnet'],
  ['tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c', 'testnet'],
  ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'testnet'],
  // The vector of BIP 352 with a changed character, and in mixed case.
  [
    'sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwq',
    'bad_checksum',
  ],
  [
    'Sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwv',
    'malformed',
  ],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'bad_checksum'],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a', 'malformed'],
  ['hello', 'malformed'],
])('Bitcoin refuses %s: %s', (address, fault) => {
  expect(checkAddress('Bitcoin', address)).toEqual({ ok: false, fault })
})

test('silent payments and MWEB: the version decides the length', () => {
  const silent = (version: number, size: number, prefix = 'sp') =>
    checkAddress('Bitcoin', bech32m.encode(prefix, [version, ...bech32m.toWords(new Uint8Array(size))], false))
  expect(silent(0, 66)).toEqual(FULL)
  expect(silent(1, 70)).toEqual(FULL)
  expect(silent(0, 66, 'tsp')).toEqual({ ok: false, fault: 'testnet' })
  for (const [version, size] of [
    [0, 65],
    [0, 67],
    [1, 65],
    [31, 66],
  ] as const)
    expect(silent(version, size)).toEqual({ ok: false, fault: 'malformed' })
  const mweb = (version: number, codec: typeof bech32, prefix = 'ltcmweb') =>
    checkAddress('Litecoin', codec.encode(prefix, [version, ...codec.toWords(new Uint8Array(66))], false))
  expect(mweb(0, bech32)).toEqual(FULL)
  expect(mweb(0, bech32, 'tmweb')).toEqual({ ok: false, fault: 'testnet' })
  expect(mweb(0, bech32m)).toEqual({ ok: false, fault: 'bad_checksum' })
  expect(mweb(1, bech32)).toEqual({ ok: false, fault: 'malformed' })
})

test.each([
  ['Ethereum', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'bad_checksum'],
  ['Fantom', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'bad_checksum'],
  ['Ethereum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae', 'malformed'],
  ['Ethereum', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'malformed'],
  ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', 'bad_checksum'],
  ['Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZw', 'malformed'],
  ['Bitcoin Cash', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q', 'bad_checksum'],
  ['Bitcoin Cash', 'ecash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'malformed'],
  ['Tron', '', 'empty'],
  ['Anything', '', 'empty'],
  ['Anything', 'two words', 'not_visible_ascii'],
  ['Tron', ' TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'not_visible_ascii'],
  ['Anything', 'аddress', 'not_visible_ascii'],
  ['Anything', 'x'.repeat(257), 'too_long'],
  ['Bitcoin', 'bc1'.padEnd(257, 'q'), 'too_long'],
])('%s refuses "%s": %s', (network, address, fault) => {
  expect(checkAddress(network, address)).toEqual({ ok: false, fault })
})

const BITCOIN = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const EVM = '0xde709f2102306220921060314715629080e2fb77'

test.each([
  ['Tron', BITCOIN, 'bitcoin'],
  ['Tron', EVM, 'ethereum'],
  ['Ethereum', TRON, 'tron'],
  ['Ethereum', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bitcoin'],
  ['Solana', TRON, 'tron'],
  ['Bitcoin', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'solana'],
  ['Bitcoin', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'bitcoin_cash'],
  ['Litecoin', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'bitcoin'],
  ['Dogecoin', BITCOIN, 'bitcoin'],
])('%s, given %s, says that it looks like %s', (network, address, looksLike) => {
  expect(checkAddress(network, address)).toEqual({ ok: false, fault: 'wrong_network', looksLike })
})

test('an unknown network gets a generic check', () => {
  expect(checkAddress('Lightning', `~${'x'.repeat(254)}!`)).toEqual({ ok: true, checked: 'generic' })
  expect(checkAddress('Bitcoin (Lightning)', 'lnbc1x')).toEqual({ ok: true, checked: 'generic' })
})

test.each([
  [EVM, 'ethereum'],
  [TRON, 'tron'],
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bitcoin'],
  ['rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', undefined],
  ['GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7', undefined],
])('on an unknown network %s looks like an address of %s', (address, looksLike) => {
  expect(checkAddress('XRP Ledger', address)).toEqual({ ok: true, checked: 'generic', looksLike })
})

const hash20 = fc.uint8Array({ minLength: 20, maxLength: 20 })
const base58check = createBase58check(sha256)

test('an address is valid for its chain only, and invalid after one changed character', () => {
  const versions = [
    ['Bitcoin', 0x00],
    ['Bitcoin', 0x05],
    ['Litecoin', 0x30],
    ['Litecoin', 0x32],
    ['Dogecoin', 0x1e],
    ['Dogecoin', 0x16],
    ['Tron', 0x41],
  ] as const
  fc.assert(
    fc.property(fc.constantFrom(...versions), hash20, fc.nat(), ([network, version], hash, place) => {
      const address = base58check.encode(Uint8Array.of(version, ...hash))
      expect(checkAddress(network, address)).toEqual(FULL)
      const at = place % address.length
      const changed = `${address.slice(0, at)}${address[at] === '2' ? '3' : '2'}${address.slice(at + 1)}`
      expect(checkAddress(network, changed).ok).toBe(false)
      for (const other of new Set(versions.map(([name]) => name))) {
        expect(checkAddress(other, address).ok).toBe(other === network)
      }
    }),
  )
})

test('segwit programs of every standard version and length are valid', () => {
  const program = fc.uint8Array({ minLength: 2, maxLength: 40 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), program, fc.boolean(), (version, bytes, upper) => {
      const address = bech32m.encode('bc', [version, ...bech32m.toWords(bytes)])
      expect(checkAddress('Bitcoin', upper ? address.toUpperCase() : address)).toEqual(FULL)
    }),
  )
  fc.assert(
    fc.property(hash20, (bytes) => {
      expect(checkAddress('LTC', bech32.encode('ltc', [0, ...bech32.toWords(bytes)]))).toEqual(FULL)
    }),
  )
})

test('any 20 bytes are an Ethereum address in three spellings, and in no other mix of cases', () => {
  fc.assert(
    fc.property(hash20, (bytes) => {
      const digits = Buffer.from(bytes).toString('hex')
      const mixed = toChecksumCase(`0x${digits}`)
      fc.pre(/[a-f]/.test(mixed) && /[A-F]/.test(mixed))
      for (const spelling of [`0x${digits}`, `0x${digits.toUpperCase()}`, mixed]) {
        expect(checkAddress('Ethereum', spelling)).toEqual(FULL)
      }
      const swapped = mixed.replace(/[a-f]/, (letter) => letter.toUpperCase())
      fc.pre(swapped !== `0x${digits.toUpperCase()}`)
      expect(checkAddress('Ethereum', swapped)).toEqual({ ok: false, fault: 'bad_checksum' })
    }),
  )
})

test('any 32 bytes are a Solana address, other lengths are not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 26, maxLength: 40 }), (bytes) => {
      expect(checkAddress('Solana', base58.encode(bytes)).ok).toBe(bytes.length === 32)
    }),
  )
})

test('no input throws', () => {
  const network = fc.constantFrom('Bitcoin', 'BCH', 'LTC', 'DOGE', 'ETH', 'Tron', 'Solana', 'Other')
  const pasted = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.stringMatching(/^(?:bc1|BC1|0x|bitcoincash:|q|T)[A-Za-z0-9]{0,60}$/),
  )
  fc.assert(
    fc.property(network, pasted, (name, address) => {
      expect(typeof checkAddress(name, address).ok).toBe('boolean')
    }),
    { numRuns: 2000 },
  )
})
