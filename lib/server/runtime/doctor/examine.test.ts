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
  const found = await checkFraming({ config: testConfig(), fetch: answering(headers, status) })
  expect(levels(found)).toEqual(expected)
  expect(said(found)).toContain(words)
})

test('framing: a cashier that does not run is only a note; http that is not local is a fault', async () => {
  expect(levels(await checkFraming({ config: testConfig(), fetch: refusing }))).toEqual(['ok', 'note'])
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
