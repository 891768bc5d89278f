import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { canonicalText, createSigner } from './signing.ts'
import vectors from './vectors/request-signing.json' with { type: 'json' }

const merchantKey = createPublicKey(
  readFileSync(new URL('./vectors/merchant.test-only.public.pem', import.meta.url), 'utf8'),
)

test.each(vectors.cases)('the canonical text of "$name" is the signed text', (vector) => {
  const text = canonicalText(vector, 'bare')
  expect(text).toBe(vector.canonical)
  expect(verify('RSA-SHA256', Buffer.from(text), merchantKey, Buffer.from(vector.signature, 'base64'))).toBe(true)
})

test('a query may be signed with its question mark', () => {
  const parts = { method: 'GET', path: '/v1/x', nonce: 'n', query: 'a=1', body: '' }
  expect(canonicalText(parts, 'question-mark')).toBe('GET/v1/xn?a=1')
  expect(canonicalText({ ...parts, query: '' }, 'question-mark')).toBe('GET/v1/xn')
})

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

test.each(vectors.cases)('our signature of "$name" verifies with the public key', async ({ canonical }) => {
  const signature = await createSigner(privateKey)(canonical)
  expect(signature).toMatch(/^[A-Za-z0-9+/]{342}==$/)
  expect(verify('RSA-SHA256', Buffer.from(canonical), publicKey, Buffer.from(signature, 'base64'))).toBe(true)
})

test('the same text gives the same signature: the padding is PKCS#1 v1.5', async () => {
  const sign = createSigner(privateKey)
  expect(await sign('GET/v1/x')).toBe(await sign('GET/v1/x'))
})
