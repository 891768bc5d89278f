/** Keys of the merchant API that were made in the console. */
import { beforeEach, expect, test, vi } from 'vitest'
import { MERCHANT_SCOPES, type MerchantScope } from '#lib/contract/merchant-scopes.ts'
import { MERCHANT_CALLS } from '../merchant/openapi/merchant-calls.ts'
import { sampleKey, sampleKeyText } from '../store/testing/sample-key.ts'
import { problem, setUpApi } from './testing/api-harness.ts'

const api = setUpApi()

/** Each test has keys of its own. */
let next = 0
async function newKey(scopes: readonly MerchantScope[]): Promise<{ id: string; key: string; name: string }> {
  next += 1
  const id = String.fromCharCode(96 + next)
  await api.server.store.merchantKeys.add(sampleKey(id, { scopes }))
  return { id, key: sampleKeyText(id), name: `shop ${id}` }
}

const call = (key: string, method: string, path: string, body?: object): Promise<Response> =>
  fetch(api.server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

beforeEach(() => {
  api.useCases.listMerchantEvents.mockResolvedValue({ events: [], next_cursor: '0' })
})

test.each(MERCHANT_SCOPES)('a key with the scope %s is refused where another is needed', async (scope) => {
  const { key } = await newKey([scope])
  // The key may have been made within the half second after a read.
  await vi.waitFor(async () => expect((await call(key, 'GET', '/api/merchant/events')).status).not.toBe(401))
  for (const { method, path, scope: needed } of MERCHANT_CALLS) {
    const response = await call(key, method.toUpperCase(), `/api/merchant${path.replaceAll(/\{\w+\}/g, 'x')}?unknown=1`)
    if (needed !== scope) expect(await problem(response)).toMatchObject({ status: 403, code: 'scope_required' })
    else expect([401, 403], path).not.toContain(response.status)
  }
})

test('an unknown key, a revoked key and a key with another letter are refused alike', async () => {
  const { id, key } = await newKey(['read'])
  await vi.waitFor(async () => expect((await call(key, 'GET', '/api/merchant/events')).status).toBe(200))
  const others = [sampleKeyText('Z'), key.slice(0, -1), key.replace('ck_', 'sk_'), `${key.slice(0, -1)}-`]
  for (const other of others) {
    const response = await call(other, 'GET', '/api/merchant/events')
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await problem(response)).toMatchObject({ status: 401, code: 'unauthenticated' })
  }
  await api.server.store.merchantKeys.revoke(id, 'Ann', Date.now())
  await vi.waitFor(async () => expect((await call(key, 'GET', '/api/merchant/events')).status).toBe(401))
})

test('a use is stored, of a refused call too', async () => {
  const { id, key } = await newKey(['read'])
  await vi.waitFor(async () => expect((await call(key, 'POST', '/api/merchant/test-event')).status).toBe(403))
  await vi.waitFor(async () => {
    const used = (await api.server.store.merchantKeys.all()).find((one) => one.id === id)
    expect(used?.last_used_ms).toBe(api.server.now)
  })
})

test('what a key settles names the key', async () => {
  const { key, name } = await newKey(['decide'])
  api.useCases.resolveQuarantine.mockRejectedValue(new Error('not asked'))
  await vi.waitFor(async () => {
    await call(key, 'POST', '/api/merchant/quarantine/7/resolution', { action: 'apply' })
    expect(api.useCases.resolveQuarantine).toHaveBeenLastCalledWith(
      '7',
      { action: 'apply' },
      { by: `merchant:${name}`, scopes: ['decide'] },
    )
  })
})

test('the keys of the environment need no database', async () => {
  const { server } = api
  const active = vi.spyOn(server.store.merchantKeys, 'active').mockRejectedValue(new Error('the database is away'))
  try {
    expect((await call(server.config.merchantApiKeys[0], 'GET', '/api/merchant/events')).status).toBe(200)
    expect(active).not.toHaveBeenCalled()
  } finally {
    active.mockRestore()
  }
})
