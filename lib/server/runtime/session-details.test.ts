/** The details of a session that a merchant may set, and their effects. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { sampleCurrency } from '../store/testing/sample-rows.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { asMerchant, newSession, newVisitor, postLaunch } from './testing/visitor.ts'

const create = (server: TestServer, body: object): Promise<Response> =>
  asMerchant(server, '/api/merchant/sessions', {
    method: 'POST',
    body: JSON.stringify({ user_reference_id: 'player-1', ...body }),
  })

describe.each(FLAVOURS)('sessions on %s', (flavour) => {
  let database: TestDatabase
  let server: TestServer
  beforeAll(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    server = await startTestServer({ config: testConfig(), databaseUrl: database.url })
  })
  afterAll(async () => {
    await server.stop()
    await database.remove()
  })

  test('label, metadata and own wallet are stored as sent', async () => {
    const metadata = { order: 'A-17', nested: { list: [1, 'two', null] }, hasOwnProperty: 'x', ünï: '漢字' }
    const { id } = await newVisitor(server, {
      account_label: 'J•••@example.com',
      merchant_name: 'Acme',
      metadata,
      own_wallet: true,
    })
    const stored = await server.store.sessions.findSession(id)
    expect(stored?.session).toMatchObject({
      account_label: 'J•••@example.com',
      merchant_name: 'Acme',
      metadata,
      own_wallet: true,
    })
    const { id: plain } = await newVisitor(server)
    expect((await server.store.sessions.findSession(plain))?.session).toMatchObject({
      account_label: null,
      merchant_name: null,
      metadata: null,
      own_wallet: false,
    })
  })

  test.each([
    ['account_label', '', 422],
    ['account_label', '   ', 422],
    ['account_label', 'x'.repeat(60), 201],
    ['account_label', 'x'.repeat(61), 422],
    ['account_label', '👛'.repeat(60), 201],
    ['account_label', 'two\nlines', 422],
    ['account_label', 'turned\u202eround', 422],
    ['account_label', 'nul\0', 422],
    ['account_label', 7, 422],
    ['merchant_name', 'Acme Games', 201],
    ['merchant_name', 'x'.repeat(61), 422],
    ['merchant_name', 'two\nlines', 422],
    ['merchant_name', 'turned\u202eround', 422],
    ['merchant_name', null, 201],
    ['metadata', { a: 'x'.repeat(2040) }, 201],
    ['metadata', { a: 'x'.repeat(2041) }, 422],
    ['metadata', { a: 'ü'.repeat(1021) }, 422],
    ['metadata', [], 422],
    ['metadata', 'text', 422],
    ['metadata', { a: 'nul\0' }, 422],
    ['metadata', { 'nul\0': 1 }, 422],
    ['own_wallet', 'yes', 422],
    ['own_wallet', null, 201],
    ['return_url', 'https://shop.example/back', 201],
    ['return_url', 'https://evil.example/back', 422],
    ['return_url', 'javascript:alert(1)', 422],
    ['locale', 'x'.repeat(5000), 201],
    ['locale', '*', 201],
    ['locale', '', 201],
    ['locale', 'hasOwnProperty', 201],
  ])('%s %j is %i', async (field, value, status) => {
    const response = await create(server, { [field]: value })
    expect(response.status).toBe(status)
    if (status === 422)
      expect(Object.keys((await problem(response))['errors'] as object).join()).toMatch(new RegExp(`^${field}`))
  })
})

test('unlisted currencies give a warning once the gateway’s list is known', async () => {
  const [listed, other, another] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const known: Currency[] = []
  const selling = await startTestServer({
    config: testConfig({ ONRAMP_ORIGINS: '' }),
    databaseUrl: 'file::memory:',
    useCases: { listedCurrencies: () => Promise.resolve(known) },
  })
  try {
    expect(await newSession(selling, { currency_ids: [other] })).not.toHaveProperty('warnings')
    known.push({ ...sampleCurrency, id: listed })
    for (const body of [{}, { currency_ids: [listed] }])
      expect(await newSession(selling, body)).not.toHaveProperty('warnings')
    expect(await newSession(selling, { currency_ids: [other, listed, another] })).toHaveProperty('warnings', [
      `currency_ids: the gateway does not list ${other}, ${another}.`,
    ])
    const many = Array.from({ length: 25 }, () => crypto.randomUUID())
    expect(await newSession(selling, { flows: ['buy'], currency_ids: many })).toHaveProperty('warnings', [
      expect.stringContaining('ONRAMP_ORIGINS'),
      `currency_ids: the gateway does not list ${many.slice(0, 20).join(', ')} and 5 more.`,
    ])
  } finally {
    await selling.stop()
  }
})

test('without ONRAMP_ORIGINS buying is not offered, and a session that names it gets a warning', async () => {
  const config = testConfig({ ONRAMP_ORIGINS: '' })
  const server = await startTestServer({ config, databaseUrl: 'file::memory:' })
  try {
    const named = (await (await create(server, { flows: ['buy', 'history'] })).json()) as Record<string, string>
    expect(named['warnings']).toEqual([expect.stringContaining('ONRAMP_ORIGINS')])
    const launched = await postLaunch(server, named['launch_token'] ?? '')
    expect(launched.headers.get('location')).toBe(`/c/${named['session_id']}/history`)
    for (const body of [{}, { flows: ['deposit'] }])
      expect(await newSession(server, body)).not.toHaveProperty('warnings')
  } finally {
    await server.stop()
  }
  const selling = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
  try {
    expect(await newSession(selling, { flows: ['buy'] })).not.toHaveProperty('warnings')
  } finally {
    await selling.stop()
  }
})
