import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { inject, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleQuarantined, sampleWithdrawal } from '#lib/server/store/testing/sample-rows.ts'
import { seed, seedIn } from '#lib/server/store/testing/seed.ts'
import { connectDatabase } from '#lib/server/store/database/database.ts'
import { migrate, MIGRATIONS, pendingMigrations } from '#lib/server/store/database/migrate.ts'
import { FLAVOURS, newTestDatabase } from '#lib/server/store/testing/test-databases.ts'
import { useStores } from '#lib/server/store/testing/use-stores.ts'

/** Runs a command in a process of its own. */
const run = (
  url: string,
  program = 'check-ledger.ts',
  options: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=react-server', fileURLToPath(new URL(program, import.meta.url)), ...options],
      { env: { ...process.env, DATABASE_URL: url, ...more } },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  test('it checks a database that is in use, in the middle of a transaction', async () => {
    const { one } = stores
    // PostgreSQL ends the transactions of other lanes when their program is silent for 5 s.
    const found = await one.lane('commands').transaction(async (tx) => {
      await seedIn(tx, {
        bookings: [
          {
            booking: 'credit',
            posting_key: 'credit:1',
            user_reference_id: 'u',
            currency_id: 'c1',
            amount: decimal('1'),
          },
        ],
      })
      return run(stores.url)
    })
    expect(found).toMatchObject({ code: 0, out: '0 postings, 0 balances\nThe ledger is consistent.\n' })
    expect(await run(stores.url)).toMatchObject({ code: 0, out: '1 postings, 1 balances\nThe ledger is consistent.\n' })
    await one.database.db.deleteFrom('balances').execute()
    const faulty = await run(stores.url)
    expect([faulty.code, faulty.err]).toEqual([1, expect.stringContaining('u c1: entries or holds without a balance')])
  })

  test('check:audit finds what was changed, and what was cut off since an end was noted', async () => {
    const { one } = stores
    const add = (): Promise<number> =>
      one.transaction((tx) => tx.audit.append({ operator: null, action: 'operator.invite', reason: 'new' }, tx.now))
    await add()
    await add()
    const whole = await run(stores.url, 'check-audit.ts')
    const end = /Its end: (2:[0-9a-f]{64})\n$/.exec(whole.out)?.[1] ?? ''
    expect([whole.code, end]).toEqual([0, expect.stringMatching(/^2:/) as string])
    await add()
    expect((await run(stores.url, 'check-audit.ts', ['--end', end])).code).toBe(0)
    const other = await run(stores.url, 'check-audit.ts', ['--end', end.replace(/.{64}$/, 'a'.repeat(64))])
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('entry 2 was changed: the log of the process')])
    expect((await run(stores.url, 'check-audit.ts', ['--end', 'x'])).code).toBe(2)
    const { db } = one.database
    const guard =
      flavour === 'sqlite' ? 'drop trigger audit_entries_update' : 'alter table audit_entries disable trigger all'
    for (const text of [guard, "update audit_entries set reason = 'old' where seq = 2"]) await sql.raw(text).execute(db)
    const broken = await run(stores.url, 'check-audit.ts')
    expect([broken.code, broken.err]).toEqual([1, 'The audit log is broken: entry 2 was changed.\n'])
  })

  test('it does not migrate a database of an older version', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const old = connectDatabase(database.url)
    await migrate(old, [])
    const found = await run(database.url)
    const pending = await pendingMigrations(old)
    await old.close()
    await database.remove()
    expect([found.code, found.err]).toEqual([1, expect.stringContaining('start the cashier first')])
    expect(pending).toEqual(MIGRATIONS.map(({ name }) => name))
  })

  test('a restored database gets a new epoch of its feed', async () => {
    const before = await stores.one.feedEpoch.position()
    const found = await run(stores.url, 'after-restore.ts')
    expect([found.code, found.out]).toEqual([0, expect.stringContaining('ends with number 0')])
    expect(found.out).toContain('Adjustments since the backup are lost')
    expect(found.out).toContain('but for corrections of deposits and withdrawals')
    const after = await stores.one.feedEpoch.position()
    expect(after).toEqual({ epoch: expect.stringMatching(/^[0-9a-f]{44}$/) as string, head: 0, floor: 0 })
    expect(after.epoch).not.toBe(before.epoch)
  })

  test('a command that writes is refused with a LEDGER_START that is not the one of the database', async () => {
    await stores.one.reconciliation.keepLedgerStart(Date.UTC(2026, 0, 1))
    const before = await stores.one.feedEpoch.position()
    const restored = (LEDGER_START: string) => run(stores.url, 'after-restore.ts', [], { LEDGER_START })
    const refused = await restored('2026-01-02')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Nothing was changed: LEDGER_START is')])
    expect((await restored('soon')).err).toContain('must be an ISO time')
    expect(await stores.one.feedEpoch.position()).toEqual(before)
    expect((await restored('2026-01-01')).code).toBe(0)
  })

  test('in a restored database a withdrawal that waited for the merchant becomes unknown', async () => {
    const waiting = sampleWithdrawal({ status: 'pending_authorization', step: 'pending', funds: 'none' })
    await seed(stores.one, { withdrawals: [waiting] })
    expect((await run(stores.url, 'after-restore.ts')).out).toContain('when the backup was made: 1. They')
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ step: 'calling', driver: null, called_ms: 1000 })
    expect((await run(stores.url, 'after-restore.ts')).out).not.toContain('waited for the merchant')
  })

  test('in a restored database every user waits for a read of the whole list', async () => {
    await stores.one.users.ensure('u', Date.now())
    await stores.one.users.reconciled('u', 1, null, { wholeMs: Date.now() })
    await stores.one.users.totalsChecked('u')
    expect((await run(stores.url, 'after-restore.ts')).out).toContain("until the gateway's list was read")
    const sinceRestore = () => stores.one.unitOfWork({ users: ['u'] }, (unit) => unit.sinceRestore('u'))
    expect(await sinceRestore()).toBe('unchecked')
    const [claimed] = await stores.one.reconcileQueue.claimDue('sweep', 1, 1000)
    expect(claimed).toMatchObject({ user_reference_id: 'u', whole_ms: null, waits_for_whole: 1 })
    await stores.one.users.totalsChecked('u')
    expect(await sinceRestore()).toBe('checked')
    const line = { reason: 'totals_differ', user_reference_id: 'u' } as const
    for (const [quarantine, waits_for_whole] of [
      [[], 0],
      [[sampleQuarantined(line)], 1],
    ] as const) {
      await seed(stores.one, { quarantine })
      await stores.one.users.reconciled('u', 1, { inMs: 0, priority: 'open' })
      expect(await stores.one.reconcileQueue.claimDue('open', 1, 1000)).toMatchObject([{ waits_for_whole }])
    }
    await stores.one.users.clearRestored('u')
    expect(await sinceRestore()).toBeNull()
  })

  test('beside a running instance the command is refused without --force', async () => {
    const { one } = stores
    const before = await one.feedEpoch.position()
    await one.leases.keepAlive('instance-1', 60_000)
    await one.leases.keepAlive('instance-2', 60_000)
    const refused = await run(stores.url, 'after-restore.ts')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('run on this database: 2. Stop them')])
    expect(await one.feedEpoch.position()).toEqual(before)
    expect((await run(stores.url, 'after-restore.ts', ['--force'])).code).toBe(0)
    expect((await one.feedEpoch.position()).epoch).not.toBe(before.epoch)
    // Their leases have expired.
    await one.leases.keepAlive('instance-1', 0)
    await one.leases.release('instance:instance-2', 'instance-2')
    expect((await run(stores.url, 'after-restore.ts')).code).toBe(0)
    expect((await run(stores.url, 'after-restore.ts', ['--foo'])).err).toContain("'--foo'")
  })
})

describe('on PostgreSQL', () => {
  const stores = useStores('postgres')

  test('a command is refused with a DATABASE_PARTITIONS that is not that of the tables', async () => {
    const restored = (DATABASE_PARTITIONS: string) => run(stores.url, 'after-restore.ts', [], { DATABASE_PARTITIONS })
    const refused = await restored('8')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('DATABASE_PARTITIONS is 8')])
    expect((await restored('1')).err).toContain('DATABASE_PARTITIONS must be a whole number from 2 to 1024')
  })
})
