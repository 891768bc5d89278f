import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GATEWAY_KEYS, MERCHANT_KEYS, TEST_ENVIRONMENT, testConfig } from '../testing/config.ts'
import { configWarnings, readConfig } from './config.ts'

const noFiles = (): string => {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
}
const faultsOf = (more: Record<string, string | undefined>): readonly { variable: string; fault: string }[] => {
  const read = readConfig({ ...TEST_ENVIRONMENT, ...more }, noFiles)
  return read.ok ? [] : read.faults
}
const pem = (modulusLength: number): string =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

test('the defaults are those of docs/reference/environment.md', () => {
  const { PUBLIC_URL, EMBED_ORIGINS, ONRAMP_ORIGINS, ...required } = TEST_ENVIRONMENT
  const read = readConfig(required, noFiles)
  expect(read).toMatchObject({
    ok: true,
    settings: {
      port: 3000,
      host: null,
      publicUrl: null,
      databaseUrl: 'file:./data/cashier.db',
      gateway: { baseUrl: 'http://127.0.0.1:9/base', signQuery: 'bare', timeoutMs: 10_000 },
      webhookToleranceS: 300,
      sessionIdleS: 1800,
      sessionMaxS: 43_200,
      embedOrigins: [],
      onrampOrigins: [],
      merchantAuthorizeUrl: null,
      merchantWebhookUrl: null,
      merchantWebhookSecrets: [],
      allowInsecureHttp: false,
      drainS: 5,
      withdrawalAbsenceS: 3600,
      ledgerStartMs: null,
      overdueMs: 86_400_000,
      gatewayStatusWords: new Map(),
      withdrawalConfirmAbove: {},
      rateLimit: true,
      trustProxy: 0,
      metricsToken: null,
      themeTokens: {},
      supportUrl: null,
      explorerUrl: null,
      logLevel: 'info',
    },
  })
  expect([PUBLIC_URL, EMBED_ORIGINS, ONRAMP_ORIGINS].join()).toContain('https')
})

test('DATABASE_PARTITIONS is a number for PostgreSQL alone', () => {
  const DATABASE_URL = 'postgres://cashier@db/cashier'
  const variable = 'DATABASE_PARTITIONS'
  expect(testConfig({ DATABASE_URL, DATABASE_PARTITIONS: '16' }).databasePartitions).toBe(16)
  expect(testConfig({ DATABASE_URL }).databasePartitions).toBeNull()
  for (const wrong of ['1', '1025', 'many'])
    expect(faultsOf({ DATABASE_URL, DATABASE_PARTITIONS: wrong })).toEqual([
      { variable, fault: 'must be a whole number from 2 to 1024, with PostgreSQL' },
    ])
  const fault = 'needs PostgreSQL: SQLite has no partitions'
  for (const sqlite of [undefined, 'file:./c.db'])
    expect(faultsOf({ DATABASE_URL: sqlite, DATABASE_PARTITIONS: '16' })).toEqual([{ variable, fault }])
})

test('with an empty environment, all required variables are named at once', () => {
  const read = readConfig({}, noFiles)
  expect(read.ok ? [] : read.faults.map((fault) => fault.variable)).toEqual([
    'GATEWAY_BASE_URL',
    'GATEWAY_API_KEY',
    'GATEWAY_PRIVATE_KEY',
    'GATEWAY_PUBLIC_KEY',
    'SESSION_SECRET',
    'MERCHANT_API_KEY',
  ])
})

test('an empty variable counts as unset', () => {
  expect(faultsOf({ GATEWAY_API_KEY: '  ' })).toEqual([
    { variable: 'GATEWAY_API_KEY', fault: expect.stringContaining('is required') as string },
  ])
  expect(faultsOf({ METRICS_TOKEN: '', HOST: '', THEME_TOKENS: '' })).toEqual([])
})

