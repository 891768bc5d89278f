import { expect, test } from 'vitest'
import { readSignatureHeaders } from './signature-headers.ts'

const SIGNATURE = 'c2lnbmF0dXJl'
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'x-signature': [SIGNATURE],
  'x-timestamp': ['1767322245'],
  'x-algorithm': ['RSA-SHA256'],
}
const read = (change: typeof HEADERS) => readSignatureHeaders((name) => ({ ...HEADERS, ...change })[name] ?? [])

test.each([
  ['X-Signature must be sent once', { 'x-signature': [] }],
  ['X-Signature must be sent once', { 'x-signature': [SIGNATURE, SIGNATURE] }],
  ['X-Timestamp must be sent once', { 'x-timestamp': [] }],
  ['X-Timestamp must be seconds since 1970', { 'x-timestamp': ['0176732224'] }],
  ['X-Timestamp must be seconds since 1970', { 'x-timestamp': ['17673222450'] }],
  ['X-Timestamp must be seconds since 1970', { 'x-timestamp': [' 1767322245'] }],
  ['X-Algorithm must be sent once', { 'x-algorithm': [] }],
  ['X-Algorithm must be sent once', { 'x-algorithm': ['RSA-SHA256', 'RSA-SHA256'] }],
  ['X-Algorithm must be RSA-SHA256', { 'x-algorithm': ['rsa-sha256'] }],
])('refused with "%s": %o', (fault, change) => {
  expect(read({})).toEqual({ signature: SIGNATURE, timestamp: '1767322245' })
  expect(read(change)).toEqual({ fault })
})
