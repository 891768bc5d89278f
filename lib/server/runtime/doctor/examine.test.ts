import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { backUpFile } from '../../store/commands/backup.ts'
import { connectDatabase, openDatabase } from '../../store/database/database.ts'
import type { WebhookOutcome } from '../../store/types.ts'
import { openStore } from '../../store/store.ts'
import { seed } from '../../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase } from '../../store/testing/test-databases.ts'
import { MERCHANT_KEYS, testConfig } from '../testing/config.ts'
import { checkAbsence } from './check-absence.ts'
import { checkBackup } from './check-backup.ts'
import { checkClock } from './check-clock.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkFraming } from './check-framing.ts'
import { checkKeys } from './check-keys.ts'
import { checkMerchant } from './check-merchant.ts'
import { checkProxy } from './check-proxy.ts'
import { checkReference } from './check-reference.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { checkExposure } from './examine.ts'
import type { Finding } from './finding.ts'
import { tlsFix } from './tls-fault.ts'

const levels = (found: readonly Finding[]): readonly string[] => found.map((one) => one.level)
const said = (found: readonly Finding[]): string => found.map((one) => `${one.message} ${one.fix ?? ''}`).join('\n')
const answering =
  (headers: Record<string, string>, status = 200): typeof fetch =>
  () =>
    Promise.resolve(new Response('', { status, headers }))
const refusing: typeof fetch = () =>
  Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 10.0.0.1:443') }))

test('keys are shown by fingerprints; our own key in place of the gateway’s is a fault, and so is one secret used twice', () => {
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
])('a clock that is %i ms off is a %s', async (offset, level, words) => {
  const gateway = Date.UTC(2026, 0, 1)
  const fetch = answering({ date: new Date(gateway).toUTCString() })
  const found = await checkClock({ url: 'http://gateway', clock: () => gateway + offset, fetch })
  expect(levels(found)).toEqual([level])
  expect(said(found)).toContain(words)
})

