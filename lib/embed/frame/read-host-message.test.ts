import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameNameSchema, hostMessageSchema, type FrameName } from '#lib/contract/embed-protocol.ts'
import { readFrameName, readHostMessage } from './read-host-message.ts'

const channel = 'a'.repeat(32)
const origins = ['https://shop.example', 'http://127.0.0.1:4020']
const name: FrameName = { cashier: 1, channel, origin: 'https://shop.example', theme: 'dark' }

test('a frame reads its host from its name', () => {
  expect(readFrameName(JSON.stringify(name), origins)).toEqual(name)
})

test.each([
  ['', 'no name'],
  ['null', 'no object'],
  [JSON.stringify({ ...name, cashier: 2 }), 'another version'],
  [JSON.stringify({ ...name, channel: 'short' }), 'no channel'],
  [
    JSON.stringify({ ...name, origin: 'https://shop.example.evil.example' }),
    'an origin that may not embed the cashier',
  ],
  [JSON.stringify({ ...name, theme: 'pink' }), 'an unknown theme'],
])('%s: %s', (text) => {
  expect(readFrameName(text, origins)).toBeNull()
})

const window = {} as Window
const update = { cashier: 1, channel, type: 'update', locale: 'de-AT' }
const from = (origin: string, source: Window | null, data: unknown) =>
  readHostMessage({ origin, source, data }, { window, name })

test('a message counts only from the host, on its channel, in a known shape', () => {
  expect(from(name.origin, window, update)).toEqual(update)
  expect(from('http://127.0.0.1:4020', window, update)).toBeNull()
  expect(from(name.origin, {} as Window, update)).toBeNull()
  expect(from(name.origin, null, update)).toBeNull()
  expect(from(name.origin, window, { ...update, channel: 'b'.repeat(32) })).toBeNull()
  expect(from(name.origin, window, { ...update, theme: 'pink' })).toBeNull()
  expect(from(name.origin, window, { ...update, type: 'navigate', url: 'https://evil.example' })).toBeNull()
})

test('a token must be one line of visible characters', () => {
  const token = (text: string) => from(name.origin, window, { cashier: 1, channel, type: 'token', token: text })
  expect(token('eyJ.x_y-z=')).not.toBeNull()
  expect(token('')).toBeNull()
  expect(token('a b')).toBeNull()
  expect(token('a\nb')).toBeNull()
})

const odd = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    'de',
    'de_AT',
    'dark',
    'x'.repeat(35),
    'x'.repeat(36),
    'x'.repeat(2049),
    1,
    2,
    [],
    {},
  ),
  fc.anything(),
)
const changed = (base: object) =>
  fc
    .tuple(fc.constantFrom('cashier', 'channel', 'type', 'token', 'locale', 'theme', 'origin', 'more'), odd)
    .map(([field, value]): unknown => ({ ...base, [field]: value }))

test('for messages and names with one changed field, parser and schema agree', () => {
  const messages = [
    { type: 'token', token: 'abc', locale: 'de', theme: 'dark' },
    { type: 'fresh_token', token: 'abc', locale: 'de', theme: 'dark' },
    { type: 'update', theme: 'auto' },
    { type: 'token_failed' },
  ].map((message) => ({ cashier: 1, channel, ...message }))
  fc.assert(
    fc.property(fc.constantFrom(...messages).chain(changed), (data) => {
      const parsed = hostMessageSchema.safeParse(data)
      const expected = parsed.success && parsed.data.channel === channel ? parsed.data : null
      expect(from(name.origin, window, data)).toEqual(expected)
    }),
  )
  fc.assert(
    fc.property(changed(name), (value) => {
      const text = JSON.stringify(value)
      const parsed = frameNameSchema.safeParse(JSON.parse(text))
      const expected = parsed.success && origins.includes(parsed.data.origin) ? parsed.data : null
      expect(readFrameName(text, origins)).toEqual(expected)
    }),
  )
})
