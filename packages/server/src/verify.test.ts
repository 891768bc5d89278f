import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createVerifier, NotVerifiedError } from './verify.ts'

const secretOf = (text: string): string => `whsec_${Buffer.from(text.repeat(32)).toString('base64')}`
const [secret, other] = [secretOf('a'), secretOf('b')]
const body = '{"type":"test","timestamp":"2026-11-21T12:01:07.120Z","data":{}}'

const signed = (text: string, by = secret, at = new Date()) => ({
  'webhook-id': 'test_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(by).sign('test_1', at, text),
})

test('a signed body is read from text or bytes, with headers of Node or the Web', () => {
  const { event, authorization } = createVerifier(secret)
  expect(event(body, signed(body))).toMatchObject({ type: 'test' })
  expect(event(Buffer.from(body), new Headers(signed(body)))).toMatchObject({ type: 'test' })
  const asked = '{"withdrawal_id":"w"}'
  expect(authorization(asked, signed(asked))).toEqual({ withdrawal_id: 'w' })
})

test('during a change of secrets, both secrets verify', () => {
  const { event } = createVerifier(other, secret)
  expect(event(body, signed(body))).toMatchObject({ type: 'test' })
  expect(event(body, signed(body, other))).toMatchObject({ type: 'test' })
})

test.each([
  ['another secret', body, signed(body, other)],
  ['another body', body.replace('test', 'best'), signed(body)],
  ['no headers', body, {}],
  ['too old', body, signed(body, secret, new Date(Date.now() - 400_000))],
  ['two values of a header', body, { ...signed(body), 'webhook-id': ['test_1', 'test_2'] }],
  ['what is no event', '[]', signed('[]')],
  ['what is not JSON', '{', signed('{')],
])('%s is refused', (_name, text, headers) => {
  expect(() => createVerifier(secret).event(text, headers)).toThrow(NotVerifiedError)
})
