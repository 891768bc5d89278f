import { generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigner } from './signing.ts'
import vectors from './vectors/request-signing.json' with { type: 'json' }

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

test.each(vectors.cases)('what we sign for "$name" verifies with the public key', async ({ canonical }) => {
  const signature = await createSigner(privateKey)(canonical)
  expect(signature).toMatch(/^[A-Za-z0-9+/]{342}==$/)
  expect(verify('RSA-SHA256', Buffer.from(canonical), publicKey, Buffer.from(signature, 'base64'))).toBe(true)
})

test('the same text gives the same signature: the padding is PKCS#1 v1.5', async () => {
  const sign = createSigner(privateKey)
  expect(await sign('GET/v1/x')).toBe(await sign('GET/v1/x'))
})
