/** The calls of the merchant's backend. */
import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { MERCHANT_BACKEND } from '../merchant/merchant-caller.ts'
import { testConfig } from './testing/config.ts'
import { CURRENCY, problem, setUpApi, withdrawal } from './testing/api-harness.ts'
import { startTestServer } from './testing/test-server.ts'
import { asMerchant } from './testing/visitor.ts'

const api = setUpApi()

test('a merchant call needs one of the keys, before anything else is checked', async () => {
  for (const authorization of ['', 'Bearer wrong', `Basic ${api.server.config.merchantApiKeys[0]}`]) {
    for (const [method, path] of [
      ['POST', '/api/merchant/sessions'],
      ['DELETE', '/api/merchant/sessions/x'],
      ['GET', '/api/merchant/events?limit=x'],
      ['GET', '/api/merchant/quarantine?state=x'],
      ['POST', '/api/merchant/quarantine/x/resolution'],
      ['GET', '/api/merchant/users/a%20b/balances'],
      ['GET', '/api/merchant/users/a%20b/entries?limit=x'],
      ['POST', '/api/merchant/users/u/adjustments'],
      ['PUT', '/api/merchant/rates'],
      ['GET', '/api/merchant/withdrawals?status=x'],
      ['GET', '/api/merchant/withdrawals/w'],
      ['POST', '/api/merchant/withdrawals/w/authorization'],
      ['POST', '/api/merchant/withdrawals/w/resolution'],
      ['GET', '/api/merchant/payouts?owner=x'],
      ['POST', '/api/merchant/payouts/p/owner'],
      ['POST', '/api/merchant/redeliveries'],
      ['POST', '/api/merchant/test-event'],
    ] as const) {
      const response = await fetch(api.server.url + path, { method, headers: { authorization } })
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(await problem(response)).toMatchObject({ status: 401, code: 'unauthenticated' })
    }
  }
})

test("the merchant's keys rotate", async () => {
  const keys = ['k1'.repeat(16), 'k2'.repeat(16)]
  const config = testConfig({ MERCHANT_API_KEY: keys.join(',') })
  const rotated = await startTestServer({
    config,
    databaseUrl: 'file::memory:',
    useCases: { listMerchantEvents: () => Promise.resolve({ events: [], next_cursor: '0' }) },
  })
  try {
    for (const key of [...keys, 'k3'.repeat(16)]) {
      const headers = { authorization: `Bearer ${key}` }
      const { status } = await fetch(`${rotated.url}/api/merchant/events`, { headers })
      expect(status).toBe(keys.includes(key) ? 200 : 401)
    }
  } finally {
    await rotated.stop()
  }
})

test('a session may name a thousand currencies', async () => {
  const currency_ids = Array.from({ length: 1000 }, () => crypto.randomUUID())
  const create = (ids: readonly string[]): Promise<Response> =>
    asMerchant(api.server, '/api/merchant/sessions', {
      method: 'POST',
      body: JSON.stringify({ user_reference_id: 'many', currency_ids: ids }),
    })
  expect((await create(currency_ids)).status).toBe(201)
  expect(await problem(await create([...currency_ids, crypto.randomUUID()]))).toMatchObject({ status: 422 })
})

test('the queries of the feeds are checked strictly', async () => {
  api.useCases.listMerchantEvents.mockResolvedValue({ events: [], next_cursor: '0' })
  api.useCases.listQuarantine.mockResolvedValue({ items: [], next_cursor: '0' })
  api.useCases.listEntries.mockResolvedValue({ entries: [], next_cursor: '0' })
  expect((await asMerchant(api.server, '/api/merchant/events')).status).toBe(200)
  expect((await asMerchant(api.server, '/api/merchant/events?after=17&limit=1000')).status).toBe(200)
  expect(api.useCases.listMerchantEvents.mock.calls).toEqual([
    [{ after: null, limit: 100 }],
    [{ after: '17', limit: 1000 }],
  ])
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1&limit=2', 'limit=&limit=']) {
    for (const feed of ['events', 'quarantine', 'users/u/entries']) {
      const body = await problem(await asMerchant(api.server, `/api/merchant/${feed}?${query}`))
      expect(body).toMatchObject({ status: 422, code: 'invalid_request' })
      expect(body['errors']).toHaveProperty('limit')
    }
  }
})

