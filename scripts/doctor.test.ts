import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readVersion, versionText } from '#lib/server/runtime/version.ts'
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

/** Runs the doctor with these variables changed. */
const ask = (
  changes: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'production',
      ...environment(),
      ...changes,
    } as const
    execFile(process.execPath, ['--conditions=react-server', PROGRAM, ...options], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    )
  })

test('without faults, a signed call succeeds', async () => {
  const { code, text } = await ask()
  expect(text.split('\n')[0]).toBe(`ok    version: ${versionText(readVersion())}`)
  expect(text).toContain('ok    gateway: accepts our key and signature')
  expect(text).toContain("ok    clock: agrees with the gateway's")
  expect(text).toContain('note  framing: PUBLIC_URL is port 9 of this machine, but PORT is 3000: set PORT=9')
  expect(text).toContain('No faults found.')
  expect(code).toBe(0)
})

test.each([
  [
    'an unknown API key, and our own public key',
    { GATEWAY_API_KEY: 'of-another-shop', GATEWAY_PUBLIC_KEY: keys.publicKey },
    ['this gateway does not know GATEWAY_API_KEY', "set it to the gateway's public key from the Merchant Console"],
  ],
  [
    'another signing key, and a database that does not answer',
    { GATEWAY_PRIVATE_KEY: pair().privateKey, DATABASE_URL: 'postgres://u:p@127.0.0.1:9/db' },
    ['give it to the sandbox by --merchant-public-key', 'check DATABASE_URL'],
  ],
  ['no gateway', { GATEWAY_BASE_URL: 'http://127.0.0.1:9' }, ['ECONNREFUSED']],
  ['a wrong path', { GATEWAY_BASE_URL: 'PATH' }, ['check GATEWAY_BASE_URL']],
  ['a database below a file', { DATABASE_URL: `file:${PROGRAM}/c.db` }, ['one of its folders is a file']],
  ['a database that is a folder', { DATABASE_URL: `file:${import.meta.dirname}` }, ['it is a folder']],
  [
    'misspelt names',
    { MERCHANT_WEBHOK_URL: 'https://shop.example/events', EMBED_ORIGIN: 'https://shop.example' },
    ['rename it to MERCHANT_WEBHOOK_URL, or remove it', 'EMBED_ORIGIN is not read: is EMBED_ORIGINS meant?'],
  ],
  [
    'an amount without a currency',
    { WITHDRAWAL_CONFIRM_ABOVE: 'USTD=5,*=1', TWO_PERSONS_ABOVE: 'usdd=5' },
    ['WITHDRAWAL_CONFIRM_ABOVE names USTD, which the gateway does not list', 'TWO_PERSONS_ABOVE names USDD,'],
  ],
  [
    'limits without a currency',
    { WITHDRAWAL_LIMITS: '{"USDT@TRC20": {}, "USDT@Torn": {}}', DEPOSIT_MINIMUMS: '{"usdt": "1"}' },
    ['WITHDRAWAL_LIMITS names usdt@torn,', 'DEPOSIT_MINIMUMS names usdt,'],
  ],
  [
    'a rule without a currency',
    { WITHDRAWAL_RULES: '{"*": {}, "usdt": {}, "USDT@TRC20": {}, "USDT@Torn": {"review_above": "5"}}' },
    ['WITHDRAWAL_RULES names usdt@torn,'],
  ],
] as const)('%s: it says what to do, with exit code 1', async (what, changes, words) => {
  const { code, text } = await ask(what === 'a wrong path' ? { GATEWAY_BASE_URL: `${gateway.url}/elsewhere` } : changes)
  for (const word of words) expect(text).toContain(word)
  expect(text.match(/^FAULT/gm)).toHaveLength(words.length)
  expect(code).toBe(1)
})

test('in a folder without settings, doctor and start say that there is no .env, and what writes one', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'cashier-without-env-'))
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production' } as const
  const texts = await Promise.all(
    [PROGRAM, join(import.meta.dirname, '../server.ts')].map(
      (program) =>
        new Promise<string>((resolve) => {
          execFile(process.execPath, ['--conditions=react-server', program], { env, cwd }, (_error, stdout, stderr) =>
            resolve(stdout + stderr),
          )
        }),
    ),
  )
  rmSync(cwd, { recursive: true })
  for (const text of texts) {
    expect(text).toContain('GATEWAY_BASE_URL is required')
    expect(text).toContain(`There is no .env in ${cwd}: \`npm run init\` writes one`)
  }
})

const CERTIFICATE = join(import.meta.dirname, '../lib/server/gateway/vectors/localhost.test-only.cert.pem')
const tls = {
  cert: readFileSync(CERTIFICATE),
  key: readFileSync(CERTIFICATE.replace('.cert.', '.key.')),
}

test('on a first start without any setup, each fault has its own name and its own fix', async () => {
  const server = createServer(tls, (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"nonce too short"}')
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = `https://localhost:${(server.address() as AddressInfo).port}`
  const folder = mkdtempSync(join(tmpdir(), 'cashier-doctor-backups-'))
  writeFileSync(join(folder, 'cashier.db'), 'a backup')
  utimesSync(join(folder, 'cashier.db'), 0, Date.now() / 1000 - 50 * 3600)
  const noDatabase = new URL(inject('postgresUrl'))
  noDatabase.pathname = '/nobody_made_it'
  const environment = {
    GATEWAY_BASE_URL: address,
    DATABASE_URL: noDatabase.href,
    MERCHANT_AUTHORIZE_URL: 'http://127.0.0.1:9/authorize',
    MERCHANT_WEBHOOK_URL: `${address}/events`,
    MERCHANT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  }
  try {
    const unknown = await ask(environment, ['--backup', folder])
    expect(unknown.text).toMatch(/FAULT gateway: .*SELF_SIGNED_CERT.*\n.*TLS failure.*NODE_EXTRA_CA_CERTS/)
    expect(unknown.text).toMatch(
      /FAULT database: .*"nobody_made_it" does not exist\n.*createdb --owner=.* nobody_made_it/,
    )
    expect(unknown.text).toMatch(
      /FAULT merchant: MERCHANT_AUTHORIZE_URL does not decide.*\n.*start the merchant's backend/,
    )
    expect(unknown.text).toMatch(/FAULT merchant: MERCHANT_WEBHOOK_URL .*\n.*NODE_EXTRA_CA_CERTS/)
    expect(unknown.text).toMatch(/FAULT backup: the last one is 50 h old: .*cashier\.db; the limit is 26 h/)
    expect(unknown.text).not.toContain('back up first')
    expect(unknown.code).toBe(1)

    const trusted = await ask({ ...environment, NODE_EXTRA_CA_CERTS: CERTIFICATE }, [
      '--backup',
      join(folder, 'cashier.db'),
      '--backup-hours=60',
    ])
    expect(trusted.text).not.toContain('TLS failure')
    expect(trusted.text).toMatch(/FAULT gateway: .*nonce too short\n.*X-API-Nonce.*proxies in between/)
    expect(trusted.text).not.toContain('GATEWAY_PRIVATE_KEY with what')
    expect(trusted.text).toContain('ok    backup: the last one is 50 h old')
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true })
  }
})

test('an invalid configuration: all faults are listed, without a secret', async () => {
  const { code, text } = await ask({ PORT: 'x', SESSION_SECRET: 'hunter2' })
  expect(text.match(/FAULT configuration/g)).toHaveLength(2)
  expect(text).toContain('2 to fix.')
  expect(text).not.toContain('hunter2')
  expect(code).toBe(1)
})