test.each([
  ['PORT', 'abc', 'from 0 to 65535'],
  ['PORT', '70000', 'from 0 to 65535'],
  ['PORT', '-1', 'from 0 to 65535'],
  ['PORT', '3000.5', 'from 0 to 65535'],
  ['PUBLIC_URL', 'https://cashier.example/path', 'without a path'],
  ['PUBLIC_URL', 'cashier.example', 'an origin'],
  ['PUBLIC_URL', 'ftp://cashier.example', 'an origin'],
  ['DATABASE_URL', 'mysql://x', 'postgres://'],
  ['DATABASE_URL', 'file:', 'file: and a path'],
  ['DATABASE_URL', 'postgres://u:100%@db.example/cashier', 'percent-encoded'],
  ['DATABASE_URL', 'postgres://u:a%zzb@db.example/cashier', '%25'],
  ['DATABASE_URL', 'postgres://u:12#4@db.example/cashier', '%23'],
  ['DATABASE_URL', 'postgres://u:secret#1@db.example/cashier', '`#%/?@` of user and password percent-encoded'],
  ['DATABASE_URL', 'postgres://u:a/b@db.example/cashier', '%2F'],
  ['DATABASE_URL', 'postgres://u@db.example/%', 'postgres://'],
  ['GATEWAY_BASE_URL', 'not an address', 'http or https'],
  ['GATEWAY_BASE_URL', 'https://user:secret@gateway.example', 'http or https'],
  ['GATEWAY_API_KEY', 'ä', 'visible ASCII characters'],
  ['GATEWAY_API_KEY', 'two words', 'without spaces'],
  ['GATEWAY_PRIVATE_KEY', 'nonsense', 'is no PEM'],
  ['GATEWAY_PRIVATE_KEY', 'file:/nowhere.pem', 'cannot be read (ENOENT)'],
  ['GATEWAY_PRIVATE_KEY', MERCHANT_KEYS.publicKey, 'is a public key'],
  ['GATEWAY_PRIVATE_KEY', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'no readable private key'],
  ['GATEWAY_PRIVATE_KEY', pem(1024), 'has 1024 bits: at least 2048 are required'],
  [
    'GATEWAY_PRIVATE_KEY',
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'type ec, not RSA',
  ],
  ['GATEWAY_PUBLIC_KEY', GATEWAY_KEYS.privateKey, 'is a private key'],
  ['GATEWAY_SIGN_QUERY', 'maybe', 'bare or question-mark'],
  ['GATEWAY_TIMEOUT_MS', '0', 'milliseconds'],
  ['WEBHOOK_TOLERANCE_S', 'soon', 'whole seconds'],
  ['SESSION_SECRET', 'too short', '32 or more characters'],
  ['SESSION_SECRET', `${'x'.repeat(32)},short`, '32 or more characters'],
  ['MERCHANT_API_KEY', 'x'.repeat(31), '32 or more'],
  ['MERCHANT_API_KEY', `${'x'.repeat(32)} ${'y'.repeat(32)}`, '32 or more'],
  ['SESSION_IDLE_S', '0', 'whole seconds'],
  ['EMBED_ORIGINS', 'https://shop.example/path', 'without paths'],
  ['EMBED_ORIGINS', 'https://*.example', 'without paths and wildcards'],
  ['EMBED_ORIGINS', '*', 'origins'],
  ['EMBED_ORIGINS', "https://shop.example;script-src 'unsafe-inline'", 'origins'],
  ['ONRAMP_ORIGINS', 'http://pay.example', 'http only for localhost'],
  ['ONRAMP_ORIGINS', 'https://*', 'https://*.host'],
  ['ONRAMP_ORIGINS', 'https://*.example; frame-src *', 'https://*.host'],
  ['MERCHANT_WEBHOOK_SECRET', 'secret', 'whsec_'],
  ['MERCHANT_WEBHOOK_SECRET', 'whsec_c2hvcnQ=', 'at least 16 bytes'],
  ['RATE_LIMIT', 'yes', 'on or off'],
  ['TRUST_PROXY', 'true', 'how many proxies'],
  ['METRICS_TOKEN', 'fifteen-letters', '16 or more'],
  ['DRAIN_S', '301', 'whole seconds from 0 to 300'],
  ['ALLOW_INSECURE_HTTP', 'yes', 'on or off'],
  ['MERCHANT_WEBHOOK_SECRET', `whsec_${'A'.repeat(32)},whsec_c2hvcnQ=`, 'at least 16 bytes'],
  [
    'GATEWAY_PUBLIC_KEY',
    `${GATEWAY_KEYS.publicKey}-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----`,
    'no readable public key',
  ],
  ['THEME_TOKENS', '{', 'must be JSON'],
  ['THEME_TOKENS', '{"accent":"url(x)"}', 'accent: must be a colour'],
  ['SUPPORT_URL', 'http://help.example', 'https'],
  ['EXPLORER_URL', 'https://explorer.example/tx/', '{hash}'],
  ['EXPLORER_URL', 'http://explorer.example/tx/{hash}', 'https'],
  ['EXPLORER_URL', 'javascript:{hash}', 'https'],
  ['EXPLORER_URL', 'https://{network}.example/tx/{hash}', 'https'],
  ['EXPLORER_URL', 'https://{hash}', 'https'],
  ['WITHDRAWAL_CONFIRM_ABOVE', '500', 'amounts by currency code'],
  ['WITHDRAWAL_CONFIRM_ABOVE', 'USDT=1e3', 'such as USDT=500'],
  ['WITHDRAWAL_CONFIRM_ABOVE', 'USDT=-1', 'such as USDT=500'],
  ['WITHDRAWAL_CONFIRM_ABOVE', 'USDT=0500', 'such as USDT=500'],
  ['WITHDRAWAL_CONFIRM_ABOVE', 'USDT=500,usdt=5', 'such as USDT=500'],
  ['WITHDRAWAL_CONFIRM_ABOVE', '__proto__=5', 'such as USDT=500'],
  ['TWO_PERSONS_ABOVE', 'USDT=1e3', 'as in WITHDRAWAL_CONFIRM_ABOVE'],
  ['LOG_LEVEL', 'loud', 'trace, debug, info, warn, error, fatal or silent'],
])('%s is refused (%#)', (variable, value, words) => {
  const faults = faultsOf({ [variable]: value })
  expect(faults.map((fault) => fault.variable)).toEqual([variable])
  expect(faults[0]?.fault).toContain(words)
})

