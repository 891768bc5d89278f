import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../sandbox/start-sandbox.ts'

const PROGRAM = fileURLToPath(new URL('doctor.ts', import.meta.url))
const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const keys = pair()

let gateway: Sandbox
beforeAll(async () => {
  gateway = await startSandbox({
    host: '127.0.0.1',
    merchants: [
      {
        id: 'm1',
        name: 'Shop',
        api_key: 'the-api-key-of-the-shop',
        public_key: keys.publicKey,
        allow_custom_external_wallet: false,
        webhook_url: null,
      },
    ],
  })
})
afterAll(() => gateway.close())

const environment = (): Record<string, string> => ({
  DATABASE_URL: `file:${join(tmpdir(), 'cashier-doctor-test-that-is-not-there.db')}`,
  GATEWAY_BASE_URL: gateway.url,
  GATEWAY_API_KEY: 'the-api-key-of-the-shop',
  GATEWAY_PRIVATE_KEY: keys.privateKey,
  GATEWAY_PUBLIC_KEY: gateway.gatewayPublicKey,
  SESSION_SECRET: 's'.repeat(32),
  MERCHANT_API_KEY: 'm'.repeat(32),
  EMBED_ORIGINS: 'https://shop.example',
  ONRAMP_ORIGINS: 'https:',
  PUBLIC_URL: 'http://localhost:9',
})

/** Runs it with these variables changed. */
const ask = (changes: Readonly<Record<string, string>> = {}): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment(), ...changes } as const
    execFile(process.execPath, ['--conditions=react-server', PROGRAM], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    )
  })

test('nothing is broken: a signed call goes through', async () => {
  const { code, text } = await ask()
  expect(text).toContain('ok    gateway: accepts our key and signature')
  expect(text).toContain("ok    clock: agrees with the gateway's")
  expect(text).toContain('No faults found.')
  expect(code).toBe(0)
})

test.each([
  ['an unknown API key', { GATEWAY_API_KEY: 'of-another-shop' }, 'GATEWAY_API_KEY is not one of this gateway'],
  ['another signing key', { GATEWAY_PRIVATE_KEY: pair().privateKey }, 'upload the public half of GATEWAY_PRIVATE_KEY'],
  ['no gateway', { GATEWAY_BASE_URL: 'http://127.0.0.1:9' }, 'ECONNREFUSED'],
  ['a wrong path', { GATEWAY_BASE_URL: 'PATH' }, 'check GATEWAY_BASE_URL'],
  ['our own public key', { GATEWAY_PUBLIC_KEY: keys.publicKey }, "put the gateway's public key there"],
  [
    'an amount of no currency',
    { WITHDRAWAL_CONFIRM_ABOVE: 'USTD=5,*=1' },
    'names USTD, which the gateway does not list',
  ],
  ['a database that is away', { DATABASE_URL: 'postgres://u:p@127.0.0.1:9/db' }, 'check DATABASE_URL'],
])('%s: says what to do, exit code 1', async (what, changes, words) => {
  const { code, text } = await ask(what === 'a wrong path' ? { GATEWAY_BASE_URL: `${gateway.url}/elsewhere` } : changes)
  expect(text).toContain(words)
  expect(text).toContain('FAULT')
  expect(code).toBe(1)
})

test('a configuration that cannot be read: all of its faults, and no secret', async () => {
  const { code, text } = await ask({ PORT: 'x', SESSION_SECRET: 'hunter2' })
  expect(text.match(/FAULT configuration/g)).toHaveLength(2)
  expect(text).toContain('2 to fix.')
  expect(text).not.toContain('hunter2')
  expect(code).toBe(1)
})
