import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Merchant } from '../state/merchants.ts'
import { timestampText, signWebhook } from '../webhooks/sign-webhook.ts'
import { authenticate } from './authenticate.ts'
import type { AuthOptions, PresentedRequest } from './authenticate.ts'
import { canonicalText, withoutWhitespace } from './canonical.ts'

const vector = (name: string): string => readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')

const requests = z
  .object({
    cases: z.array(
      z.object({
        name: z.string(),
        method: z.string(),
        path: z.string(),
        nonce: z.string(),
        query: z.string(),
        body: z.string(),
        canonical: z.string(),
        signature: z.string(),
      }),
    ),
  })
  .parse(JSON.parse(vector('request-signing.json'))).cases

const webhooks = z
  .object({
    cases: z.array(
      z.object({
        name: z.string(),
        raw_base64: z.string(),
        timestamp: z.string(),
        signature: z.string(),
        verifies: z.boolean(),
      }),
    ),
  })
  .parse(JSON.parse(vector('webhook-signing.json'))).cases

const NOW = Date.UTC(2026, 0, 2)
const merchant: Merchant = {
  id: 'm',
  name: 'm',
  api_key: 'key',
  key: createPublicKey(vector('merchant.test-only.public.pem')),
  allow_custom_external_wallet: false,
  webhook_url: null,
}

function parts(more: Partial<AuthOptions> = {}): AuthOptions {
  const used = new Set<string>()
  return {
    merchantOf: (key) => (key === 'key' ? merchant : null),
    takeNonce: (_owner, nonce) => !used.has(nonce) && used.add(nonce).has(nonce),
    queryForms: ['bare'],
    nowMs: NOW,
    normalise: withoutWhitespace,
    skipped: new Set(),
    ...more,
  }
}

type VectorCase = (typeof requests)[number]

function presented(one: VectorCase, headers: PresentedRequest['headers'] = {}): PresentedRequest {
  const { method, path, query, body, nonce, signature } = one
  return {
    method,
    path,
    query,
    body,
    headers: { 'x-api-key': ['key'], 'x-api-nonce': [nonce], 'x-api-signature': [signature], ...headers },
  }
}

const [first] = requests

describe('the signing vectors', () => {
  test.each(requests.map((one) => [one.name, one] as const))('%s', (_name, one) => {
    expect(canonicalText(one, 'bare')).toBe(one.canonical)
    expect(authenticate(presented(one), parts())).toEqual({ merchant })
  })

  test('the other form of QUERY is accepted only if both forms are', () => {
    const one = requests.find(({ query }) => query !== '')!
    expect(authenticate(presented(one), parts({ queryForms: ['question-mark'] }))).toMatchObject({
      refusal: 'wrong_signature',
    })
    expect(authenticate(presented(one), parts({ queryForms: ['question-mark', 'bare'] }))).toEqual({ merchant })
    expect(canonicalText(one, 'question-mark')).toContain('?a=1&b=2')
  })
})