test.each(['GATEWAY_PRIVATE_KEY', 'GATEWAY_PUBLIC_KEY'])(
  '%s: a file without a PEM block is named as such',
  (variable) => {
    for (const text of ['my-laptop\n', '']) {
      const read = readConfig({ ...TEST_ENVIRONMENT, [variable]: 'file:/etc/hostname' }, () => text)
      expect(read.ok ? [] : read.faults).toEqual([
        { variable, fault: expect.stringContaining('names a file without a PEM block') as string },
      ])
    }
  },
)

test('variables of OpenTelemetry are read only if traces are sent', () => {
  const platforms = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_HEADERS: 'no header' }
  expect(faultsOf(platforms)).toEqual([])
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  expect(faultsOf({ ...endpoint, ...platforms }).map(({ variable }) => variable)).toEqual(Object.keys(platforms))
  const tracing = (headers: string) =>
    testConfig({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers }).tracing?.headerValues
  expect(tracing('key = a%20b,, other=,')).toEqual(['a%20b', ''])
  expect(tracing(',')).toEqual([])
})

test('amounts by currency code, and one amount for all others', () => {
  const read = (value: string) => {
    const config = readConfig({ ...TEST_ENVIRONMENT, WITHDRAWAL_CONFIRM_ABOVE: value }, noFiles)
    return config.ok ? config.settings.withdrawalConfirmAbove : config.faults
  }
  expect(read('USDT=500, btc = 0.01,')).toEqual({ USDT: '500', BTC: '0.01' })
  expect(read('*=0')).toEqual({ '*': '0' })
})

