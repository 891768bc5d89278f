import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_FRAME_HEIGHT } from '#lib/contract/embed-limits.ts'
import { EMBED_ERROR_CODES, frameMessageSchema } from '#lib/contract/embed-protocol.ts'
import { readFrameMessage } from './read-frame-message.ts'

const channel = '0123456789abcdef0123456789abcdef'
const transaction = {
  transaction_uuid: '0b8ab2a5-54f1-4b7e-9f0d-6a1c3f0a2b11',
  kind: 'deposit',
  status: 'processing',
  amount: '123456789012345678.123456789012345678',
  currency_code: 'USDT',
  network: 'Tron',
  tx_hash: null,
  updated_at: '2026-11-20T12:00:00Z',
}
const messages = [
  { type: 'token_wanted' },
  { type: 'fresh_token_wanted' },
  { type: 'ready' },
  { type: 'pong' },
  { type: 'resize', height: 812 },
  { type: 'transaction', transaction },
  { type: 'transaction', transaction: { ...transaction, transaction_uuid: null, withdrawal_id: 'w1' } },
  { type: 'session_ended' },
  { type: 'close' },
  { type: 'file', name: 'a.csv', content: new Blob(['a']) },
  { type: 'link', url: 'https://help.example/?a=1' },
  ...EMBED_ERROR_CODES.map((code) => ({ type: 'error', code, message: 'x' })),
].map((message) => ({ cashier: 1, channel, ...message }))

/** The result of the page's own schema; the host's parser must return the same. */
function bySchema(data: unknown): unknown {
  const parsed = frameMessageSchema.safeParse(data)
  return parsed.success && parsed.data.channel === channel ? parsed.data : null
}

test.each(messages)('reads $type as the schema does', (message) => {
  expect(bySchema(message)).not.toBeNull()
  expect(readFrameMessage(message, channel)).toEqual(bySchema(message))
  expect(readFrameMessage({ ...message, more: 1 }, channel)).toEqual(bySchema(message))
})

test('a message of another channel, version or unknown type is ignored', () => {
  const ready = { cashier: 1, channel, type: 'ready' }
  expect(readFrameMessage({ ...ready, channel: channel.replace('0', '1') }, channel)).toBeNull()
  expect(readFrameMessage({ ...ready, cashier: 2 }, channel)).toBeNull()
  expect(readFrameMessage({ ...ready, type: 'toString' }, channel)).toBeNull()
  expect(readFrameMessage({ ...ready, type: '__proto__' }, channel)).toBeNull()
})

const odd = fc.oneof(
  fc.constantFrom(undefined, null, '', 0, 1, -1, 1.5, NaN, Infinity, true, MAX_FRAME_HEIGHT, MAX_FRAME_HEIGHT + 1),
  fc.constantFrom(
    'deposit',
    'failed',
    'x'.repeat(500),
    'x'.repeat(501),
    'x'.repeat(200),
    'https://a.example',
    'bitcoin:bc1q',
    'javascript:alert(1)',
    [],
    {},
    [transaction],
  ),
  fc.anything(),
)

test('for invalid messages, parser and schema agree', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...messages),
      fc.constantFrom(
        'cashier',
        'channel',
        'type',
        'height',
        'transaction',
        'code',
        'message',
        'name',
        'content',
        'url',
        'more',
      ),
      odd,
      (message, field, value) => {
        const data = { ...message, [field]: value }
        expect(readFrameMessage(data, channel)).toEqual(bySchema(data))
      },
    ),
    { numRuns: 2000 },
  )
})

test('for invalid transactions, parser and schema agree', () => {
  const fields = [...Object.keys(transaction), 'session_reference', 'withdrawal_id', 'more']
  fc.assert(
    fc.property(fc.constantFrom(...fields), odd, (field, value) => {
      const data = { cashier: 1, channel, type: 'transaction', transaction: { ...transaction, [field]: value } }
      expect(readFrameMessage(data, channel)).toEqual(bySchema(data))
    }),
    { numRuns: 2000 },
  )
})

test('other values are not a message', () => {
  fc.assert(
    fc.property(fc.anything(), (data) => {
      expect(readFrameMessage(data, channel)).toEqual(bySchema(data))
    }),
  )
})