test("a user's entries are read page by page", async () => {
  api.useCases.listEntries.mockResolvedValue({ entries: [], next_cursor: '0' })
  const response = await asMerchant(api.server, '/api/merchant/users/u/entries?after=17&limit=5')
  expect([response.status, await response.json()]).toEqual([200, { entries: [], next_cursor: '0' }])
  expect(api.useCases.listEntries).toHaveBeenCalledWith('u', { after: '17', limit: 5 })
  expect((await asMerchant(api.server, '/api/merchant/users/a%20b/entries')).status).toBe(422)
})

test('rates are decimal text above zero, at most a thousand, and nothing else', async () => {
  const told = { rates: { [CURRENCY]: '1.0002' }, told_at: '2026-01-01T00:00:00.000Z' }
  api.useCases.tellRates.mockResolvedValue(told)
  const tell = (body: object): Promise<Response> =>
    asMerchant(api.server, '/api/merchant/rates', { method: 'PUT', body: JSON.stringify(body) })
  const answer = await tell({ rates: told.rates })
  expect([answer.status, await answer.json()]).toEqual([200, told])
  expect(api.useCases.tellRates).toHaveBeenCalledExactlyOnceWith({ rates: told.rates })
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, () => [crypto.randomUUID(), '1.000000000000000001']))
  expect((await tell({ rates: many(1000) })).status).toBe(200)
  for (const rates of [many(1001), { x: 1 }, { x: '0' }, { x: '-1' }, { x: '1e3' }, { x: '01' }, { x: '.5' }, null])
    expect(await problem(await tell({ rates }))).toMatchObject({ status: 422, code: 'invalid_request' })
  expect((await tell({ rates: {}, more: 1 })).status).toBe(422)
})

test('an adjustment is 201 the first time and 200 when repeated', async () => {
  const input = { currency_id: CURRENCY, amount: '-5.00', reference: 'order-1' }
  const adjust = (): Promise<Response> =>
    asMerchant(api.server, '/api/merchant/users/player-1/adjustments', {
      method: 'POST',
      body: JSON.stringify(input),
    })
  const adjustment = {
    ...input,
    amount: decimal(input.amount),
    user_reference_id: 'player-1',
    available: decimal('5'),
    held: decimal('0'),
    created_at: '2026-01-01T00:00:00.000Z',
  }
  api.useCases.adjustBalance.mockResolvedValueOnce({ created: true, adjustment })
  expect((await adjust()).status).toBe(201)
  api.useCases.adjustBalance.mockResolvedValueOnce({ created: false, adjustment })
  const again = await adjust()
  expect([again.status, await again.json()]).toEqual([200, adjustment])
  expect(api.useCases.adjustBalance).toHaveBeenCalledWith('player-1', input, expect.any(String))
  const bad = await asMerchant(api.server, '/api/merchant/users/a%20b/adjustments', { method: 'POST', body: '{}' })
  expect(await problem(bad)).toMatchObject({ status: 422, errors: { user_reference_id: [expect.any(String)] } })
})

test('the quarantine is read by reason and state, open events by default', async () => {
  api.useCases.listQuarantine.mockResolvedValue({ items: [], next_cursor: '0' })
  await asMerchant(api.server, '/api/merchant/quarantine')
  await asMerchant(api.server, '/api/merchant/quarantine?reason=stale&state=settled&after=7&limit=5')
  expect(api.useCases.listQuarantine.mock.calls).toEqual([
    [{ reason: null, state: 'open', after: null, limit: 100 }],
    [{ reason: 'stale', state: 'settled', after: '7', limit: 5 }],
  ])
  for (const [query, field] of [
    ['state=closed', 'state'],
    ['reason=stale&reason=conflict', 'reason'],
  ] as const) {
    const body = await problem(await asMerchant(api.server, `/api/merchant/quarantine?${query}`))
    expect([body['status'], Object.keys(body['errors'] as object)]).toEqual([422, [field]])
  }
})