test('faults never show the value of a secret', () => {
  const secret = 'hunter2-hunter2'
  const faults = faultsOf({
    SESSION_SECRET: secret,
    MERCHANT_API_KEY: secret,
    GATEWAY_PRIVATE_KEY: secret,
    MERCHANT_WEBHOOK_SECRET: secret,
  })
  expect(faults).toHaveLength(4)
  expect(JSON.stringify(faults)).not.toContain('hunter2')
})

test('either merchant URL needs the secret, and all faults are reported at once', () => {
  const faults = faultsOf({
    MERCHANT_AUTHORIZE_URL: 'https://shop.example/authorize',
    MERCHANT_WEBHOOK_URL: 'https://shop.example/events',
    PORT: 'x',
  })
  expect(faults.map((fault) => fault.variable)).toEqual(['PORT', 'MERCHANT_WEBHOOK_SECRET'])
  expect(faultsOf({ MERCHANT_WEBHOOK_URL: 'https://shop.example/events' })).toHaveLength(1)
  expect(faultsOf({ MERCHANT_WEBHOOK_URL: 'nowhere' })).toHaveLength(2)
  expect(
    faultsOf({
      MERCHANT_WEBHOOK_URL: 'https://shop.example/events',
      MERCHANT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
    }),
  ).toEqual([])
})

test('a key may be PEM text, PEM text with \\n for line breaks, its base64, or a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-keys-'))
  try {
    const path = join(folder, 'key.pem')
    writeFileSync(path, MERCHANT_KEYS.privateKey)
    const forms = [
      MERCHANT_KEYS.privateKey,
      MERCHANT_KEYS.privateKey.replaceAll('\n', '\\n'),
      MERCHANT_KEYS.privateKey.replaceAll('\n', '\\r\\n'),
      Buffer.from(MERCHANT_KEYS.privateKey).toString('base64'),
      `file:${path}`,
    ]
    const ids = forms.map((GATEWAY_PRIVATE_KEY) => {
      const read = readConfig({ ...TEST_ENVIRONMENT, GATEWAY_PRIVATE_KEY }, (file) => readFileSync(file, 'utf8'))
      return read.ok ? read.settings.gateway.privateKey.export({ type: 'pkcs8', format: 'pem' }) : read.faults
    })
    expect(ids).toEqual(forms.map(() => MERCHANT_KEYS.privateKey))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('origins and lists are normalized', () => {
  const config = testConfig({
    PUBLIC_URL: 'https://Cashier.Example:443/',
    EMBED_ORIGINS: ' https://Shop.example/ , http://127.0.0.1:4020,https://shop.example',
    ONRAMP_ORIGINS: 'HTTPS://*.Provider.example, https:, http://localhost:4010/',
    SESSION_SECRET: `${'a'.repeat(32)}, ${'b'.repeat(40)}`,
  })
  expect(config.publicUrl).toBe('https://cashier.example')
  expect(config.embedOrigins).toEqual(['https://shop.example', 'http://127.0.0.1:4020'])
  expect(config.onrampOrigins).toEqual(['https://*.provider.example', 'https:', 'http://localhost:4010'])
  expect(config.sessionSecrets).toEqual(['a'.repeat(32), 'b'.repeat(40)])
})

const warningsOf = (changes: Readonly<Record<string, string>> = {}): readonly string[] =>
  configWarnings(testConfig(changes)).map(({ message }) => message)

test('settings that browsers would refuse give a warning', () => {
  expect(warningsOf()).toEqual([])
  expect(warningsOf({ PUBLIC_URL: 'http://cashier.example' }).join()).toContain('use https')
  expect(warningsOf({ PUBLIC_URL: 'http://localhost:3000' })).toEqual([])
  expect(warningsOf({ EMBED_ORIGINS: '', ONRAMP_ORIGINS: '' })).toHaveLength(2)
})

test.each([
  ['http://localhost:3100', 'port 3100 of this machine, but PORT is 3000: set PORT=3100'],
  ['http://127.0.0.1:3100', 'set PORT=3100'],
  ['http://[::1]:3100', 'set PORT=3100'],
  ['http://localhost', 'set PORT=80'],
])('PUBLIC_URL=%s and another PORT give a warning', (PUBLIC_URL, words) => {
  expect(warningsOf({ PUBLIC_URL })).toEqual([expect.stringContaining(words)])
  const port = /=(\d+)$/.exec(words)?.[1] ?? ''
  for (const fits of [{ PORT: port }, { TRUST_PROXY: '1' }]) expect(warningsOf({ PUBLIC_URL, ...fits })).toEqual([])
})

test('the port of PUBLIC_URL is not compared behind TLS, on another machine, or with a port that the system chooses', () => {
  expect(warningsOf({ PUBLIC_URL: 'https://localhost:8443' })).toEqual([])
  expect(warningsOf({ PUBLIC_URL: 'https://cashier.example' })).toEqual([])
  expect(warningsOf({ PUBLIC_URL: 'http://localhost:3100', PORT: '0' })).toEqual([])
})

test.each(['GATEWAY_BASE_URL', 'MERCHANT_AUTHORIZE_URL', 'MERCHANT_WEBHOOK_URL', 'EMBED_ORIGINS'])(
  '%s over plain http beyond this machine is refused, unless ALLOW_INSECURE_HTTP=on',
  (name) => {
    const more = { MERCHANT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` }
    for (const host of ['gateway.example', '10.0.0.7', '[2001:db8::1]', 'localhost.example.com', '127.0.0.1.nip.io']) {
      expect(faultsOf({ ...more, [name]: `http://${host}` }), host).toEqual([
        { variable: name, fault: expect.stringContaining('plain http') as string },
      ])
      expect(faultsOf({ ...more, [name]: `http://${host}`, ALLOW_INSECURE_HTTP: 'on' })).toEqual([])
    }
    for (const host of ['localhost', 'shop.localhost', '127.0.0.1', '[::1]'])
      expect(faultsOf({ ...more, [name]: `http://${host}:4010` }), host).toEqual([])
    expect(faultsOf({ ...more, [name]: 'https://gateway.example' })).toEqual([])
  },
)

