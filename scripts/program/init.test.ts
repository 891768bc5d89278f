import { execFile, spawn } from 'node:child_process'
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configOf, configWarnings, readConfig } from '#lib/server/runtime/config/config.ts'
import { QUESTIONS } from './init-questions.ts'
import { settingLine } from './init-settings.ts'

const PROGRAM = join(import.meta.dirname, '../cashier.mjs')
const gatewayKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString()

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-init-'))
  writeFileSync(join(folder, 'gateway.pem'), gatewayKey)
})
afterEach(() => rmSync(folder, { recursive: true }))

const environment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NODE_ENV: 'production',
} as const

const init = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, 'init', ...args],
      { cwd: folder, env: environment },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    )
    child.stdin?.end()
  })

const FLAGS = {
  'gateway-base-url': 'https://gateway.example.com',
  'gateway-api-key': `k'#$ey`,
  'gateway-public-key': 'file:gateway.pem',
  'public-url': 'https://cashier.example.com',
  'embed-origins': 'https://shop.example.com',
}
const flags = (changes: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries({ ...FLAGS, ...changes }).map(([name, value]) => `--${name}=${value}`)

/** What the cashier reads from the written file, elsewhere. */
const readWritten = (file = '.env') =>
  readConfig(parseEnv(readFileSync(join(folder, file), 'utf8')), () => {
    throw new Error('it names another file')
  })

test('from its options it writes settings that the cashier starts with, for its owner alone', async () => {
  const { code, out, err } = await init(...flags())
  expect([code, err]).toEqual([0, ''])
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  const read = readWritten()
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  const { settings } = read
  expect(settings.gateway.apiKey).toBe(FLAGS['gateway-api-key'])
  expect(settings.embedOrigins).toEqual(['https://shop.example.com'])
  expect(settings.databaseUrl).toBe('file:./data/cashier.db')
  const publicKey = createPublicKey(settings.gateway.privateKey).export({ type: 'spki', format: 'pem' })
  expect(readFileSync(join(folder, 'merchant-public.pem'), 'utf8')).toBe(publicKey)
  expect(out).toContain(publicKey)
  expect(out).toContain(
    'npm run sandbox -- --merchant-public-key=file:merchant-public.pem --webhook-url=https://cashier.example.com/api/webhooks/gateway',
  )
  expect(out).toMatch(/npm run doctor\n.*npm start\n$/)
  const text = readFileSync(join(folder, '.env'), 'utf8')
  const secrets = [settings.sessionSecrets[0], settings.merchantApiKeys[0], parseEnv(text)['GATEWAY_PRIVATE_KEY'] ?? '']
  for (const secret of secrets) expect(out).not.toContain(secret)
  expect(text).toMatch(/^CASHIER_HOST=cashier\.example\.com\nPOSTGRES_PASSWORD=[0-9a-f]{64}\n$/m)
})

test.each([
  ['http://localhost:3100', 'PORT=3100'],
  ['http://127.0.0.1:3100', 'PORT=3100'],
  ['http://[::1]:3100', 'PORT=3100'],
  ['http://localhost:3000', undefined],
  ['https://localhost:8443', undefined],
  ['https://cashier.example.com:8443', undefined],
])('with the public address %s the written port is: %s', async (address, line) => {
  expect((await init(...flags({ 'public-url': address }))).code).toBe(0)
  expect(/^PORT=.*/m.exec(readFileSync(join(folder, '.env'), 'utf8'))?.[0]).toBe(line)
  const read = readWritten()
  expect(read.ok && configWarnings(configOf(read.settings, read.settings.port))).toEqual([
    expect.objectContaining({ message: expect.stringContaining('ONRAMP_ORIGINS') as string }),
  ])
})

test('it never overwrites a file, unless it is told to; each file has keys of its own', async () => {
  await init(...flags())
  const first = readFileSync(join(folder, '.env'), 'utf8')
  const refused = await init(...flags())
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--force')])
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(first)
  writeFileSync(join(folder, 'open.env'), '', { mode: 0o644 })
  expect((await init('--force', '--file=open.env', ...flags())).code).toBe(0)
  expect(statSync(join(folder, 'open.env')).mode & 0o777).toBe(0o600)
  expect((await init('--force', ...flags())).code).toBe(0)
  const key = (text: string) => parseEnv(text)['GATEWAY_PRIVATE_KEY'] ?? ''
  const keys = [first, ...['.env', 'open.env'].map((file) => readFileSync(join(folder, file), 'utf8'))].map(key)
  expect(new Set(keys).size).toBe(3)
  for (const one of keys) expect(createPrivateKey(Buffer.from(one, 'base64')).asymmetricKeyType).toBe('rsa')
})

test('without a terminal, each missing option is named, and nothing is written', async () => {
  const [apiKey] = flags().filter((one) => one.startsWith('--gateway-api-key'))
  const { code, err } = await init(apiKey ?? '')
  expect(code).toBe(2)
  const named = err.match(/^--[\w-]+(?= is missing)/gm)
  expect(named).toEqual(['--gateway-base-url', '--gateway-public-key', '--public-url', '--embed-origins'])
  expect(existsSync(join(folder, '.env'))).toBe(false)
})

test.each([
  ['an address with a path', { 'public-url': 'https://a.example/path' }, '--public-url must be an origin'],
  ['a key that is none', { 'gateway-public-key': 'abc' }, '--gateway-public-key is no PEM'],
  ['an unreadable key', { 'gateway-public-key': 'file:none.pem' }, '--gateway-public-key names a file that cannot be'],
  ['a database of another kind', { 'database-url': 'mysql://a' }, '--database-url must be file:'],
  ['an empty answer', { 'public-url': '' }, '--public-url is required'],
  [
    'plain http to another machine',
    { 'gateway-base-url': 'http://gateway.example' },
    '--gateway-base-url is plain http to another machine: https is required, or --allow-insecure-http',
  ],
])('%s is refused, and nothing is written', async (_name, changes, fault) => {
  const { code, err } = await init(...flags(changes))
  expect([code, err]).toEqual([1, expect.stringContaining(fault)])
  expect(existsSync(join(folder, '.env'))).toBe(false)
})

test('on a terminal it asks for what no option gives, again after an answer that is not allowed', async () => {
  const terminal = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process.stdin, 'isTTY', { value: true })")}`
  const child = spawn(process.execPath, [`--import=${terminal}`, PROGRAM, 'init', ...flags().slice(1)], {
    cwd: folder,
    env: environment,
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  // The gateway's address twice, then the three usual values and the database.
  child.stdin.end('gateway\nhttps://gateway.example/api\nmy-shop\n\npostgres://u:p@db/cashier\n')
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, err]).toEqual([0, expect.stringContaining('GATEWAY_BASE_URL must be the http or https address')])
  expect(err).toContain('The database: file:PATH or postgres://… [file:./data/cashier.db]: ')
  const read = readWritten()
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  expect([read.settings.gateway.baseUrl, read.settings.gatewayMerchantReference, read.settings.onrampOrigins]).toEqual([
    'https://gateway.example/api',
    'my-shop',
    [],
  ])
  expect(read.settings.databaseUrl).toBe('postgres://u:p@db/cashier')
})

test('a terminal that closes leaves nothing behind', async () => {
  const terminal = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process.stdin, 'isTTY', { value: true })")}`
  const child = spawn(process.execPath, [`--import=${terminal}`, PROGRAM, 'init'], { cwd: folder, env: environment })
  child.stdin.end('https://gateway.example\n')
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1)
  expect(existsSync(join(folder, '.env'))).toBe(false)
})

test.each(['plain', "it's", 'a "b"', '$HOME #1', 'back\\slash', ' spaces '])('%j is read back as it was', (value) => {
  expect(parseEnv(settingLine('A', value))['A']).toBe(value)
})

test('every question is one of the settings, each once', () => {
  const names = QUESTIONS.map(({ variable }) => variable)
  expect(new Set(names).size).toBe(names.length)
})
