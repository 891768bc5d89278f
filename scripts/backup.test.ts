import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { seedIn } from '#lib/server/store/testing/seed.ts'
import { sampleCurrency } from '#lib/server/store/testing/sample-rows.ts'
import { openSnapshot } from '#lib/server/store/tables/snapshot.ts'
import { openStore } from '#lib/server/store/store.ts'
import { newTestDatabase } from '#lib/server/store/testing/test-databases.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'
import { startSystem, type System } from '../e2e/system/start-system.ts'

const run = (program: string, args: readonly string[], url = ''): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    const child = execFile(
      process.execPath,
      ['--conditions=react-server', resolve(import.meta.dirname, program), ...args],
      { env: { ...process.env, DATABASE_URL: url } },
      (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }),
    )
  })

const folder = mkdtempSync(join(tmpdir(), 'cashier-backup-'))
let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await system.close()
  rmSync(folder, { recursive: true })
})

const deposit = async (user: string): Promise<void> => {
  const body = depositEvent({ uuid: randomUUID(), user, amount: '1', status: 'succeeded' })
  const headers = { ...webhookHeaders(system.gatewayKey, body), 'content-type': 'application/json' }
  const answer = await fetch(`${system.publicUrl}/api/webhooks/gateway`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

test('a backup made while deposits arrive is a consistent state, and can be restored', async () => {
  const user = `user-${randomUUID()}`
  await system.page(user)
  for (let times = 0; times < 20; times += 1) await deposit(user)
  const url = await system.withStore((store) => Promise.resolve(`file:${store.database.file ?? ''}`))
  // Other tests may have made some before.
  const before = (await system.checkLedger()).postings
  let over = false
  let sent = 0
  const traffic = [1, 2, 3].map(async () => {
    while (!over) {
      await deposit(user)
      sent += 1
    }
  })
  const ended = Promise.all(traffic)
  ended.catch(() => undefined)
  await vi.waitFor(() => expect(sent).toBeGreaterThan(0))
  const file = join(folder, 'backup.db')
  const made = await run('backup.ts', [file], url)
  over = true
  await ended
  expect([made.code, made.err, statSync(file).mode & 0o777]).toEqual([0, '', 0o600])
  const checked = await run('restore-check.ts', [file])
  expect(checked).toMatchObject({
    code: 0,
    out: expect.stringMatching(/The ledger is consistent\.\nThe backup can be/) as string,
    err: '',
  })
  const postings = Number(/(\d+) postings/.exec(checked.out)?.[1])
  expect([postings >= before, postings <= before + sent]).toEqual([true, true])
  const again = await run('backup.ts', [file], url)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('already exists')])
})

test('a damaged file, a file without a ledger and a missing file are refused', async () => {
  const url = await system.withStore((store) => Promise.resolve(`file:${store.database.file ?? ''}`))
  const file = join(folder, 'damaged.db')
  await run('backup.ts', [file], url)
  const whole = readFileSync(file)
  truncateSync(file, Math.floor(whole.length / 8192) * 4096)
  expect((await run('restore-check.ts', [file])).code).toBe(1)
  writeFileSync(file, whole)
  const store = await openStore({ url: `file:${file}`, clock: Date.now, deliver: false })
  await store.transaction((tx) =>
    seedIn(tx, {
      currencies: [sampleCurrency],
      bookings: [
        { booking: 'credit', posting_key: 'credit:1', user_reference_id: 'u', currency_id: 'c1', amount: decimal('1') },
      ],
    }),
  )
  await store.database.db.deleteFrom('balances').execute()
  await store.close()
  expect(await run('restore-check.ts', [file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('without a balance') as string,
  })
  expect((await run('restore-check.ts', [join(folder, 'none.db')])).code).toBe(1)
})

test('a copy to PostgreSQL has every row and the same ledger, and a second copy is refused', async () => {
  const user = `user-${randomUUID()}`
  await system.page(user)
  for (let times = 0; times < 5; times += 1) await deposit(user)
  const url = await system.withStore((store) => Promise.resolve(`file:${store.database.file ?? ''}`))
  const target = await newTestDatabase('postgres', inject('postgresUrl'))
  const other = await newTestDatabase('postgres', inject('postgresUrl'))
  try {
    await system.cashiers[0].stop()
    const copied = await run('copy-database.ts', [url, target.url])
    expect([copied.code, copied.err]).toEqual([0, ''])
    const count = (table: string): number => Number(new RegExp(`(\\d+)  ${table}\n`).exec(copied.out)?.[1])
    expect([count('postings') >= 5, count('transactions') >= 5, count('sessions') >= 1]).toEqual([true, true, true])

    const store = await openStore({ url: target.url, clock: Date.now, deliver: false })
    // The numbers of new postings continue after the copied ones.
    const bookings = [
      { booking: 'credit', posting_key: 'credit:x', user_reference_id: 'u', currency_id: 'c1', amount: decimal('1') },
    ] as const
    await store.transaction((tx) => seedIn(tx, { currencies: [sampleCurrency], bookings }))
    expect((await run('restore-check.ts', [target.url])).out).toContain('The ledger is consistent.')
    const another = await run('copy-database.ts', ['--undo', url, other.url])
    expect([another.code, another.err]).toEqual([1, expect.stringContaining('is not the copy')])
    expect((await run('copy-database.ts', ['--undo', url, target.url])).code).toBe(0)
    const before = await openSnapshot(url, (ledger) => ledger.pendingMigrations())
    const source = await openStore({ url, clock: Date.now, deliver: false })
    const { epoch, head } = await source.feedEpoch.position()
    expect([(await store.feedEpoch.position()).head, before]).toEqual([head, []])
    // What was given up has another epoch: a cursor of the copy is refused.
    expect((await store.feedEpoch.position()).epoch).not.toBe(epoch)
    await source.close()
    await store.close()
    const again = await run('copy-database.ts', [url, target.url])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('the copy was given up')])
  } finally {
    await target.remove()
    await other.remove()
    await system.cashiers[0].start()
  }
})