test('a value that .env cut off is a fault: by its own rule, or else that it needs quotes', () => {
  const cut = { DATABASE_URL: 'postgres://u:p@ss#1@host/db', GATEWAY_API_KEY: 'a#key', OTHER: 'a#b' }
  const env = { ...TEST_ENVIRONMENT, DATABASE_URL: 'postgres://u:p@ss', GATEWAY_API_KEY: 'a' }
  const read = readConfig(env, () => '', cut)
  expect(read).toEqual({
    ok: false,
    faults: [
      { variable: 'DATABASE_URL', fault: expect.stringMatching(/percent-encoded: %23, .*%40/) as string },
      { variable: 'GATEWAY_API_KEY', fault: 'is cut off in .env at its `#`: put the value in quotes' },
    ],
  })
})

test('one insecure origin in a list is enough', () => {
  expect(faultsOf({ EMBED_ORIGINS: 'https://shop.example, http://other.example' })).toHaveLength(1)
})

test('several keys of the gateway, and several secrets of the merchant, are all read', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' })
  const both = `${GATEWAY_KEYS.publicKey}${other.toString()}`
  const secrets = [`whsec_${'A'.repeat(32)}`, `whsec_${'B'.repeat(32)}`]
  for (const GATEWAY_PUBLIC_KEY of [both, both.replaceAll('\n', '\\n'), Buffer.from(both).toString('base64')]) {
    const config = testConfig({ GATEWAY_PUBLIC_KEY, MERCHANT_WEBHOOK_SECRET: secrets.join(', ') })
    expect(config.gateway.publicKeys.map((key) => key.export({ type: 'spki', format: 'pem' }))).toEqual([
      GATEWAY_KEYS.publicKey,
      other,
    ])
    expect(config.merchantWebhookSecrets).toEqual(secrets)
  }
})

