import { expect, test } from 'vitest'
import { consoleToLog, createLog, logListening, secretsOf } from './log.ts'
import { TEST_ENVIRONMENT, testConfig } from './testing/config.ts'

function linesOf(write: (log: ReturnType<typeof createLog>) => void, level = 'info'): string[] {
  const lines: string[] = []
  const config = testConfig({
    DATABASE_URL: 'postgres://cashier:p%40ssw0rd!-of-ours@db.example/cashier',
    METRICS_TOKEN: 'metrics-token-0123',
    SESSION_SECRET: `first"secret-0123456789abcdef0123456789,${'second-secret'.repeat(4)}`,
  })
  write(createLog({ level, secrets: secretsOf(config), destination: { write: (line) => void lines.push(line) } }))
  return lines
}

test('a line is JSON with the level’s name and a time', () => {
  const [line] = linesOf((log) => log.info({ request_id: 'r1', route: 'launch' }, 'answered'))
  expect(JSON.parse(line!)).toMatchObject({ level: 'info', request_id: 'r1', route: 'launch', msg: 'answered' })
  expect(line).toMatch(/"time":"\d{4}-/)
})

test.each([
  ['session secret', 'first"secret-0123456789abcdef0123456789'],
  ['older session secret', 'second-secret'.repeat(4)],
  ['merchant key', TEST_ENVIRONMENT.MERCHANT_API_KEY],
  ['gateway key', TEST_ENVIRONMENT.GATEWAY_API_KEY],
  ['metrics token', 'metrics-token-0123'],
  ['database password', 'p@ssw0rd!-of-ours'],
  ['database password as written', 'p%40ssw0rd!-of-ours'],
])('a %s is in no line, wherever it occurs', (_what, secret) => {
  const lines = linesOf((log) => {
    log.info({ note: `before ${secret} after` }, `message ${secret}`)
    log.error({ err: new Error(`connect to x:${secret}@y`, { cause: new Error(secret) }) }, 'failed')
    log.warn({ deep: { er: { value: [secret] } } }, 'deep')
  })
  expect(lines).toHaveLength(3)
  expect(lines.join()).toContain('[redacted]')
  expect(lines.join()).not.toContain(JSON.stringify(secret).slice(1, -1))
})

test('fields with secret names are never written', () => {
  const [line] = linesOf((log) =>
    log.info({
      authorization: 'Bearer aaa',
      headers: { cookie: 'bbb', authorization: 'ccc', 'set-cookie': 'ddd' },
      request: { headers: { cookie: 'eee' } },
      body: { token: 'fff', launch_token: 'ggg' },
    }),
  )
  expect(line).not.toMatch(/aaa|bbb|ccc|ddd|eee|fff|ggg/)
})

test("an error's extras are left out: a database's error carries the values of the row", () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (wallet)=(bc1qsecret) exists' })
  const [line] = linesOf((log) => log.error({ err: error }, 'failed'))
  expect(JSON.parse(line!)).toMatchObject({ err: { type: 'Error', message: 'duplicate key', code: '23505' } })
  expect(line).not.toContain('bc1qsecret')
})

test('the level `silent` logs nothing', () => {
  expect(linesOf((log) => log.fatal('x'), 'silent')).toEqual([])
})

test.each(['info', 'warn', 'silent'])('at the level %s the log says that the process listens', (level) => {
  const lines: string[] = []
  const log = createLog({ level, secrets: [], destination: { write: (line) => void lines.push(line) } })
  logListening(log, { port: 3000, publicUrl: 'https://cashier.example' })
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 'info',
      public_url: 'https://cashier.example',
      msg: 'listening on http://localhost:3000',
    }),
  ])
})

test('a password that is an ordinary word is not replaced inside other words', () => {
  const secrets = secretsOf(testConfig({ DATABASE_URL: 'postgres://cashier:cashier@db.example/cashier' }))
  const lines: string[] = []
  const log = createLog({ level: 'info', secrets, destination: { write: (line) => void lines.push(line) } })
  log.info({ route: 'cashier.events' }, 'answered')
  expect(JSON.parse(lines[0]!)).toMatchObject({ route: 'cashier.events' })
})

test('the password of an address with several hosts is a secret too', () => {
  const DATABASE_URL = 'postgres://cashier:of-our-three-hosts@a:5432,b:5433,c/cashier?target_session_attrs=read-write'
  expect(secretsOf(testConfig({ DATABASE_URL }))).toContain('of-our-three-hosts')
})

test("a gateway's message is shortened, and its addresses and hashes are replaced", () => {
  const address = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
  const hash = '0x9f2ac41d07b3e1041b3c5a6d7e8f90123456789abcdef0123456789abcdef012'
  const error = new Error(`no such wallet ${address} of ${hash} ${'x'.repeat(1_100_000)}`)
  const [line] = linesOf((log) => log.error({ err: new Error('the call failed', { cause: error }) }, 'failed'))
  expect(line!.length).toBeLessThan(10_000)
  expect(line).not.toContain(address)
  expect(line).not.toContain(hash)
  expect(line).toContain('no such wallet [struck] of [struck]')
  expect(line).toContain('log.test.ts')
})

test('every text of a line is cut, wherever it comes from', () => {
  const long = `${'x'.repeat(499)}💸${'y'.repeat(1_000_000)}`
  const lines = linesOf((log) => {
    log.warn({ kind: 'rejected_with_transaction' }, long)
    log.info({ reply: { status: long, list: [long] } }, 'read')
    log.child({ user: long }).info('read')
    log.error({ err: Object.assign(new Error('no', { cause: new Error(long) }), { code: long, name: long }) }, 'failed')
  })
  for (const line of lines) {
    expect(line.length).toBeLessThan(16_000)
    expect(line.endsWith('}\n')).toBe(true)
    expect((JSON.parse(line) as { msg: string }).msg).toBeTruthy()
  }
  const [first] = lines
  expect(JSON.parse(first!)).toMatchObject({
    kind: 'rejected_with_transaction',
    msg: `${'x'.repeat(499)}\ufffd… (1000501 characters)`,
  })
})

test('a secret in a long text is replaced before the text is cut', () => {
  const key = TEST_ENVIRONMENT.MERCHANT_API_KEY
  const [line] = linesOf((log) => log.info(`${'x'.repeat(480)}${key}`))
  expect(line).not.toContain(key.slice(0, 12))
})

test('a library’s output is one line of the log, without colours', () => {
  const target = {} as Console
  const lines = linesOf((log) => {
    consoleToLog(log, target)
    target.error('\u001b[31mThe router state header was sent but could not be parsed\u001b[0m', new Error('of page'))
    target.warn('x'.repeat(100_000), { a: 1 })
    target.log('✓ Running next.config.mjs')
    target.info('ready')
  })
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error', 'warn', 'info', 'info'])
  expect(lines[0]).toContain('The router state header was sent but could not be parsed of page')
  expect(lines.join()).not.toContain('\\u001b')
  expect(lines[1]!.length).toBeLessThan(3000)
})
