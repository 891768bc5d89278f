import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../store/database.ts'
import { FLAVOURS, newTestDatabase } from '../../store/testing/test-databases.ts'
import { MERCHANT_KEYS, testConfig } from '../testing/config.ts'
import { checkClock } from './check-clock.ts'
import { checkDatabase } from './check-database.ts'
import { checkFraming } from './check-framing.ts'
import { checkKeys } from './check-keys.ts'
import { checkMerchant } from './check-merchant.ts'
import { checkProxy } from './check-proxy.ts'
import { checkExposure } from './examine.ts'
import type { Finding } from './finding.ts'

const levels = (found: readonly Finding[]): readonly string[] => found.map((one) => one.level)
const said = (found: readonly Finding[]): string => found.map((one) => `${one.message} ${one.fix ?? ''}`).join('\n')
const answering =
  (headers: Record<string, string>, status = 200): typeof fetch =>
  () =>
    Promise.resolve(new Response('', { status, headers }))
const refusing: typeof fetch = () =>
  Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 10.0.0.1:443') }))

test('keys: by fingerprints; our own in the place of the gateway’s is a fault, and so is one secret for two things', () => {
  expect(levels(checkKeys(testConfig()))).toEqual(['ok', 'ok', 'ok'])
  expect(said(checkKeys(testConfig()))).toMatch(/SHA256:[A-Za-z0-9+/]{43}=/)
  const own = checkKeys(testConfig({ GATEWAY_PUBLIC_KEY: MERCHANT_KEYS.publicKey }))
  expect(levels(own)).toEqual(['ok', 'fault', 'ok'])
  const same = 'x'.repeat(32)
  expect(levels(checkKeys(testConfig({ SESSION_SECRET: same, MERCHANT_API_KEY: same })))).toContain('fault')
  expect(said(checkKeys(testConfig({ SESSION_SECRET: `${same},${'y'.repeat(32)}` })))).toContain('rotation')
})

test.each([
  [0, 'ok', 'agrees'],
  [20_000, 'note', '20 s ahead of'],
  [90_000, 'fault', '90 s ahead of'],
  [-90_000, 'fault', '90 s behind'],
])('a clock that is %i ms off: %s', async (offset, level, words) => {
  const gateway = Date.UTC(2026, 0, 1)
  const fetch = answering({ date: new Date(gateway).toUTCString() })
  const found = await checkClock({ url: 'http://gateway', clock: () => gateway + offset, fetch })
  expect(levels(found)).toEqual([level])
  expect(said(found)).toContain(words)
})

test('a clock that cannot be compared is no fault of its own', async () => {
  for (const fetch of [refusing, answering({}), answering({ date: 'yesterday' })]) {
    expect(levels(await checkClock({ url: 'http://gateway', clock: Date.now, fetch }))).toEqual(['note'])
  }
})

const asking = testConfig({ WITHDRAWAL_CONFIRM_ABOVE: '*=100' })
const GOOD = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'self' https://shop.example http://127.0.0.1:4020",
  'strict-transport-security': 'max-age=1',
}

test.each([
  ['all as it should be', GOOD, 200, ['ok', 'ok'], 'right headers'],
  [
    'a proxy that forbids frames',
    { ...GOOD, 'x-frame-options': 'DENY' },
    200,
    ['ok', 'fault'],
    'X-Frame-Options: DENY',
  ],
  ['a proxy that drops the policy', {}, 200, ['ok', 'fault', 'note'], 'may not be framed by https://shop.example'],
  ['another program', GOOD, 404, ['ok', 'fault'], 'answers 404'],
])('framing: %s', async (_what, headers, status, expected, words) => {
  const found = await checkFraming({ config: asking, fetch: answering(headers, status) })
  expect(levels(found)).toEqual(expected)
  expect(said(found)).toContain(words)
})

test('framing: a cashier that does not run is only a note; http that is not local is a fault', async () => {
  const alone = await checkFraming({ config: testConfig(), fetch: refusing })
  expect(levels(alone)).toEqual(['ok', 'note', 'note'])
  expect(said(alone)).toContain('WITHDRAWAL_CONFIRM_ABOVE is not set')
  expect(levels(await checkFraming({ config: asking, fetch: refusing }))).toEqual(['ok', 'note'])
  const config = testConfig({ PUBLIC_URL: 'http://cashier.example' })
  expect(levels(await checkFraming({ config, fetch: refusing }))).toContain('fault')
  const nobody = testConfig({ EMBED_ORIGINS: '' })
  expect(said(await checkFraming({ config: nobody, fetch: refusing }))).toContain('no site may frame the cashier')
})

