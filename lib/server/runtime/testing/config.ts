/** A complete configuration for tests, with its own keys. */
import { generateKeyPairSync } from 'node:crypto'
import { configOf, readConfig, type Config } from '../config/config.ts'
import type { Version } from '../version.ts'

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

export const MERCHANT_KEYS = pair()
export const GATEWAY_KEYS = pair()

export const TEST_ENVIRONMENT = {
  GATEWAY_BASE_URL: 'http://127.0.0.1:9/base',
  GATEWAY_API_KEY: 'gateway-api-key-0123456789',
  GATEWAY_PRIVATE_KEY: MERCHANT_KEYS.privateKey,
  GATEWAY_PUBLIC_KEY: GATEWAY_KEYS.publicKey,
  GATEWAY_MERCHANT_REFERENCE: 'merchant-1',
  SESSION_SECRET: 'session-secret-0123456789abcdef0123456789',
  MERCHANT_API_KEY: 'merchant-api-key-0123456789abcdef',
  EMBED_ORIGINS: 'https://shop.example,http://127.0.0.1:4020',
  ONRAMP_ORIGINS: 'https://*.provider.example,https://pay.example',
  PUBLIC_URL: 'https://cashier.example',
} as const

export const TEST_VERSION: Version = { version: '1.2.3', commit: 'c0ffee' }

export function testConfig(more: Readonly<Record<string, string>> = {}): Config {
  const read = readConfig({ ...TEST_ENVIRONMENT, ...more }, () => {
    throw new Error('no files here')
  })
  if (!read.ok) throw new Error(read.faults.map(({ variable, fault }) => `${variable} ${fault}`).join('\n'))
  return configOf(read.settings, read.settings.port)
}