test('a merchant resolves an event in quarantine', async () => {
  const item = {
    id: '7',
    reason: 'stale',
    received_at: '2026-01-01T00:00:00.000Z',
    event: {},
    settled_at: '2026-01-01T00:00:01.000Z',
    settled_by: 'merchant',
    note: 'ours',
  } as const
  api.useCases.resolveQuarantine.mockResolvedValue({ outcome: 'applied', item })
  const resolve = (body: object): Promise<Response> =>
    asMerchant(api.server, '/api/merchant/quarantine/7/resolution', { method: 'POST', body: JSON.stringify(body) })
  const response = await resolve({ action: 'apply', note: 'ours' })
  expect([response.status, await response.json()]).toEqual([200, { outcome: 'applied', item }])
  expect((await resolve({ action: 'dismiss', note: null })).status).toBe(200)
  expect(api.useCases.resolveQuarantine.mock.calls).toEqual([
    ['7', { action: 'apply', note: 'ours' }, MERCHANT_BACKEND],
    ['7', { action: 'dismiss', note: null }, MERCHANT_BACKEND],
  ])
  for (const [body, field] of [
    [{ action: 'delete' }, 'action'],
    [{}, 'action'],
    [{ action: 'dismiss', note: 'x'.repeat(1001) }, 'note'],
  ] as const)
    expect(await problem(await resolve(body))).toMatchObject({ status: 422, errors: { [field]: [expect.any(String)] } })
})

test('a test event is 202 with the endpoint’s answer', async () => {
  const result = { status: 204, milliseconds: 12, error: null }
  api.useCases.sendTestEvent.mockResolvedValue(result)
  const response = await asMerchant(api.server, '/api/merchant/test-event', { method: 'POST' })
  expect([response.status, await response.json()]).toEqual([202, result])
  expect((await asMerchant(api.server, '/api/merchant/test-event')).status).toBe(405)
})

test('a merchant decides about a withdrawal', async () => {
  api.useCases.decideWithdrawal.mockResolvedValue(withdrawal)
  const decide = (body: object): Promise<Response> =>
    asMerchant(api.server, '/api/merchant/withdrawals/w1/authorization', {
      method: 'POST',
      body: JSON.stringify(body),
    })
  expect((await decide({ decision: 'approve', user_message: null })).status).toBe(200)
  expect((await decide({ decision: 'decline', user_message: 'No.' })).status).toBe(200)
  expect(api.useCases.decideWithdrawal.mock.calls).toEqual([
    ['w1', { decision: 'approve', user_message: null }, 'merchant'],
    ['w1', { decision: 'decline', user_message: 'No.' }, 'merchant'],
  ])
  expect((await decide({ decision: 'postpone' })).status).toBe(422)
})

const listed = {
  ...withdrawal,
  user_reference_id: 'u',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  attention: null,
  paid_amount: null,
  resolution: null,
}

test('the query of the list of withdrawals is checked strictly', async () => {
  api.useCases.listWithdrawals.mockResolvedValue({ withdrawals: [listed], next_cursor: '1-w' })
  const list = (query: string): Promise<Response> => asMerchant(api.server, `/api/merchant/withdrawals${query}`)
  const response = await list('')
  expect([response.status, await response.json()]).toEqual([200, { withdrawals: [listed], next_cursor: '1-w' }])
  expect((await list('?status=unknown&user_reference_id=u&after=1-w&limit=7')).status).toBe(200)
  expect(api.useCases.listWithdrawals.mock.calls).toEqual([
    [{ status: null, user_reference_id: null, after: null, limit: 100 }],
    [{ status: 'unknown', user_reference_id: 'u', after: '1-w', limit: 7 }],
  ])
  for (const [query, field] of [
    ['status=lost', 'status'],
    ['user_reference_id=a%20b', 'user_reference_id'],
    ['limit=1001', 'limit'],
    ['limit=1&limit=2', 'limit'],
  ] as const) {
    const body = await problem(await list(`?${query}`))
    expect(body).toMatchObject({ status: 422, code: 'invalid_request', errors: { [field]: [expect.any(String)] } })
  }
})

const payout = {
  transaction_uuid: 'p1',
  user_reference_id: 'u',
  currency_id: CURRENCY,
  currency_code: 'BTC',
  network: 'Bitcoin',
  amount: '1',
  to_address: 'a',
  status: 'succeeded',
  inserted_at: null,
  first_seen_at: '2026-01-01T00:00:00.000Z',
  owner: null,
  withdrawal_id: null,
  note: null,
} as const