test.each(FLAVOURS)('%s: empty, then with tables; nothing is left behind', async (flavour) => {
  const { url, remove } = await newTestDatabase(flavour, inject('postgresUrl'))
  try {
    expect(levels(await checkDatabase(url))).toEqual(flavour === 'sqlite' ? ['note'] : ['ok', 'note'])
    await (await openDatabase(url)).close()
    const found = await checkDatabase(url)
    expect(levels(found)).toEqual(['ok', 'ok'])
    expect(said(found)).toMatch(flavour === 'sqlite' ? /SQLite \d/ : /PostgreSQL \d/)
    const again = await openDatabase(url)
    const tables = await again.db.introspection.getTables()
    await again.close()
    expect(tables.map((table) => table.name)).not.toContain('cashier_doctor_probe')
  } finally {
    await remove()
  }
})

test('a database that is not there, or is none', async () => {
  const away = await checkDatabase('postgres://cashier:hunter2@127.0.0.1:9/cashier')
  expect(levels(away)).toEqual(['fault'])
  expect(said(away)).toContain('ECONNREFUSED')
  expect(said(away)).not.toContain('hunter2')
  const folder = mkdtempSync(join(tmpdir(), 'cashier-doctor-'))
  try {
    writeFileSync(join(folder, 'not-a.db'), 'This is a letter to a friend, and no database at all.'.repeat(20))
    expect(levels(await checkDatabase(`file:${join(folder, 'not-a.db')}`))).toEqual(['fault'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  [0, 0, 'ok', 'fits'],
  [2, 2, 'ok', 'fits'],
  [1, 0, 'fault', 'set TRUST_PROXY to the number of proxies in front, 1'],
  [0, 1, 'fault', 'could make its address up'],
])('%i entries of X-Forwarded-For with TRUST_PROXY=%i: %s', async (arrived, trusted, level, words) => {
  const body = { client_address: '192.0.2.1', forwarded_entries: arrived, trust_proxy: trusted }
  const found = await checkProxy({ config: testConfig(), fetch: () => Promise.resolve(Response.json(body)) })
  expect(levels(found)).toEqual([level])
  expect(said(found)).toContain(words)
})

test('a cashier that does not run, or is none, is no fault of the proxy', async () => {
  expect(levels(await checkProxy({ config: testConfig(), fetch: refusing }))).toEqual(['note'])
  expect(levels(await checkProxy({ config: testConfig(), fetch: () => Promise.resolve(Response.json({})) }))).toEqual([
    'note',
  ])
})

test('plain http and metrics without a token are said', () => {
  expect(levels(checkExposure(testConfig({ METRICS_TOKEN: 'x'.repeat(16) })))).toEqual(['ok', 'ok'])
  const open = checkExposure(testConfig({ ALLOW_INSECURE_HTTP: 'on', GATEWAY_BASE_URL: 'http://gateway.example' }))
  expect(levels(open)).toEqual(['note', 'note'])
})

test("the merchant's addresses get a signed test each", async () => {
  const config = testConfig({
    MERCHANT_AUTHORIZE_URL: 'https://shop.example/authorize',
    MERCHANT_WEBHOOK_URL: 'https://shop.example/events',
    MERCHANT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  })
  const check = (fetch: typeof globalThis.fetch) => checkMerchant({ config, clock: Date.now, newId: () => '1', fetch })
  const asked: (string | undefined)[] = []
  const found = await check((_url, init) => {
    asked.push(new Headers(init?.headers).get('webhook-signature')?.slice(0, 3))
    return Promise.resolve(Response.json({ decision: 'decline' }))
  })
  expect(levels(found)).toEqual(['ok', 'ok'])
  expect(asked).toEqual(['v1,', 'v1,'])
  expect(levels(await check(answering({}, 401)))).toEqual(['fault', 'fault'])
  expect(levels(await check(refusing))).toEqual(['fault', 'fault'])
  expect(await checkMerchant({ config: testConfig(), clock: Date.now, newId: () => '1', fetch: refusing })).toEqual([])
})