const REFUSALS: readonly (readonly [string, PresentedRequest['headers'], string])[] = [
  ['no signature', { 'x-api-signature': undefined }, 'missing_signature'],
  ['no signature and no key', { 'x-api-signature': undefined, 'x-api-key': undefined }, 'missing_signature'],
  ['no key', { 'x-api-key': undefined }, 'missing_api_key'],
  ['another key', { 'x-api-key': ['other'] }, 'invalid_api_key'],
  ['the key twice', { 'x-api-key': ['key', 'key'] }, 'invalid_api_key'],
  ['no nonce', { 'x-api-nonce': undefined }, 'missing_nonce'],
  ['an empty nonce', { 'x-api-nonce': [''] }, 'missing_nonce'],
  ['two nonces', { 'x-api-nonce': [first!.nonce, first!.nonce] }, 'multiple_nonces'],
  ['two nonces in one header', { 'x-api-nonce': [`${first!.nonce}, ${first!.nonce}`] }, 'multiple_nonces'],
  ['15 characters', { 'x-api-nonce': ['0123456789abcde'] }, 'nonce_too_short'],
  ['a nonce with white space', { 'x-api-nonce': ['0123456789 abcdef'] }, 'invalid_nonce'],
  ['a nonce of 256 characters', { 'x-api-nonce': ['a'.repeat(256)] }, 'invalid_nonce'],
  ['a timestamp over 5 minutes old', { 'x-api-timestamp': [String(NOW / 1000 - 301)] }, 'timestamp_expired'],
  ['a timestamp over 5 minutes ahead', { 'x-api-timestamp': [String(NOW / 1000 + 301)] }, 'timestamp_expired'],
  ['a timestamp that is no number', { 'x-api-timestamp': ['yesterday'] }, 'timestamp_expired'],
  ['the signature of another request', { 'x-api-signature': [requests[1]!.signature] }, 'wrong_signature'],
  ['a signature that is no Base64', { 'x-api-signature': ['~~~'] }, 'wrong_signature'],
  ['URL-safe Base64', { 'x-api-signature': [first!.signature.replaceAll('+', '-')] }, 'wrong_signature'],
]

describe('refusals', () => {
  test.each(REFUSALS)('%s', (_name, headers, refusal) => {
    expect(authenticate(presented(first!, headers), parts())).toMatchObject({ refusal })
  })

  test('only a request with a valid signature uses up a nonce', () => {
    const state = parts()
    const wrong = presented(first!, { 'x-api-signature': [requests[1]!.signature] })
    expect(authenticate(wrong, state)).toMatchObject({ refusal: 'wrong_signature' })
    expect(authenticate(presented(first!), state)).toEqual({ merchant })
    expect(authenticate(presented(first!), state)).toMatchObject({ refusal: 'nonce_used' })
  })

  test('a timestamp of now is accepted', () => {
    expect(authenticate(presented(first!, { 'x-api-timestamp': [String(NOW / 1000)] }), parts())).toEqual({ merchant })
  })
})

/** The rule of the webhook vectors: raw bytes, then the timestamp text, standard Base64. */
function verifies(raw: Buffer, timestamp: string, signature: string, key: Parameters<typeof verify>[2]): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false
  return verify('sha256', Buffer.concat([raw, Buffer.from(timestamp)]), key, Buffer.from(signature, 'base64'))
}

describe('the webhook vectors', () => {
  const theirs = createPublicKey(vector('gateway.test-only.public.pem'))
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })

  test.each(webhooks.map((one) => [one.name, one] as const))(
    '%s: verifies as the vector says, and the sandbox signs by the same rule',
    async (_name, one) => {
      const raw = Buffer.from(one.raw_base64, 'base64')
      const headers = await signWebhook(raw, one.timestamp, own.privateKey, 'right')
      expect(verifies(raw, one.timestamp, one.signature, theirs)).toBe(one.verifies)
      expect(verifies(raw, headers['x-timestamp'], headers['x-signature'], own.publicKey)).toBe(true)
      expect(headers['x-algorithm']).toBe('RSA-SHA256')
    },
  )

  test('a deliberately wrong signature does not verify', async () => {
    const raw = Buffer.from('{}')
    const of = async (signing: 'wrong' | 'other_key') =>
      (await signWebhook(raw, '1767322245', own.privateKey, signing))['x-signature']
    expect(verifies(raw, '1767322245', await of('wrong'), own.publicKey)).toBe(false)
    expect(verifies(raw, '1767322245', await of('other_key'), own.publicKey)).toBe(false)
  })

  test('a stale timestamp is an hour old and has a valid signature', async () => {
    const timestamp = timestampText(NOW, 'stale')
    expect(Number(timestamp)).toBe(NOW / 1000 - 3600)
    expect(sign('sha256', Buffer.from(`{}${timestamp}`), own.privateKey).toString('base64')).toBe(
      (await signWebhook(Buffer.from('{}'), timestamp, own.privateKey, 'stale'))['x-signature'],
    )
  })
})
