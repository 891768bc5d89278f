import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { verifyWebhookSignature } from './webhook-signature.ts'
import vectors from './vectors/webhook-signing.json' with { type: 'json' }

const publicKey = createPublicKey(
  readFileSync(new URL('./vectors/gateway.test-only.public.pem', import.meta.url), 'utf8'),
)
const good = vectors.cases[0]!
const webhook = {
  rawBody: Buffer.from(good.raw_base64, 'base64'),
  timestamp: good.timestamp,
  signature: good.signature,
  publicKey,
}

test.each(vectors.cases)('"$name" verifies: $verifies', ({ raw_base64, timestamp, signature, verifies }) => {
  const rawBody = Buffer.from(raw_base64, 'base64')
  expect(verifyWebhookSignature({ rawBody, timestamp, signature, publicKey })).toBe(verifies)
})

/** The last character before `==` has four unused bits: another spelling of the same bytes. */
const strayBits = good.signature.replace(
  /(.)==$/,
  (_match, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}==`,
)

test.each([
  ['empty', ''],
  ['without padding', good.signature.replace(/=+$/, '')],
  ['with more padding', `${good.signature}=`],
  ['URL-safe', good.signature.replaceAll('+', '-').replaceAll('/', '_')],
  ['with a line break', `${good.signature.slice(0, 76)}\n${good.signature.slice(76)}`],
  ['with a space after it', `${good.signature} `],
  ['with stray bits', strayBits],
  ['repeated', `${good.signature}, ${good.signature}`],
  ['cut short', good.signature.slice(0, 340)],
])('a signature %s is refused', (_name, signature) => {
  expect(verifyWebhookSignature(webhook)).toBe(true)
  expect(signature).not.toBe(good.signature)
  expect(verifyWebhookSignature({ ...webhook, signature })).toBe(false)
})

test('while the gateway changes its key, a signature by either key is accepted', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  for (const keys of [
    [publicKey, other],
    [other, publicKey],
  ])
    expect(verifyWebhookSignature({ ...webhook, publicKey: keys })).toBe(true)
  expect(verifyWebhookSignature({ ...webhook, publicKey: [other] })).toBe(false)
})