test.each([
  ['2026-11-20T10:00:00Z', Date.UTC(2026, 10, 20, 10)],
  ['2026-11-20t10:00:00.5z', Date.UTC(2026, 10, 20, 10, 0, 0, 500)],
  ['2026-11-20T10:00+02:00', Date.UTC(2026, 10, 20, 8)],
  ['2026-11-20', Date.UTC(2026, 10, 20)],
])('LEDGER_START is an ISO time: %s', (text, ms) => {
  expect(testConfig({ LEDGER_START: text }).ledgerStartMs).toBe(ms)
})

test.each([
  'yesterday',
  '2026-11-20T10:00:00',
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '2026-11-20T25:00Z',
  '1795000000',
])('LEDGER_START %s is a fault: another day, or a zone that nobody knows', (text) => {
  expect(faultsOf({ LEDGER_START: text })).toEqual([
    { variable: 'LEDGER_START', fault: 'must be an ISO time with its zone, such as 2026-11-20T00:00:00Z' },
  ])
})

test('GATEWAY_STATUS_WORDS are whole statuses in any case', () => {
  const { gatewayStatusWords } = testConfig({
    GATEWAY_STATUS_WORDS: '{"TXN_COMPLETED": "succeeded", "txn_hold": "processing", "Gone": "failed"}',
  })
  expect([...gatewayStatusWords]).toEqual([
    ['TXN_COMPLETED', 'succeeded'],
    ['TXN_HOLD', 'processing'],
    ['GONE', 'failed'],
  ])
})

test.each([
  'TXN_COMPLETED=succeeded',
  '["TXN_COMPLETED"]',
  'null',
  '{"TXN_COMPLETED": "done"}',
  '{"TXN_COMPLETED": "other"}',
  '{"TXN_COMPLETED": 1}',
  '{"": "failed"}',
  '{"TXN_DONE": "failed", "txn_done": "succeeded"}',
  '{"TXN_DONE": "failed", "TXN_DONE": "succeeded"}',
])('GATEWAY_STATUS_WORDS %s is a fault, with those of other variables', (text) => {
  const found = faultsOf({ GATEWAY_STATUS_WORDS: text, OVERDUE_S: '0', LEDGER_START: 'x' })
  expect(found.map(({ variable }) => variable)).toEqual(['LEDGER_START', 'OVERDUE_S', 'GATEWAY_STATUS_WORDS'])
  expect(found[2]?.fault).toMatch(/processing, succeeded or failed, such as {"TXN_COMPLETED": "succeeded"}$/)
})

test('limits and minimums by currency id or by code and network, in any case; a JSON number is read by its text', () => {
  const { withdrawalLimits, depositMinimums, values } = testConfig({
    WITHDRAWAL_LIMITS: '{"USDT@Tron": {"min": "10.50", "max": 5000, "fee": 0.1}, "B1C0": {}, "TRX@Tron": {"fee": "0"}}',
    DEPOSIT_MINIMUMS: '{"usdt@tron": 0.000000000000000000000000000001}',
    VALUES: 'off',
  })
  expect([...withdrawalLimits]).toEqual([
    ['usdt@tron', { min: '10.5', max: '5000', fee: '0.1' }],
    ['b1c0', {}],
    ['trx@tron', { fee: '0' }],
  ])
  expect([...depositMinimums]).toEqual([['usdt@tron', '0.000000000000000000000000000001']])
  expect(values).toBe(false)
})