test('the query of the list of payouts is checked strictly', async () => {
  api.useCases.listPayouts.mockResolvedValue({ payouts: [payout], next_cursor: '1-p1' })
  const list = (query: string): Promise<Response> => asMerchant(api.server, `/api/merchant/payouts${query}`)
  const response = await list('')
  expect([response.status, await response.json()]).toEqual([200, { payouts: [payout], next_cursor: '1-p1' }])
  for (const owner of ['none', 'withdrawal', 'acknowledged', 'before'])
    expect((await list(`?owner=${owner}&user_reference_id=u&after=1-p1&limit=1000`)).status).toBe(200)
  expect(api.useCases.listPayouts.mock.calls.slice(0, 2)).toEqual([
    [{ owner: null, user_reference_id: null, after: null, limit: 100 }],
    [{ owner: 'none', user_reference_id: 'u', after: '1-p1', limit: 1000 }],
  ])
  for (const [query, field] of [
    ['owner=null', 'owner'],
    ['owner=none&owner=before', 'owner'],
    ['user_reference_id=a%20b', 'user_reference_id'],
    ['limit=1001', 'limit'],
    ['limit=0', 'limit'],
    ['status=failed', 'status'],
  ] as const) {
    const body = await problem(await list(`?${query}`))
    expect(body).toMatchObject({ status: 422, code: 'invalid_request', errors: { [field]: [expect.any(String)] } })
  }
})

test('a person says whose a payout is', async () => {
  api.useCases.setPayoutOwner.mockResolvedValue({ ...payout, owner: 'acknowledged', note: 'ours' })
  const setOwner = (body: unknown): Promise<Response> =>
    asMerchant(api.server, '/api/merchant/payouts/p%2F1/owner', { method: 'POST', body: JSON.stringify(body) })
  const response = await setOwner({ acknowledged: true, note: 'ours' })
  expect([response.status, await response.json()]).toMatchObject([200, { owner: 'acknowledged', note: 'ours' }])
  expect((await setOwner({ withdrawal_id: 'w1' })).status).toBe(200)
  expect(api.useCases.setPayoutOwner.mock.calls).toEqual([
    ['p/1', { acknowledged: true, note: 'ours' }, 'merchant'],
    ['p/1', { withdrawal_id: 'w1' }, 'merchant'],
  ])
  for (const body of [
    {},
    [],
    null,
    { withdrawal_id: '' },
    { withdrawal_id: 7 },
    { withdrawal_id: null },
    { acknowledged: true },
    { acknowledged: true, note: '' },
    { acknowledged: true, note: ' ' },
    { acknowledged: true, note: 'x'.repeat(1001) },
    { acknowledged: false, note: 'x' },
    { acknowledged: true, note: 'x', withdrawal_id: 'w1' },
    { withdrawal_id: 'w1', amount: '5' },
  ])
    expect(await problem(await setOwner(body))).toMatchObject({ status: 422, code: 'invalid_request' })
  expect(api.useCases.setPayoutOwner).toHaveBeenCalledTimes(2)
  expect((await asMerchant(api.server, '/api/merchant/payouts/p1/owner')).status).toBe(405)
})

test('an empty query value of a list counts as left out', async () => {
  api.useCases.listPayouts.mockResolvedValue({ payouts: [], next_cursor: '0' })
  api.useCases.listMerchantEvents.mockResolvedValue({ events: [], next_cursor: '0' })
  api.useCases.listEntries.mockResolvedValue({ entries: [], next_cursor: '0' })
  api.useCases.listQuarantine.mockResolvedValue({ items: [], next_cursor: '0' })
  api.useCases.listWithdrawals.mockResolvedValue({ withdrawals: [], next_cursor: '0' })
  for (const call of [
    'events?after=&limit=',
    'users/u/entries?after=&limit=',
    'quarantine?reason=&state=&after=&limit=',
    'withdrawals?status=&user_reference_id=&after=&limit=',
    'payouts?owner=&user_reference_id=&after=&limit=',
  ])
    expect([call, (await asMerchant(api.server, `/api/merchant/${call}`)).status]).toEqual([call, 200])
  const first = { after: null, limit: 100 }
  expect(api.useCases.listMerchantEvents).toHaveBeenCalledWith(first)
  expect(api.useCases.listEntries).toHaveBeenCalledWith('u', first)
  expect(api.useCases.listQuarantine).toHaveBeenCalledWith({ reason: null, state: 'open', ...first })
  expect(api.useCases.listWithdrawals).toHaveBeenCalledWith({ status: null, user_reference_id: null, ...first })
})

