import { expect, inject, test } from 'vitest'
import { openSqlite } from '../database/node-sqlite-dialect.ts'
import { COPIED } from '../database/schema-guard.ts'
import { checkAudit } from './check-audit.ts'
import { copyDatabase, undoCopy } from './copy-database.ts'
import { eraseUser } from './erase-user.ts'
import { openStore, type Store } from '../store.ts'
import { sampleQuarantined, sampleWithdrawal } from '../testing/sample-rows.ts'
import { seed, type SeedRows } from '../testing/seed.ts'
import { newTestDatabase } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const stores = useStores('sqlite')

test.each<[string, SeedRows]>([
  ['an event in quarantine', { quarantine: [sampleQuarantined()] }],
  ['a webhook', { webhooks: [{ received_ms: 1, sent_s: 1, body: '{}', outcome: 'unknown_user' }] }],
])('a target that already has %s is not overwritten', async (_name, rows) => {
  await stores.one.users.ensure('u', 0)
  const target = await newTestDatabase('postgres', inject('postgresUrl'), { partitioned: true })
  try {
    const store = await openStore({ url: target.url, clock: Date.now, deliver: false })
    await seed(store, rows)
    await store.close()
    const copying = copyDatabase(stores.url.slice('file:'.length), target.url, () => Promise.resolve())
    await expect(copying).rejects.toThrow('the target is in use')
  } finally {
    await target.remove()
  }
})

test('the raw webhooks are in the copy', async () => {
  const body = '{"event":"User Deposit","user_reference":"ü"}'
  await seed(stores.one, { webhooks: [{ received_ms: 1, sent_s: 1, body, outcome: 'unknown_user' }] })
  const target = await newTestDatabase('postgres', inject('postgresUrl'), { partitioned: true })
  try {
    await copyDatabase(stores.url.slice('file:'.length), target.url, () => Promise.resolve())
    const copied = await openStore({ url: target.url, clock: Date.now, deliver: false })
    expect(await copied.erasure.webhooksAfter(0, 10)).toEqual([{ id: 1, body }])
    await copied.close()
  } finally {
    await target.remove()
  }
})

test('a target with an audit log is not overwritten, and a copied log stays whole', async () => {
  const { one } = stores
  const add = (store: Store): Promise<number> =>
    store.transaction((tx) => tx.audit.append({ operator: null, action: 'operator.invite' }, tx.now))
  await add(one)
  await one.users.insertIfMissing('u', 1)
  await eraseUser(one, 'u', 'erased_1', () => 1)
  const target = await newTestDatabase('postgres', inject('postgresUrl'), { partitioned: true })
  const used = await newTestDatabase('postgres', inject('postgresUrl'), { partitioned: true })
  try {
    const other = await openStore({ url: used.url, clock: Date.now, deliver: false })
    await add(other)
    await other.close()
    const copyTo = (url: string) => copyDatabase(stores.url.slice('file:'.length), url, () => Promise.resolve())
    await expect(copyTo(used.url)).rejects.toThrow('the target is in use: it has audit_entries')
    await one.leases.releaseAll('h')
    await copyTo(target.url)
    const copied = await openStore({ url: target.url, clock: Date.now, deliver: false })
    await add(copied)
    expect(await checkAudit(copied.audit)).toMatchObject({ fault: null, end: { entries: 3 } })
    await copied.close()
  } finally {
    await target.remove()
    await used.remove()
  }
})

test('after a copy is given up nothing is sent that the copy may have sent', async () => {
  const file = stores.url.slice('file:'.length)
  const store = await openStore({ url: stores.url, clock: Date.now, deliver: false })
  await store.users.ensure('u', 0)
  for (const step of ['authorizing', 'pending'] as const)
    await seed(store, {
      withdrawals: [sampleWithdrawal({ id: step, idempotency_key: step, step, status: 'pending_authorization' })],
    })
  const { epoch, head } = await store.feedEpoch.position()
  await store.close()
  expect(await undoCopy(file, null)).toBeNull()
  const raw = openSqlite(file)
  raw.prepare('insert into schema_migrations (name, applied_ms) values (?, 1)').run(`${COPIED}2026`)
  raw.close()

  expect(await undoCopy(file, null)).toBe(2)
  const again = await openStore({ url: stores.url, clock: Date.now, deliver: false })
  try {
    for (const id of ['authorizing', 'pending'])
      expect(await again.withdrawals.find(id)).toMatchObject({ step: 'calling', status: 'processing', driver: null })
    const after = await again.feedEpoch.position()
    expect([after.head, after.epoch === epoch]).toEqual([head, false])
    expect(await again.transaction(async (tx) => (await tx.load({ users: ['u'] })).sinceRestore('u'))).toBe('unchecked')
  } finally {
    await again.close()
  }
})

test('an instance that was suspended on a copy writes nothing more once the copy is given up', async () => {
  const file = stores.url.slice('file:'.length)
  const target = await newTestDatabase('postgres', inject('postgresUrl'), { partitioned: true })
  try {
    await copyDatabase(file, target.url, () => Promise.resolve())
    const suspended = await openStore({ url: target.url, clock: Date.now, deliver: false })
    const write = () => suspended.transaction((tx) => tx.users.ensure('u', 0))
    await expect(write()).resolves.toBe(true)
    expect(await undoCopy(file, target.url)).toBe(0)
    await expect(write()).rejects.toThrow('the copy was given up')
    await suspended.close()
    await expect(openStore({ url: target.url, clock: Date.now, deliver: false })).rejects.toThrow('was given up')
  } finally {
    await target.remove()
  }
})
