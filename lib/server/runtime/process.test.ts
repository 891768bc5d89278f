/** The output and exit code of `server.ts` when it cannot start. It runs as a program, as with `npm start`. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../store/store.ts'
import { TEST_ENVIRONMENT } from './testing/config.ts'
import { readVersion } from './version.ts'

const ENTRY = fileURLToPath(new URL('../../../server.ts', import.meta.url))
const CHECK_LEDGER = fileURLToPath(new URL('../../../scripts/check-ledger.ts', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-process-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the program to its end, with only this environment. */
async function run(
  env: Readonly<Record<string, string>>,
  entry = ENTRY,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--conditions=react-server', entry], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...env,
    } as unknown as NodeJS.ProcessEnv,
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

test('a bad configuration: every fault at once, exit code 1, no secret shown', async () => {
  const { code, stderr } = await run({ PORT: 'x', SESSION_SECRET: 'hunter2', GATEWAY_SIGN_QUERY: 'maybe' })
  expect(code).toBe(1)
  for (const name of [
    'PORT',
    'GATEWAY_BASE_URL',
    'GATEWAY_PRIVATE_KEY',
    'GATEWAY_SIGN_QUERY',
    'SESSION_SECRET',
    'MERCHANT_API_KEY',
  ]) {
    expect(stderr).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  }
  expect(stderr).not.toContain('hunter2')
  expect(stderr).not.toContain('    at ')
})

test('.env is read, and the real environment wins over it', async () => {
  const lines = Object.entries({ ...TEST_ENVIRONMENT, PORT: 'from-the-file', RATE_LIMIT: 'from-the-file' })
  writeFileSync(join(folder, '.env'), lines.map(([name, value]) => `${name}="${value}"`).join('\n'))
  const { code, stderr } = await run({ RATE_LIMIT: 'off' })
  expect(code).toBe(1)
  expect(stderr.split('\n')[1]).toMatch(/^ {2}PORT /)
  expect(stderr).not.toContain('RATE_LIMIT')
})

test('a password with a character that .env or an address reads otherwise: the fault says how to write it, without it', async () => {
  const lines = Object.entries({ ...TEST_ENVIRONMENT, PORT: '0' }).map(([name, value]) => `${name}="${value}"`)
  writeFileSync(join(folder, '.env'), [...lines, 'DATABASE_URL=postgres://u:hunter@ss#1@host/db'].join('\n'))
  const { code, stdout, stderr } = await run({})
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^ {2}DATABASE_URL must be .*user and password percent-encoded: %23, .*%40$/m)
  expect(stderr).not.toMatch(/hunter|ss#|host/)
  // A command reads the database's address alone.
  const ledger = await run({}, CHECK_LEDGER)
  expect([ledger.code, ledger.stderr]).toEqual([1, expect.stringMatching(/^DATABASE_URL must be .*%40\.\n$/)])
})

test('a taken port: an error message, exit code 1, nothing opened', async () => {
  const squatter: Server = createServer().listen(0)
  await once(squatter, 'listening')
  try {
    const { port } = squatter.address() as { port: number }
    const { code, stderr, stdout } = await run({ ...TEST_ENVIRONMENT, PORT: String(port) })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `Cannot listen: port ${port} is taken by another program: stop it, or set PORT to another one.\n`,
    )
  } finally {
    squatter.close()
  }
})

test('a LEDGER_START that is not the one of the database: both times, exit code 1', async () => {
  const DATABASE_URL = `file:${join(folder, 'cashier.db')}`
  const store = await openStore({ url: DATABASE_URL, clock: Date.now, deliver: false })
  await store.reconciliation.keepLedgerStart(Date.UTC(2026, 0, 1))
  await store.close()
  const { code, stderr } = await run({ ...TEST_ENVIRONMENT, PORT: '0', DATABASE_URL, LEDGER_START: '2026-01-02' })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^Cannot start: LEDGER_START is 2026-01-02T00:00:00.000Z, but this database was started with 2026-01-01T00:00:00.000Z,.*: set LEDGER_START to that time, or leave it out\.\n$/,
  )
})

