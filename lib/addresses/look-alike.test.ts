import { sha256 } from '@noble/hashes/sha2.js'
import { base58, bech32, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareInGroups, lookAlikeOf, looksAlike, type FamiliarAddress } from './look-alike.ts'

const base58check = createBase58check(sha256)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const hex = (content: Uint8Array) => Buffer.from(content).toString('hex')

interface Format {
  readonly network: string
  readonly alphabet: string
  /** What all made addresses begin with. */
  readonly prefix: string
  readonly address: fc.Arbitrary<string>
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const FORMATS: readonly Format[] = [
  { network: 'Ethereum', alphabet: '0123456789abcdef', prefix: '0x', address: bytes(20).map((b) => `0x${hex(b)}`) },
  { network: 'Some EVM', alphabet: '0123456789abcdef', prefix: '0x', address: bytes(20).map((b) => `0x${hex(b)}`) },
  {
    network: 'Tron',
    alphabet: BASE58,
    prefix: 'T',
    address: bytes(20).map((b) => base58check.encode(Uint8Array.from([0x41, ...b]))),
  },
  {
    network: 'Bitcoin',
    alphabet: BECH32,
    prefix: 'bc1q',
    address: bytes(20).map((b) => bech32.encode('bc', [0, ...bech32.toWords(b)])),
  },
  { network: 'Solana', alphabet: BASE58, prefix: '', address: bytes(32).map((b) => base58.encode(b)) },
  {
    network: 'Cosmos Hub',
    alphabet: BECH32,
    prefix: 'cosmos1',
    address: bytes(20).map((b) => bech32.encode('cosmos', bech32.toWords(b))),
  },
]

const anyFormat = fc.constantFrom(...FORMATS)
const anyAddress = anyFormat.chain((format) => format.address.map((address) => ({ ...format, address })))

/** An address with the same ends, in which one or more characters between the ends are others. */
const planted = anyAddress.chain(({ address, ...format }) => {
  const from = format.prefix.length + 4
  const middle = fc.array(fc.constantFrom(...Array.from(format.alphabet)), {
    minLength: address.length - from - 4,
    maxLength: address.length - from - 4,
  })
  return middle
    .map((letters) => address.slice(0, from) + letters.join('') + address.slice(-4))
    .filter((other) => other !== address)
    .map((other) => ({ ...format, address, other }))
})

const known = (address: string, familiarity: FamiliarAddress['familiarity']): FamiliarAddress => ({
  address,
  familiarity,
})

test('a planted address looks like the one whose ends it has, in both directions', () => {
  fc.assert(
    fc.property(planted, fc.constantFrom('sent', 'own', 'received'), ({ network, address, other }, familiarity) => {
      expect(looksAlike(network, address, other)).toBe(true)
      expect(looksAlike(network, other, address)).toBe(true)
      expect(lookAlikeOf(network, other, [known(address, familiarity)])?.address).toBe(address)
    }),
  )
})

test('an address never looks like itself, in any spelling, with or without a tag', () => {
  fc.assert(
    fc.property(anyAddress, fc.constantFrom('sent', 'own', 'received'), ({ network, address }, familiarity) => {
      expect(lookAlikeOf(network, address, [known(address, familiarity)])).toBeNull()
      if (network.startsWith('Cosmos'))
        expect(lookAlikeOf(network, `${address}?memo=7`, [known(address, familiarity)])).toBeNull()
      if (address.startsWith('0x'))
        expect(lookAlikeOf(network, `0x${address.slice(2).toUpperCase()}`, [known(address, familiarity)])).toBeNull()
    }),
  )
})

test('an address with other ends does not look alike, whatever its prefix', () => {
  fc.assert(
    fc.property(
      anyFormat.chain((format) => fc.tuple(fc.constant(format), format.address, format.address)),
      (made) => {
        const [{ network, prefix }, one, other] = made
        const start = prefix.length
        const sameEnds =
          one.slice(start, start + 4) === other.slice(start, start + 4) && one.slice(-4) === other.slice(-4)
        expect(looksAlike(network, one, other)).toBe(sameEnds && one !== other)
      },
    ),
  )
})

test('the destination is not in doubt if the user sent to it or owns it, although another looks alike', () => {
  fc.assert(
    fc.property(planted, fc.constantFrom('sent', 'own'), ({ network, address, other }, familiarity) => {
      expect(lookAlikeOf(network, address, [known(other, 'received'), known(address, familiarity)])).toBeNull()
    }),
  )
})

test('an address that only sent a deposit is in doubt: it may be the planted one', () => {
  fc.assert(
    fc.property(planted, ({ network, address, other }) => {
      const all = [known(other, 'received'), known(address, 'received')]
      expect(lookAlikeOf(network, other, all)?.address).toBe(address)
      expect(lookAlikeOf(network, other, [...all, known(address, 'sent')])?.familiarity).toBe('sent')
    }),
  )
})

test.each([
  [
    'the letters of a format without case',
    'Ethereum',
    '0xABCD1111111111111111111111111111111111EF',
    '0xabcd2222222222222222222222222222222222ef',
    false,
  ],
  [
    'the same with four equal at the end',
    'Ethereum',
    '0xABCD11111111111111111111111111111111CDEF',
    '0xabcd22222222222222222222222222222222cdef',
    true,
  ],
  [
    'case in a format that has it',
    'Solana',
    'AbcdXXXXXXXXXXXXXXXXXXXXXXXXwxyz',
    'ABCDYYYYYYYYYYYYYYYYYYYYYYYYWXYZ',
    false,
  ],
  ['texts too short to have a middle', 'Unchecked', 'abcdefgh', 'abcdXefgh', false],
])('%s', (_name, network, one, other, alike) => {
  expect(looksAlike(network, one, other)).toBe(alike)
})

test('groups of four differ exactly where the other address has another group', () => {
  fc.assert(
    fc.property(planted, ({ network, address, other }) => {
      const [ours, theirs] = compareInGroups(network, address, other)
      expect(ours.map(({ text }) => text).join('')).toBe(address)
      expect(theirs.map(({ text }) => text).join('')).toBe(other)
      expect(ours.map(({ differs }) => differs)).toEqual(theirs.map(({ differs }) => differs))
      expect(ours.some(({ differs }) => differs)).toBe(true)
      for (const [at, { text, differs }] of ours.entries()) expect(differs).toBe(text !== theirs[at]?.text)
    }),
  )
})

test('case is no difference where the network has none', () => {
  const [ours] = compareInGroups('Ethereum', '0xABCD1111', '0xabcd1112')
  expect(ours.map(({ differs }) => differs)).toEqual([false, false, true])
})

test.each([
  [
    'a prefix that may be left out',
    'Bitcoin Cash',
    'qpm2qsznhks23z7629mmsxxxcwef74vcwvy22gdx6a',
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    ['sxxx'],
  ],
  ['a tag', 'XRP Ledger', 'rEb8TK3gBgk5auZkXX6sHnwrGVJH8DuaLh?dt=7', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', ['XX6s']],
])('%s is no difference', (_name, network, one, other, differing) => {
  const [ours, theirs] = compareInGroups(network, one, other)
  expect(ours.flatMap(({ text, differs }) => (differs ? [text] : []))).toEqual(differing)
  expect(theirs).toHaveLength(ours.length)
})