test('rules of withdrawals by currency code, by code and network, or for all others; users may cancel unless it is off', () => {
  const { withdrawalRules, userCancellation } = testConfig({
    WITHDRAWAL_RULES: `{"*": {"review_above": "1000.50", "review_new_address": true},
      "BTC": {"review_above": 0, "review_more_than": {"count": 3, "hours": 24}},
      "USDT@Tron": {"wait_for_new_address_s": 3600}, "ETH": {}}`,
  })
  expect([...withdrawalRules]).toEqual([
    ['*', { review_above: '1000.5', review_new_address: true }],
    ['btc', { review_above: '0', review_more_than: { count: 3, hours: 24 } }],
    ['usdt@tron', { wait_for_new_address_s: 3600 }],
    ['eth', {}],
  ])
  expect(userCancellation).toBe(true)
  expect(testConfig({ USER_CANCELLATION: 'off' }).userCancellation).toBe(false)
  expect(testConfig().withdrawalRules.size).toBe(0)
})

test('rules and a merchant who decides do not go together', () => {
  const both = {
    WITHDRAWAL_RULES: '{}',
    MERCHANT_AUTHORIZE_URL: 'https://shop.example/a',
    MERCHANT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  }
  expect(faultsOf(both)).toEqual([
    {
      variable: 'WITHDRAWAL_RULES',
      fault: 'does not go with MERCHANT_AUTHORIZE_URL: the merchant decides about each withdrawal then',
    },
  ])
})

test.each([
  ['WITHDRAWAL_RULES', '[]'],
  ['WITHDRAWAL_RULES', '{"*": true}'],
  ['WITHDRAWAL_RULES', '{"*": {"review_over": "1"}}'],
  ['WITHDRAWAL_RULES', '{"*": {"review_above": "-1"}}'],
  ['WITHDRAWAL_RULES', '{"*": {"review_above": "1e3"}}'],
  ['WITHDRAWAL_RULES', '{"*": {"review_new_address": false}}'],
  ['WITHDRAWAL_RULES', '{"*": {"review_more_than": 3}}'],
  ['WITHDRAWAL_RULES', '{"*": {"review_more_than": {"count": 3}}}'],
  ['WITHDRAWAL_RULES', '{"*": {"review_more_than": {"count": 3, "hours": 0}}}'],
  ['WITHDRAWAL_RULES', '{"*": {"review_more_than": {"count": 3, "hours": 24, "days": 1}}}'],
  ['WITHDRAWAL_RULES', '{"*": {"wait_for_new_address_s": 0.5}}'],
  ['WITHDRAWAL_RULES', '{"*": {"wait_for_new_address_s": 2592001}}'],
  ['WITHDRAWAL_RULES', '{"usdt": {}, "USDT": {}}'],
  ['USER_CANCELLATION', 'yes'],
  ['WITHDRAWAL_LIMITS', 'USDT=10'],
  ['WITHDRAWAL_LIMITS', '[]'],
  ['WITHDRAWAL_LIMITS', '{"USDT@Tron": "10"}'],
  ['WITHDRAWAL_LIMITS', '{"USDT@Tron": {"minimum": "10"}}'],
  ['WITHDRAWAL_LIMITS', '{"USDT@Tron": {"min": "0"}}'],
  ['WITHDRAWAL_LIMITS', '{"USDT@Tron": {"min": "-1"}}'],
  ['WITHDRAWAL_LIMITS', '{"USDT@Tron": {"min": "1e3"}}'],
  ['WITHDRAWAL_LIMITS', '{"USDT@Tron": {"min": "20", "max": "10"}}'],
  ['WITHDRAWAL_LIMITS', '{"USDT@Tron": {}, "usdt@tron": {}}'],
  ['DEPOSIT_MINIMUMS', '{"": "1"}'],
  ['DEPOSIT_MINIMUMS', '{"USDT@Tron": null}'],
  ['DEPOSIT_MINIMUMS', '{"USDT@Tron": {"min": "1"}}'],
  ['VALUES', 'yes'],
])('%s %s is a fault', (variable, text) => {
  expect(faultsOf({ [variable]: text }).map((fault) => fault.variable)).toEqual([variable])
})