test('a read refuses unknown parameters', async () => {
  const feed = 'after, limit'
  const transactions = 'user_reference_id, first, after, last, before, time_range, transaction_types'
  for (const [call, errors, known] of [
    ['events?cursor=zz', ['cursor'], feed],
    ['users/u/entries?user=x&limit=1', ['user'], feed],
    [
      'withdrawals?user_reference_id=nobody&stauts=failed&page=2',
      ['stauts', 'page'],
      'status, user_reference_id, after, limit',
    ],
    ['quarantine?states=settled', ['states'], 'reason, state, after, limit'],
    ['transactions?limit=5', ['limit'], transactions],
    ['transactions?transaction_type=Payout&__proto__=x', ['transaction_type', '__proto__'], transactions],
    ['events?Limit=5', ['Limit'], feed],
    ['events?cursor=', ['cursor'], feed],
    ['events?cursor=a&cursor=b', ['cursor'], feed],
  ] as const) {
    const body = await problem(await asMerchant(api.server, `/api/merchant/${call}`))
    expect([call, body['status'], body['code']]).toEqual([call, 422, 'invalid_request'])
    expect(Object.entries(body['errors'] as object)).toEqual(
      errors.map((name) => [name, [`is not a parameter of this call; known: ${known}`]]),
    )
  }
  for (const call of ['users/u/balances?currency_id=x', 'withdrawals/w1?currency_id=x', 'connection?currency_id=x'])
    expect(await problem(await asMerchant(api.server, `/api/merchant/${call}`))).toMatchObject({
      status: 422,
      errors: { currency_id: ['is not a parameter of this call; it has none'] },
    })
  expect(api.reached()).toBe(false)
  expect((await asMerchant(api.server, '/api/merchant/connection')).status).toBe(200)
})

test("the page's own reads ignore unknown parameters", async () => {
  expect((await api.visitor.call('/api/cashier/transactions?cursor=zz')).status).toBe(200)
  expect((await api.visitor.call('/api/cashier/balances?cursor=zz')).status).toBe(200)
})

test('an adjustment refuses an unknown field by its name', async () => {
  const body = { currency_id: CURRENCY, amount: '5', amonut: '50', reference: 'order-1' }
  const adjust = (given: object): Promise<Response> =>
    asMerchant(api.server, '/api/merchant/users/u/adjustments', { method: 'POST', body: JSON.stringify(given) })
  expect(await problem(await adjust(body))).toMatchObject({
    status: 422,
    errors: { amonut: ['is not a field of this request'] },
  })
  const { amount: _amount, ...misspelled } = body
  expect(Object.keys((await problem(await adjust(misspelled)))['errors'] as object).sort()).toEqual([
    'amonut',
    'amount',
  ])
  expect(api.useCases.adjustBalance).not.toHaveBeenCalled()
})

test('one withdrawal is read by its id', async () => {
  api.useCases.findWithdrawal.mockResolvedValue(listed)
  const response = await asMerchant(api.server, '/api/merchant/withdrawals/w1')
  expect([response.status, await response.json()]).toEqual([200, listed])
  expect(api.useCases.findWithdrawal).toHaveBeenCalledWith('w1')
})

test('a person resolves a withdrawal with an outcome', async () => {
  api.useCases.resolveWithdrawal.mockResolvedValue(listed)
  const resolve = (body: object): Promise<Response> =>
    asMerchant(api.server, '/api/merchant/withdrawals/w1/resolution', { method: 'POST', body: JSON.stringify(body) })
  const sent = { outcome: 'sent', transaction_uuid: CURRENCY }
  const notSent = { outcome: 'not_sent', note: 'The provider confirms it.' }
  expect(await (await resolve(sent)).json()).toEqual(listed)
  expect((await resolve(notSent)).status).toBe(200)
  expect(api.useCases.resolveWithdrawal.mock.calls).toEqual([
    ['w1', sent, MERCHANT_BACKEND],
    ['w1', notSent, MERCHANT_BACKEND],
  ])
  for (const [body, field] of [
    [{}, 'outcome'],
    [{ outcome: 'lost' }, 'outcome'],
    [{ outcome: 'sent' }, 'transaction_uuid'],
    [{ outcome: 'sent', transaction_uuid: 'x' }, 'transaction_uuid'],
    [{ outcome: 'not_sent', note: 7 }, 'note'],
  ] as const)
    expect(await problem(await resolve(body))).toMatchObject({ status: 422, errors: { [field]: [expect.any(String)] } })
})

test('a session is created even if an event in quarantine for its user cannot be applied', async () => {
  api.useCases.userBecameKnown.mockRejectedValue(new Error('not now'))
  const response = await asMerchant(api.server, '/api/merchant/sessions', {
    method: 'POST',
    body: '{"user_reference_id":"late"}',
  })
  expect(response.status).toBe(201)
  expect(api.useCases.userBecameKnown).toHaveBeenCalledWith('late')
  expect(api.server.lines.join()).toContain('not now')
})
