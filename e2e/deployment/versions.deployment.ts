/**
 * A newer version takes over a database while the older one still runs (docs/guides/upgrade.md, "Several instances, and
 * two versions at once"). The newer version is a copy of the sources with one more migration, which takes a second.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { depositEvent, DEPOSIT_CURRENCY } from '../system/deposit-event.ts'
import { gatewayCalls } from '../system/gateway-calls.ts'
import { webhookHeaders } from '../system/gateway-signature.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { startSystem, type System } from '../system/start-system.ts'

const NEWER = '99.0.0'
const LATER = `{
  name: '9999-later',
  up: async (db) => {
    await sql.raw('alter table withdrawals add column later text').execute(db)
    await sql.raw('select pg_sleep(1)').execute(db)
  },
}`
/** Few, because refusals come fast and are sent again one by one. */
const MOST_REFUSED = 100
const object = z.record(z.string(), z.unknown())
const WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

function writeNewerVersion(folder: string): void {
  const parts = ['app', 'lib', 'scripts', 'package.json', 'e2e/system', 'e2e/fixtures']
  for (const part of parts) cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'lib/server/store/database/migrate.ts')
  const before = readFileSync(file, 'utf8')
  const after = before.replace(/^(export const MIGRATIONS: .* = \[[^\]]*?),?\s*\]$/m, `$1, ${LATER}]`)
  if (after === before) throw new Error('migrate.ts has no list of migrations where it was')
  writeFileSync(file, after)
  const manifest = object.parse(JSON.parse(readFileSync('package.json', 'utf8')))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: NEWER }))
}

let newer: string
let system: System
beforeAll(async () => {
  newer = mkdtempSync(join(tmpdir(), 'cashier-newer-'))
  writeNewerVersion(newer)
  system = await startSystem({
    database: 'postgres',
    instances: 2,
    cashier: { RATE_LIMIT: 'off', GATEWAY_TIMEOUT_MS: '30000', WITHDRAWAL_ABSENCE_S: '1' },
    sandbox: { SANDBOX_WEBHOOK_URL: 'none' },
  })
})
afterAll(async () => {
  await system.close()
  rmSync(newer, { recursive: true, force: true })
})

test('the older instance books nothing after the migration, and after its restart nothing is lost or doubled', async () => {
  const [first, second] = system.cashiers
  const older = second?.url ?? ''
  const user = `user-${randomUUID()}`
  const page = (await system.page(user)).at(older)
  const currency_id = system.currency('USDT Tron')
  await system.merchant.adjust(user, currency_id, '10')

  const answers: { readonly body: string; readonly at: string; readonly status: number | null }[] = []
  const post = async (url: string, body: string): Promise<number | null> => {
    const headers = { 'content-type': 'application/json', ...webhookHeaders(system.gatewayKey, body) }
    const answer = await fetch(`${url}/api/webhooks/gateway`, { method: 'POST', headers, body }).catch(() => null)
    await answer?.arrayBuffer()
    return answer?.status ?? null
  }
  const countAt = (at: string, status: number): number =>
    answers.filter((one) => one.at === at && one.status === status).length
  let over = false
  const load = async (at: string): Promise<void> => {
    while (!over && countAt(at, 503) < MOST_REFUSED) {
      const body = depositEvent({ uuid: randomUUID(), user, amount: '1', status: 'succeeded' })
      answers.push({ body, at, status: await post(at, body) })
    }
  }
  const loads = [first.url, older].map(load)
  await vi.waitFor(() => expect(Math.min(countAt(first.url, 200), countAt(older, 200))).toBeGreaterThan(20))

  // It is sent, and has no outcome before the database has the newer schema.
  await system.control.fault({ target: 'withdraw', kind: 'silence', settings: { when: 'after' } })
  const order = { currency_id, amount: '5', wallet_address: WALLET }
  const withdrawal = page.withdraw(order, 'in-flight')
  await vi.waitFor(async () => expect(await gatewayCalls(system.control, user)).toHaveLength(1))
  await first.stop()
  await first.start(newer)
  const from = answers.length
  await vi.waitFor(() => expect(countAt(first.url, 200)).toBeGreaterThan(40))
  await system.killSandbox()
  expect((await withdrawal).status).toBe(503)
  await system.restartSandbox()
  over = true
  await Promise.all(loads)
  const late = answers.slice(from).filter(({ at }) => at === older)
  expect(late.length).toBeGreaterThan(1)
  // The first calls may have been answered before the migration.
  expect(new Set(late.slice(1).map(({ status }) => status))).toEqual(new Set([503]))
  const ready = await fetch(`${older}/api/health/ready`)
  expect([ready.status, await ready.json()]).toEqual([
    503,
    expect.objectContaining({
      errors: expect.objectContaining({ migrations: [expect.stringContaining('9999-later')] }) as unknown,
    }),
  ])
  expect((await page.get('/balances')).status).toBe(503)
  const other = await fetch(`${first.url}/api/health/ready`)
  expect([other.status, await other.json()]).toEqual([200, expect.objectContaining({ version: NEWER })])

  await second?.stop()
  await expect(second?.start()).rejects.toThrow(/a newer version has upgraded the database \(9999-later\)/)
  await second?.start(newer)
  for (const { body, status } of answers) if (status !== 200) expect(await post(older, body)).toBe(200)

  // The gateway has it, but the older version could not store that. It is found in the gateway's list, as after a
  // crash.
  await vi.waitFor(
    async () => {
      const { id } = (await page.withdraw(order, 'in-flight')).body
      expect(await page.withdrawal(id)).toMatchObject({ status: 'processing' })
    },
    { interval: 500 },
  )
  expect(await page.balance(currency_id)).toEqual({ available: '5', held: '5' })
  expect(await page.balance(DEPOSIT_CURRENCY)).toEqual({ available: String(answers.length), held: '0' })
  expect(await gatewayCalls(system.control, user)).toHaveLength(1)
  const deposits = (await readMerchantFeed(system.merchant, user)).filter(({ data }) => data.kind === 'deposit')
  expect(new Set(deposits.map(({ data }) => data.transaction_uuid)).size).toBe(answers.length)
  expect(deposits).toHaveLength(answers.length)
  const check = ['--conditions=react-server', join(newer, 'scripts/check-ledger.ts')]
  const report = execFileSync(process.execPath, check, {
    env: { ...process.env, DATABASE_URL: system.databaseUrl },
    encoding: 'utf8',
  })
  expect(report).toContain('The ledger is consistent.')
})
