/** Keys of the merchant API, made and revoked in the console. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MadeMerchantKey, MerchantKeysReply } from '#lib/contract/operate/merchant-keys.ts'
import { checkAudit } from '../store/commands/check-audit.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { operatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

const KEYS = '/api/operate/keys'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    config: testConfig({}),
    databaseUrl: 'file::memory:',
    useCases: { listMerchantEvents: () => Promise.resolve({ events: [], next_cursor: '0' }) },
  })
})
afterAll(() => server.stop())

const events = async (key: string): Promise<number> =>
  (await fetch(`${server.url}/api/merchant/events`, { headers: { authorization: `Bearer ${key}` } })).status

test('an admin makes a key, which works at once with its scopes, and revokes it at once', async () => {
  const admin = await operatorVisitor(server, 'admin')
  const body = { name: 'Reports', scopes: ['read', 'read', 'payouts'] }
  const answer = await admin.call(KEYS, { method: 'POST', body })
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
  const { key, item } = (await answer.json()) as MadeMerchantKey
  expect(key).toMatch(/^ck_[A-Za-z0-9_-]{43}$/)
  expect(item).toMatchObject({ name: 'Reports', scopes: ['read', 'payouts'], shown: key.slice(0, 9) })
  expect(item).toMatchObject({ created_by: admin.name, last_used_at: null, revoked_at: null })
  expect(await events(key)).toBe(200)
  const refused = await fetch(`${server.url}/api/merchant/test-event`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })
  expect(await problem(refused)).toMatchObject({ code: 'scope_required' })

  const listed = (await (await admin.call(KEYS)).json()) as MerchantKeysReply
  expect(listed.keys.find(({ id }) => id === item.id)).toEqual({ ...item, last_used_at: expect.any(String) as string })
  expect(JSON.stringify(listed)).not.toContain(key)

  const revocation = `${KEYS}/${item.id}/revocation`
  const slip = await admin.call(revocation, { method: 'POST', body: { name: 'Shop' } })
  expect(await problem(slip)).toMatchObject({ status: 422, errors: { name: [expect.any(String)] } })
  expect(await events(key)).toBe(200)
  const revoked = await admin.call(revocation, { method: 'POST', body: { name: 'Reports', reason: 'It leaked.' } })
  expect(revoked.status).toBe(204)
  expect(await events(key)).toBe(401)
  const again = await admin.call(revocation, { method: 'POST', body: { name: 'Reports' } })
  expect(await problem(again)).toMatchObject({ status: 409, detail: expect.stringContaining(admin.name) as string })
  expect((await admin.call(`${KEYS}/none/revocation`, { method: 'POST', body: { name: 'Reports' } })).status).toBe(404)

  expect(await server.store.audit.page(null, 2)).toMatchObject([
    { action: 'key.revoke', about_id: item.id, operator_name: admin.name, reason: 'It leaked.' },
    { action: 'key.make', about_id: item.id, operator_name: admin.name },
  ])
  expect((await checkAudit(server.store.audit)).fault).toBeNull()
  const all = JSON.stringify([
    server.lines,
    await server.store.audit.after(0, 99),
    await server.store.merchantKeys.all(),
  ])
  expect(all).not.toContain(key)
})

test('a name is taken for ever, and must be one', async () => {
  const admin = await operatorVisitor(server, 'admin')
  const make = (name: string, scopes: readonly string[] = ['read']): Promise<Response> =>
    admin.call(KEYS, { method: 'POST', body: { name, scopes } })
  const { item } = (await (await make('Shop 1')).json()) as MadeMerchantKey
  await admin.call(`${KEYS}/${item.id}/revocation`, { method: 'POST', body: { name: 'Shop 1' } })
  for (const name of ['Shop 1', 'SHOP 1', '', ' x', 'a:b', 'x'.repeat(61), 'ß'])
    expect(await problem(await make(name))).toMatchObject({ status: 422, errors: { name: [expect.any(String)] } })
  for (const scopes of [[], ['all'], ['read', 'write']])
    expect(await problem(await make('Shop 2', scopes))).toMatchObject({ status: 422 })
  expect((await make('Shop 2')).status).toBe(201)
})

test('only admins see and change keys, and making one needs a fresh passkey', async () => {
  for (const role of ['viewer', 'agent'] as const) {
    const other = await operatorVisitor(server, role)
    const made = await other.call(KEYS, { method: 'POST', body: { name: 'x', scopes: ['read'] } })
    expect(await problem(made)).toMatchObject({ code: 'role_required' })
    expect((await other.call(KEYS)).status).toBe(403)
    const revoked = await other.call(`${KEYS}/x/revocation`, { method: 'POST', body: { name: 'x' } })
    expect(await problem(revoked)).toMatchObject({ code: 'role_required' })
  }
  const admin = await operatorVisitor(server, 'admin')
  const began = server.now
  server.now += 6 * 60_000
  try {
    const late = await admin.call(KEYS, { method: 'POST', body: { name: 'late', scopes: ['read'] } })
    expect(await problem(late)).toMatchObject({ code: 'fresh_passkey_required' })
    expect((await admin.call(KEYS)).status).toBe(200)
  } finally {
    server.now = began
  }
})

test('there may be a hundred active keys', async () => {
  const { merchantKeys } = server.store
  const admin = await operatorVisitor(server, 'admin')
  const active = (await merchantKeys.active()).length
  const ids = Array.from({ length: 100 - active }, (_item, at) => `many-${String(at)}`)
  for (const id of ids)
    await merchantKeys.add({
      ...{ id, name: id, scopes: ['read'], key_hash: id, shown: 'ck_', created_ms: 1, created_by: 'Ann' },
    })
  const one = await admin.call(KEYS, { method: 'POST', body: { name: 'too many', scopes: ['read'] } })
  expect(await problem(one)).toMatchObject({ status: 409 })
  for (const id of ids) await merchantKeys.revoke(id, 'Ann', 1)
})