test('a missing database: a line with the version, then a message that names the setting, exit code 1', async () => {
  const DATABASE_URL = 'postgres://cashier:hunter2@127.0.0.1:9/cashier'
  const { code, stdout, stderr } = await run({ ...TEST_ENVIRONMENT, PORT: '0', DATABASE_URL })
  expect(code).toBe(1)
  expect(stderr).toContain('the database of DATABASE_URL cannot be used')
  expect(stdout + stderr).not.toContain('hunter2')
  const [first = ''] = stdout.split('\n')
  expect(JSON.parse(first)).toMatchObject({ level: 'info', msg: 'starting', ...readVersion() })
})

test.each(['file.txt/cashier.db', 'file.txt/data/cashier.db', '.'])(
  'a database file at %s, which cannot be: the message says what is allowed, without a stack',
  async (path) => {
    writeFileSync(join(folder, 'file.txt'), '')
    const { code, stdout, stderr } = await run({ ...TEST_ENVIRONMENT, PORT: '0', DATABASE_URL: `file:${path}` })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^Cannot start: the database of DATABASE_URL cannot be used \(.* (a file|a folder)\. DATABASE_URL must be file: and .*\)\..*\n$/,
    )
    expect(stdout).not.toMatch(/"stack"| at /)
  },
)

test('names that are nearly those of settings are named at start, with a fault and without one', async () => {
  const names = { MERCHANT_WEBHOK_URL: 'https://shop.example', EMBED_ORIGIN: 'https://shop.example' }
  const DATABASE_URL = 'postgres://cashier@127.0.0.1:9/cashier'
  const { stdout } = await run({ ...TEST_ENVIRONMENT, PORT: '0', DATABASE_URL, ...names })
  const lines = stdout.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as object)))
  for (const msg of [
    'MERCHANT_WEBHOK_URL is not read: is MERCHANT_WEBHOOK_URL meant?',
    'EMBED_ORIGIN is not read: is EMBED_ORIGINS meant?',
  ])
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg }))
  const { stderr } = await run({ GATEWAY_BASE_URl: 'https://gateway.example' })
  expect(stderr).toContain('GATEWAY_BASE_URl is not read: is GATEWAY_BASE_URL meant?')
})

test.each([
  { what: 'an error that nothing catches', act: "throw new Error('odd')", message: 'uncaught error' },
  { what: 'a rejection that nothing handles', act: "Promise.reject(new Error('odd'))", message: 'unhandled rejection' },
])('$what is logged, and the process ends with 1', async ({ act, message }) => {
  // Runs in the server's process, once it listens for such errors.
  const fault = `const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return
    clearInterval(timer)
    ${act}
  }, 1)`
  const { code, stdout } = await run({
    ...TEST_ENVIRONMENT,
    PORT: '0',
    DATABASE_URL: `file:${join(folder, 'cashier.db')}`,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
  })
  expect(code).toBe(1)
  const lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? (JSON.parse(line) as object) : []))
  expect(lines).toContainEqual(expect.objectContaining({ msg: message, level: 'fatal' }))
})

describe('a process ends although its last lines cannot be written', () => {
  const log = fileURLToPath(new URL('./log.ts', import.meta.url))
  const begin = (act: string): ChildProcessWithoutNullStreams => {
    const program = `const { createLog, exitAfter } = await import(${JSON.stringify(log)})
      const log = createLog({ level: 'info', secrets: [] })
      log.info('ready')
      process.stdin.once('data', () => { ${act} })`
    const options = ['--conditions=react-server', '--input-type=module', '--eval', program]
    return spawn(process.execPath, options, { timeout: 30_000, killSignal: 'SIGABRT' })
  }
  /** More than a pipe holds. */
  const burst = "for (let line = 0; line < 3000; line += 1) log.info('x'.repeat(200))"

  test.each([
    ['at a stop', "for (const line of ['one', 'two', 'three']) log.info(line); exitAfter(log, 0)", 0],
    ['after a burst and a fatal line', `${burst}; log.fatal('four'); exitAfter(log, 1)`, 1],
  ])('because the reader has gone, %s', async (_when, act, code) => {
    const child = begin(act)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    await once(child.stdout, 'close')
    child.stdin.write('end')
    expect(await once(child, 'exit')).toEqual([code, null])
  })

  test('because the reader has stopped reading', async () => {
    const child = begin(`${burst}; log.fatal('four'); exitAfter(log, 1)`)
    await once(child.stdout, 'data')
    child.stdout.pause()
    child.stdin.write('end')
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    child.stdout.destroy()
  })
})
