import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonFault, parseLosslessJson } from './lossless-json.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (text: string): unknown => parseLosslessJson(bytes(text))

test.each([
  ['0.000000000000000001', '0.000000000000000001'],
  ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
  ['1.50', '1.50'],
  ['1e-18', '0.000000000000000001'],
  ['-2.5E+3', '-2500'],
  ['1e0005', '100000'],
  ['1E+00', '1'],
  ['5e-0000001', '0.5'],
  ['0e99999999', '0'],
  ['9007199254740993', '9007199254740993'],
  ['0', '0'],
])('the number %s is read as %s', (written, decimal) => {
  expect(read(`{"amount":${written}}`)).toEqual({ amount: decimal })
})

test.each([
  ['a duplicate key', '{"a":1,"a":2}'],
  ['a duplicate key with the same value', '{"a":"x","a":"x"}'],
  ['a duplicate key, once escaped', '{"a":1,"\\u0061":1}'],
  ['a duplicate key, both escaped', '{"\\u0061":1,"\\u0061":1}'],
  ['a key with a bad escape', '{"\\x":1}'],
  ['a number after a key with an escape', '{"\\n" 1:2}'],
  ['a duplicate key deep inside', '{"b":[{"c":{"a":null,"d":1,"a":null}}]}'],
  ['a duplicate key around an object', '{"a":{"x":1,"y":2},"a":3}'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":1}'],
  ['a byte order mark', '\ufeff{}'],
  ['no text', ''],
  ['two values', '{} {}'],
  ['a trailing comma', '{"a":1,}'],
  ['a leading zero', '{"a":01}'],
  ['NaN', '{"a":NaN}'],
  ['a number as a key', '{1:2}'],
  ['a number inside a word', '{"a":tr1ue}'],
  ['a number beside a string', '{"a":"x"1}'],
  ['two points', '{"a":1.2.3}'],
  ['a difference', '{"a":1-2}'],
  ['a minus alone', '{"a":-}'],
  ['single quotes', "{'a':1}"],
  ['an exponent of four digits', '{"a":1e1000}'],
  ['an exponent of four digits after zeros', '{"a":1e-0001000}'],
  ['an exponent without digits', '{"a":1e+}'],
  ['65 levels', '['.repeat(65) + ']'.repeat(65)],
  ['a million levels', '['.repeat(1_000_000)],
])('%s is refused', (_name, text) => {
  expect(() => read(text)).toThrow(JsonFault)
})

test.each([
  ['a lone continuation byte', [0x22, 0x80, 0x22]],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['Latin-1', [0x22, 0xe4, 0x22]],
])('%s is refused', (_name, raw) => {
  expect(() => parseLosslessJson(Uint8Array.from(raw))).toThrow('not UTF-8')
})

test.each([
  ['white space of every kind', ' \t\r\n{ "a" : [ 1 , true ] } \n', { a: ['1', true] }],
  ['numbers in lists', '[1.50,[2.0,"3"],{"a":[-1]}]', ['1.50', ['2.0', '3'], { a: ['-1'] }]],
  [
    'keys with escapes',
    '{"\\"k0":1,"\\u0031":{"\\/":2},"a":[{"\\n\\\\":"3"}]}',
    { '"k0': '1', '1': { '/': '2' }, a: [{ '\n\\': '3' }] },
  ],
  ['a key named __proto__, escaped', '{"\\u005f_proto__":1}', JSON.parse('{"__proto__":"1"}')],
])('%s is read', (_name, text, value) => {
  expect(read(text)).toEqual(value)
})

/** Node 24's own parser gives the last of these texts the key of the first text. */
test('a key with an escape is read right after a key that has a backslash', () => {
  expect(read('{"a1":1,"\\\\":""}')).toEqual({ a1: '1', '\\': '' })
  expect(read('{"a1":1,"\\u0020":""}')).toEqual({ a1: '1', ' ': '' })
})

test('64 levels are read', () => {
  expect(() => read('['.repeat(64) + ']'.repeat(64))).not.toThrow()
})

test('colons, braces and quotes inside strings are only text', () => {
  const value = { 'a:{"[': ':::}}]]\\"', b: ['{', { ':': '\\' }] }
  expect(read(JSON.stringify(value))).toEqual(value)
})

test('a key named __proto__ is an own key and changes no prototype', () => {
  const value = read('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}') as object
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
  expect(({} as { admin?: unknown }).admin).toBeUndefined()
})

test('a caller may keep numbers distinct from strings', () => {
  const options = { readNumber: (text: string) => ({ number: text }) }
  expect(parseLosslessJson(bytes('{"a":1.50,"b":"1.50"}'), options)).toEqual({ a: { number: '1.50' }, b: '1.50' })
})

describe("compared with the engine's parser", () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  )
  const keys = fc.string({ unit: 'grapheme' })
  const jsonWith = (key: fc.Arbitrary<string>): fc.Arbitrary<string> => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('tree')), fc.dictionary(key, tie('tree'))),
    }))
    return fc.tuple(tree, fc.constantFrom(undefined, 2)).map(([value, indent]) => JSON.stringify(value, null, indent))
  }
  const numbers = { readNumber: Number }

  test('any JSON is read as the engine reads it, and numbers keep every digit', () => {
    fc.assert(
      fc.property(jsonWith(keys), (text) => {
        expect(parseLosslessJson(bytes(text), numbers)).toEqual(JSON.parse(text))
      }),
      { numRuns: 1000 },
    )
  })

  test('a text with a moved part is refused, or read as the engine reads it', () => {
    // Without keys that have an escape: the engine may read them wrongly (see above).
    const plainKeys = keys.filter((key) => JSON.stringify(key) === `"${key}"`)
    const part = fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', '1', '-', '.', 'e', '\n', '\u0001', 'null')
    fc.assert(
      fc.property(jsonWith(plainKeys), fc.nat(), fc.nat(3), part, (text, place, removed, added) => {
        const at = place % (text.length + 1)
        const broken = text.slice(0, at) + added + text.slice(at + removed)
        let value: unknown
        try {
          value = parseLosslessJson(bytes(broken), numbers)
        } catch (error) {
          expect(error).toBeInstanceOf(JsonFault)
          return
        }
        // Not of `broken` itself: half of a surrogate pair has no UTF-8 bytes.
        expect(value).toEqual(JSON.parse(new TextDecoder().decode(bytes(broken))))
      }),
      { numRuns: 1000 },
    )
  })
})

test('any decimal survives unchanged', () => {
  const whole = fc.bigInt({ min: 0n, max: 10n ** 60n }).map(String)
  const fraction = fc.stringMatching(/^\d{1,30}$/)
  fc.assert(
    fc.property(fc.boolean(), whole, fraction, (negative, head, tail) => {
      const text = `${negative ? '-' : ''}${head}.${tail}`
      expect(read(`[${text}]`)).toEqual([text])
    }),
  )
})