test('a clock that cannot be compared is no fault', async () => {
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
  ['all correct', GOOD, 200, ['ok', 'ok'], 'right headers'],
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

test('framing: a cashier that does not run is only a note; http beyond this machine is a fault', async () => {
  const alone = await checkFraming({ config: testConfig(), fetch: refusing })
  expect(levels(alone)).toEqual(['ok', 'note', 'note'])
  expect(said(alone)).toContain('WITHDRAWAL_CONFIRM_ABOVE is not set')
  expect(levels(await checkFraming({ config: asking, fetch: refusing }))).toEqual(['ok', 'note'])
  const config = testConfig({ PUBLIC_URL: 'http://cashier.example' })
  expect(levels(await checkFraming({ config, fetch: refusing }))).toContain('fault')
  const nobody = testConfig({ EMBED_ORIGINS: '' })
  expect(said(await checkFraming({ config: nobody, fetch: refusing }))).toContain('no site may frame the cashier')
})

test.each(FLAVOURS)('%s is checked empty, then with tables; the check leaves nothing behind', async (flavour) => {
  const { url, remove } = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
  try {
    const before = await checkDatabase(url)
    expect(levels(before)).toEqual(flavour === 'sqlite' ? ['note'] : ['ok', 'note'])
    expect(said(before)).toContain('the first start creates')
    expect(said(before)).not.toContain('back up')
    await (await openDatabase(url)).close()
    const found = await checkDatabase(url)
    expect(levels(found)).toEqual(['ok', 'ok'])
    expect(said(found)).toMatch(flavour === 'sqlite' ? /SQLite \d/ : /PostgreSQL \d/)
    const again = await openDatabase(url)
    const tables = await again.db.introspection.getTables()
    await again.close()
    expect(tables.map((table) => table.name)).not.toContain('cashier_doctor_probe')
    const later = connectDatabase(url)
    await sql`insert into schema_migrations (name, applied_ms) values ('9999-later', 1)`.execute(later.db)
    await later.close()
    expect(said(await checkDatabase(url))).toMatch(/9999-later.*run the version that upgraded it/s)
  } finally {
    await remove()
  }
})

test('a missing database, a file that is none, and a backup beside a log are faults', async () => {
  const away = await checkDatabase('postgres://cashier:hunter2@127.0.0.1:9/cashier')
  expect(levels(away)).toEqual(['fault'])
  expect(said(away)).toContain('ECONNREFUSED')
  expect(said(away)).not.toContain('hunter2')
  const folder = mkdtempSync(join(tmpdir(), 'cashier-doctor-'))
  try {
    writeFileSync(join(folder, 'not-a.db'), 'This is a letter to a friend, and no database at all.'.repeat(20))
    expect(levels(await checkDatabase(`file:${join(folder, 'not-a.db')}`))).toEqual(['fault'])
    const backup = join(folder, 'backup.db')
    await openDatabase(`file:${join(folder, 'used.db')}`).then((used) => used.close())
    await backUpFile(join(folder, 'used.db'), backup)
    writeFileSync(`${backup}-wal`, 'of another file')
    const found = await checkDatabase(`file:${backup}`)
    expect([levels(found), said(found)]).toEqual([['fault'], expect.stringContaining(`delete ${backup}-wal`)])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a database file below a file, or that is a folder, is a fault', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-doctor-'))
  try {
    writeFileSync(join(folder, 'file.txt'), '')
    for (const path of ['file.txt/c.db', 'file.txt/data/c.db', '.']) {
      const found = await checkDatabase(`file:${join(folder, path)}`)
      expect(levels(found), path).toEqual(['fault'])
      expect(said(found)).toMatch(/ (a file|a folder)\. DATABASE_URL must be file: .* correct DATABASE_URL/)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a full disk is a fault; a disk too small for a second copy of the database is a note', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-doctor-'))
  try {
    const url = `file:${join(folder, 'data', 'cashier.db')}`
    expect(levels(checkDisk(url))).toEqual(['ok'])
    expect(levels(checkDisk(url, () => 255_000_000))).toEqual(['fault'])
    const large = join(folder, 'cashier.db')
    writeFileSync(large, '')
    truncateSync(large, 300_000_000)
    expect(levels(checkDisk(`file:${large}`, () => 299_000_000))).toEqual(['note'])
    expect(levels(checkDisk(`file:${large}`, () => 301_000_000))).toEqual(['ok'])
    expect(checkDisk('postgres://db/cashier', () => 0)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  // As pg_dump 15 writes them: the data of a table ends with a length of zero.
  ['archive', `PGDMP\u0001\u000e\u0000\u0004\u0008\u0001${'rows'.repeat(500)}\u0000\u0000\u0000\u0000\u0000`],
  [
    'script',
    `--\n-- PostgreSQL database dump\n--\n\n${'rows\n'.repeat(500)}\n--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict key\n\n`,
  ],
])('a dump of PostgreSQL that was cut off does not count: %s', (_format, dump) => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-doctor-'))
  const nowMs = Date.now()
  const check = (path: string) => checkBackup({ path, maxHours: 26, nowMs })
  try {
    const [file, older] = [join(folder, 'new.dump'), join(folder, 'old.dump')]
    writeFileSync(file, dump)
    expect([levels(check(file)), levels(check(folder))]).toEqual([['ok'], ['ok']])
    truncateSync(file, Math.ceil(dump.length * 0.6))
    for (const path of [file, folder]) expect(levels(check(path))).toEqual(['fault'])
    writeFileSync(older, dump)
    utimesSync(older, 0, nowMs / 1000 - 25 * 3600)
    expect(said(check(folder))).toMatch(/the last one is 25 h old: .*old.dump; newer files .*cut off.*new.dump/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a SQLite copy of the right size that is damaged is a fault, and the check leaves nothing beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-doctor-'))
  const check = () => checkBackup({ path: folder, maxHours: 26, nowMs: Date.now() })
  try {
    const { url, remove } = await newTestDatabase('sqlite', inject('postgresUrl'))
    const copy = join(folder, 'a #1.db')
    await backUpFile(url.slice('file:'.length), copy)
    await remove()
    expect(levels(check())).toEqual(['ok'])
    const { size } = statSync(copy)
    const file = openSync(copy, 'r+')
    writeSync(file, Buffer.alloc(size / 2, 7), 0, size / 2, size / 4)
    closeSync(file)
    expect(statSync(copy).size).toBe(size)
    expect([levels(check()), said(check())]).toEqual([['fault'], expect.stringContaining('a #1.db is damaged: ')])
    expect(readdirSync(folder)).toEqual(['a #1.db'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a missing, empty or unreadable backup is a fault; of several the newest counts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-doctor-'))
  const nowMs = Date.now()
  const check = (path: string) => checkBackup({ path, maxHours: 26, nowMs })
  const add = (name: string, hours: number, text: string) => {
    writeFileSync(join(folder, name), text)
    utimesSync(join(folder, name), 0, nowMs / 1000 - hours * 3600)
  }
  try {
    expect(levels(check(folder))).toEqual(['fault'])
    expect(levels(check(join(folder, 'no-such')))).toEqual(['fault'])
    add('empty.db', 1, '')
    expect(said(check(folder))).toContain('is empty')
    add('old.db', 60, 'an old backup')
    expect(levels(check(folder))).toEqual(['fault'])
    add('new.db', 25, 'a new one')
    expect(said(check(folder))).toContain('the last one is 25 h old')
    expect(levels(check(folder))).toEqual(['ok'])
    // A backup that was killed.
    add('newer.db.partial', 1, 'a newer backup')
    // A dump that a full disk cut off, and what the job writes beside them.
    add('newer.dump', 1, 'a newe')
    add('backup.log', 0, 'failed')
    expect(said(check(folder))).toMatch(/the last one is 25 h old: .*new.db; newer files .*backup.log, .*newer.dump/)
    expect(levels(check(folder))).toEqual(['ok'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
  ['CERT_HAS_EXPIRED certificate has expired', 'renew it'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another name'],
  ['write EPROTO … wrong version number', 'does not speak TLS'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'do not agree on TLS'],
])('a TLS failure is named as such: %s', (reason, words) => {
  expect(tlsFix(reason)).toContain(words)
  expect(tlsFix(reason)).toContain('TLS failure')
})

test('another failure is not called a TLS failure', () => {
  expect(tlsFix('ECONNREFUSED connect 127.0.0.1:9')).toBe(null)
})

const arrivesAs = (forwarded_entries: number, trust_proxy: number): typeof fetch => {
  const body = { client_address: '192.0.2.1', forwarded_entries, trust_proxy }
  return () => Promise.resolve(Response.json(body))
}

test.each([
  [0, 0, 0, ['ok'], 'TRUST_PROXY=0 fits'],
  [2, 2, 2, ['ok'], 'TRUST_PROXY=2 fits'],
  [1, 0, 0, ['fault'], 'set TRUST_PROXY to the number of proxies in front, 1'],
  [0, 1, 1, ['fault'], 'could forge its address'],
  [1, 2, 1, ['fault', 'note'], 'the running cashier has TRUST_PROXY=1, these settings have 2'],
  [1, 1, 2, ['ok', 'fault'], 'restart the cashier with these settings'],
])(
  '%i entries of X-Forwarded-For, TRUST_PROXY=%i here and %i in the process: %s',
  async (arrived, set, has, level, words) => {
    const config = testConfig({ TRUST_PROXY: String(set) })
    const found = await checkProxy({ config, fetch: arrivesAs(arrived, has) })
    expect(levels(found)).toEqual(level)
    expect(said(found)).toContain(words)
  },
)

test('a running cashier that refuses the merchant key is named as such', async () => {
  const refused: typeof fetch = () => Promise.resolve(Response.json({ code: 'unauthenticated' }, { status: 401 }))
  const found = await checkProxy({ config: testConfig(), fetch: refused })
  expect(levels(found)).toEqual(['fault'])
  expect(said(found)).toContain('the running cashier refuses MERCHANT_API_KEY of these settings')
})

test('a cashier that does not run, or another program, is no fault of the proxy', async () => {
  const others = [refusing, answering({}), answering({}, 401), arrivesAs(0.5, 0)]
  for (const fetch of others) expect(levels(await checkProxy({ config: testConfig(), fetch }))).toEqual(['note'])
})

test.each(FLAVOURS)('%s: refused webhooks are a fault until one is accepted', async (flavour) => {
  const { url, remove } = await newTestDatabase(flavour, inject('postgresUrl'))
  const store = await openStore({ url, clock: Date.now, deliver: false })
  const refused = (count: number, lastAgoMs = 0) =>
    store.instanceReports.put('one', {
      ...{ what: 'webhook_refused', count, detail: 'unauthenticated', sinceAgoMs: 60_000, lastAgoMs },
    })
  const accepted = (received_ms: number) =>
    seed(store, { webhooks: [{ received_ms, sent_s: 0, body: depositOf('ours'), outcome: 'applied' }] })
  try {
    expect(levels(await checkWebhooks(url))).toEqual(['note'])
    await refused(8)
    const wrong = await checkWebhooks(url)
    expect(levels(wrong)).toEqual(['fault'])
    expect(said(wrong)).toMatch(/8 refused \(unauthenticated\), and none was accepted.*compare GATEWAY_PUBLIC_KEY/s)
    await accepted(Date.now() - 30_000)
    expect(said(await checkWebhooks(url))).toMatch(/8 refused \(unauthenticated\) since the last accepted one, \d{4}-/)
    await accepted(Date.now() + 1000)
    const good = await checkWebhooks(url)
    expect(levels(good)).toEqual(['ok'])
    expect(said(good)).toMatch(/the last one was accepted at \d{4}-/)
  } finally {
    await store.close()
    await remove()
  }
})

test('without a database no webhooks are counted, and no database is created', async () => {
  const path = join(tmpdir(), `cashier-doctor-none-${process.pid}.db`)
  expect(await checkWebhooks(`file:${path}`)).toEqual([])
  expect(existsSync(path)).toBe(false)
})

test.each([
  ['900', 'https://gateway.example', 'https://cashier.example', 'ok', 'after 900 s'],
  ['899', 'https://gateway.example', 'https://cashier.example', 'fault', 'set WITHDRAWAL_ABSENCE_S to at least 900'],
  ['5', 'http://localhost:4010', 'https://cashier.example', 'note', 'Suitable only for a sandbox'],
  ['5', 'https://gateway.example', 'http://127.0.0.1:3000', 'note', 'Suitable only for a sandbox'],
])('WITHDRAWAL_ABSENCE_S=%s with %s and %s: %s', (seconds, GATEWAY_BASE_URL, PUBLIC_URL, level, words) => {
  const found = checkAbsence(testConfig({ WITHDRAWAL_ABSENCE_S: seconds, GATEWAY_BASE_URL, PUBLIC_URL }))
  expect(levels(found)).toEqual([level])
  expect(said(found)).toContain(words)
})

test('plain http and metrics without a token are reported', () => {
  expect(levels(checkExposure(testConfig({ METRICS_TOKEN: 'x'.repeat(16) })))).toEqual(['ok', 'ok'])
  const open = checkExposure(testConfig({ ALLOW_INSECURE_HTTP: 'on', GATEWAY_BASE_URL: 'http://gateway.example' }))
  expect(levels(open)).toEqual(['note', 'note'])
})

test('without a reference, the doctor says that the list must confirm deposits', async () => {
  const check = (config: ReturnType<typeof testConfig>) => checkReference({ config, clock: Date.now })
  const unset = { GATEWAY_MERCHANT_REFERENCE: '' }
  const embedded = await check(testConfig(unset))
  expect(levels(embedded)).toEqual(['note'])
  expect(said(embedded)).toContain('a deposit is credited only once')
  const asking = testConfig({
    ...unset,
    MERCHANT_AUTHORIZE_URL: 'https://shop.example/authorize',
    MERCHANT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  })
  expect(said(await check(asking))).toContain('a deposit is published only once')
})

const depositOf = (merchant: string | undefined): string =>
  JSON.stringify({
    event: 'User Deposit',
    transaction: {
      id: 't1',
      status: 'succeeded',
      currency: { id: 'c1', name: 'Tether USD', symbol: 'USDT', network: 'Tron', currency_code: 'USDT' },
      amount: 10,
      to_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      tx_hash: 'hash',
    },
    transaction_uuid: 't1',
    user_reference: 'user_1',
    merchant_reference: merchant,
  })

test.each(FLAVOURS)(
  '%s: a reference that the gateway does not use is a fault, with the gateway’s references',
  async (flavour) => {
    const { url, remove } = await newTestDatabase(flavour, inject('postgresUrl'))
    const store = await openStore({ url, clock: Date.now, deliver: false })
    const config = testConfig({ DATABASE_URL: url, GATEWAY_MERCHANT_REFERENCE: 'ours' })
    const check = (clock = Date.now) => checkReference({ config, clock })
    const quarantine = (event: string) =>
      seed(store, {
        quarantine: [
          {
            reason: 'other_merchant',
            event_name: 'User Deposit',
            user_reference_id: null,
            transaction_uuid: null,
            event,
          },
        ],
      })
    const addWebhook = (merchant: string, outcome: WebhookOutcome) =>
      seed(store, {
        webhooks: [{ received_ms: Date.now(), sent_s: 0, body: depositOf(merchant), outcome }],
      })
    try {
      expect(levels(await check())).toEqual(['ok'])
      // A purchase names no merchant.
      await quarantine(JSON.stringify({ ...JSON.parse(depositOf('theirs')), event: 'User Onramp' }))
      expect(levels(await check())).toEqual(['ok'])
      for (const one of ['merchant-7', 'merchant-7', '\u001b[2J\u009b', undefined]) await quarantine(depositOf(one))
      await addWebhook('theirs', 'applied')
      await addWebhook('ours', 'other_merchant')
      const wrong = await check()
      expect(levels(wrong)).toEqual(['fault'])
      expect(said(wrong)).toContain(
        '4 deposits and payouts as other_merchant: "merchant-7" (2), (none) (1), "\\u001b[2J\\u009b" (1)',
      )
      expect(said(wrong)).toContain('set GATEWAY_MERCHANT_REFERENCE to it')
      expect(levels(await check(() => Date.now() + 25 * 3_600_000))).toEqual(['ok'])
      await addWebhook('ours', 'applied')
      const both = await check()
      expect(levels(both)).toEqual(['ok', 'note'])
      expect(said(both)).toContain('Events of ours were applied')
    } finally {
      await store.close()
      await remove()
    }
  },
)

test('without a database the reference is not compared, and no database is created', async () => {
  const path = join(tmpdir(), `cashier-doctor-none-${process.pid}.db`)
  const config = testConfig({ DATABASE_URL: `file:${path}` })
  expect(levels(await checkReference({ config, clock: Date.now }))).toEqual(['ok'])
  expect(existsSync(path)).toBe(false)
})

test("each of the merchant's URLs gets a signed test", async () => {
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
  const because = async (fetch: typeof globalThis.fetch) => {
    const faults = await check(fetch)
    expect(levels(faults)).toEqual(['fault', 'fault'])
    return faults.map(({ fix = '' }) => fix).join('\n')
  }
  expect(await because(answering({}, 401))).toContain('the same MERCHANT_WEBHOOK_SECRET')
  expect(await because(answering({}, 404))).toContain('correct the path')
  expect(await because(answering({}, 307))).toContain('redirects are not followed')
  expect(await because(refusing)).toContain("start the merchant's backend")
  const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
  expect(await because(() => Promise.reject(new TypeError('fetch failed', { cause: unknown })))).toContain(
    'cannot resolve it',
  )
  expect(await checkMerchant({ config: testConfig(), clock: Date.now, newId: () => '1', fetch: refusing })).toEqual([])
})
