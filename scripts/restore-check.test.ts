/** A backup where the merchant keeps the books: the ledger is empty, so only the rest shows that rows are missing. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sampleFact, sampleSession } from '#lib/server/store/testing/sample-rows.ts'
import { applyOneFact, seed } from '#lib/server/store/testing/seed.ts'
import { FLAVOURS } from '#lib/server/store/testing/test-databases.ts'
import { useStores } from '#lib/server/store/testing/use-stores.ts'

const check = (url: string): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    const child = execFile(
      process.execPath,
      ['--conditions=react-server', resolve(import.meta.dirname, 'restore-check.ts'), url.replace(/^file:/, '')],
      (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }),
    )
  })

test.each([
  ['PGDMP\u0001\u000e', 'pg_restore --no-owner --dbname=cashier_check'],
  ['--\n-- PostgreSQL database dump\n--\n', 'psql --set=ON_ERROR_STOP=1 --dbname=cashier_check --file='],
])('a dump of PostgreSQL is not read: the message says how to restore it', async (start, command) => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-dump-'))
  try {
    writeFileSync(join(folder, 'cashier.dump'), start)
    const { code, err } = await check(join(folder, 'cashier.dump'))
    expect([code, err]).toEqual([2, expect.stringContaining(command)])
    expect(err).toContain('npm run restore-check -- postgres://')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })

  test('rows and the newest ones are reported, and an emptied backup is refused', async () => {
    const { one } = stores
    const received_ms = Date.parse('2026-11-20T12:00:00Z')
    await one.reconciliation.keepLedgerStart(0)
    await one.sessions.addSession(sampleSession({ created_ms: Date.now() }), { hash: 'h', expires_ms: 1 })
    await seed(one, { webhooks: [{ received_ms, sent_s: 1, body: '{}', outcome: 'applied' }] })
    await applyOneFact(one, sampleFact({ status: 'succeeded' }), { ledgerMode: 'merchant' })
    // A backup of SQLite has no log beside it.
    if (flavour === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(one.database.db)
    const good = await check(stores.url)
    expect(good).toMatchObject({ code: 0, err: '' })
    expect(good.out).toMatch(/ 1 {2}merchant_events\n/)
    expect(good.out).toMatch(/Newest event of the feed: 1, 2\d{3}-.*Z\nNewest webhook: 2026-11-20T12:00:00.000Z\n/)

    for (const table of ['transactions', 'stream_events', 'merchant_events', 'webhooks'] as const)
      await one.database.db.deleteFrom(table).execute()
    if (flavour === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(one.database.db)
    const emptied = await check(stores.url)
    expect([emptied.code, emptied.out]).toEqual([1, expect.stringContaining('The backup cannot be used.')])
    expect(emptied.err).toContain('the feed is empty, but the events 1 to 1 were not deleted by retention')
    expect(emptied.err).toContain('1 users whose stream lacks events')
  })

  test('a snapshot of the disk is checked with its log', async () => {
    const { one } = stores
    if (flavour === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(one.database.db)
    await one.reconciliation.keepLedgerStart(0)
    await one.sessions.addSession(sampleSession({ created_ms: Date.now() }), { hash: 'h', expires_ms: 1 })
    await applyOneFact(one, sampleFact({ status: 'succeeded' }), { ledgerMode: 'merchant' })
    const good = await check(stores.url)
    expect(good).toMatchObject({ code: 0, err: '' })
    expect(good.out).toMatch(/ 1 {2}merchant_events\n/)

    await one.database.db.deleteFrom('merchant_events').execute()
    const emptied = await check(stores.url)
    expect([emptied.code, emptied.err]).toEqual([
      1,
      expect.stringContaining('the feed is empty, but the events 1 to 1'),
    ])
  })

  test('a backup has all indexes, keys and triggers: a plain dump that was cut off has its rows alone', async () => {
    const { one } = stores
    const run = async (statements: readonly string[]): Promise<void> => {
      for (const statement of statements) await sql.raw(statement).execute(one.database.db)
      if (flavour === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(one.database.db)
    }
    await one.reconciliation.keepLedgerStart(0)
    await run([])
    expect(await check(stores.url)).toMatchObject({ code: 0, err: '' })
    await run([
      'drop index postings_once',
      ...(flavour === 'sqlite'
        ? ['drop trigger audit_entries_update']
        : [
            'drop trigger audit_entries_change on audit_entries',
            'alter table leases drop constraint leases_pkey',
            'alter table operators drop constraint operators_name_key_key',
            'alter table operator_views drop constraint operator_views_operator_id_list_name_key',
            'alter table payouts drop constraint owner_exists',
          ]),
    ])
    const { code, err, out } = await check(stores.url)
    expect([code, out]).toEqual([1, expect.stringContaining('The backup cannot be used.')])
    const lacks =
      flavour === 'sqlite'
        ? 'postings_once, audit_entries_update'
        : 'owner_exists, leases_pkey, operators_name_key_key, operator_views_operator_id_list_name_key, postings_once, ' +
          'audit_entries_change'
    expect(err).toContain(`The schema is cut off: it lacks ${lacks}.`)
  })

  test('a backup has its whole audit log', async () => {
    const { one } = stores
    const run = async (statement: string): Promise<void> => {
      await sql.raw(statement).execute(one.database.db)
    }
    for (const action of ['operator.invite', 'operator.accept'])
      await one.transaction((tx) => tx.audit.append({ operator: null, action }, tx.now))
    if (flavour === 'sqlite') await run('pragma wal_checkpoint(truncate)')
    expect((await check(stores.url)).out).toContain('The audit log is whole: 2 entries.\n')
    await run(
      flavour === 'sqlite' ? 'drop trigger audit_entries_delete' : 'alter table audit_entries disable trigger all',
    )
    await run('delete from audit_entries where seq = 2')
    if (flavour === 'sqlite') await run('pragma wal_checkpoint(truncate)')
    const cut = await check(stores.url)
    expect(cut.code).toBe(1)
    expect(cut.err).toContain('1 ends of the audit log that count other entries')
    expect(cut.err).toContain('The audit log is broken: entry 2 is missing')
  })
})
