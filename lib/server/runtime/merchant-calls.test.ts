/** The merchant's backend. */
import { expect, test } from 'vitest'
import { testConfig } from './testing/config.ts'
import { CURRENCY, problem, setPageStage, withdrawal } from './testing/page-stage.ts'
import { startTestServer } from './testing/test-server.ts'
import { asMerchant } from './testing/visitor.ts'

const stage = setPageStage()

test('a merchant call needs one of the keys, before anything else is looked at', async () => {
  for (const authorization of ['', 'Bearer wrong', `Basic ${stage.server.config.merchantApiKeys[0]}`]) {
    for (const [method, path] of [
      ['POST', '/api/merchant/sessions'],
      ['DELETE', '/api/merchant/sessions/x'],
      ['GET', '/api/merchant/events?limit=x'],
      ['GET', '/api/merchant/quarantine'],
      ['GET', '/api/merchant/users/a%20b/balances'],
      ['POST', '/api/merchant/users/u/adjustments'],
      ['POST', '/api/merchant/withdrawals/w/authorization'],
      ['POST', '/api/merchant/redeliveries'],
    ] as const) {
      const response = await fetch(stage.server.url + path, { method, headers: { authorization } })
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

test("the feeds' pages are read strictly", async () => {
  stage.useCases.listMerchantEvents.mockResolvedValue({ events: [], next_cursor: '0' })
  stage.useCases.listQuarantine.mockResolvedValue({ items: [], next_cursor: '0' })
  expect((await asMerchant(stage.server, '/api/merchant/events')).status).toBe(200)
  expect((await asMerchant(stage.server, '/api/merchant/events?after=17&limit=1000')).status).toBe(200)
  expect(stage.useCases.listMerchantEvents.mock.calls).toEqual([
    [{ after: null, limit: 100 }],
    [{ after: '17', limit: 1000 }],
  ])
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=', 'limit=1&limit=2']) {
    for (const feed of ['events', 'quarantine']) {
      const body = await problem(await asMerchant(stage.server, `/api/merchant/${feed}?${query}`))
      expect(body).toMatchObject({ status: 422, code: 'invalid_request' })
      expect(body['errors']).toHaveProperty('limit')
    }
  }
})

test('an adjustment is 201 the first time and 200 again', async () => {
  const input = { currency_id: CURRENCY, amount: '-5.00', reference: 'order-1' }
  const adjust = (): Promise<Response> =>
    asMerchant(stage.server, '/api/merchant/users/player-1/adjustments', {
      method: 'POST',
      body: JSON.stringify(input),
    })
  stage.useCases.adjustBalance.mockResolvedValueOnce({ created: true, adjustment: input })
  expect((await adjust()).status).toBe(201)
  stage.useCases.adjustBalance.mockResolvedValueOnce({ created: false, adjustment: input })
  const again = await adjust()
  expect([again.status, await again.json()]).toEqual([200, input])
  expect(stage.useCases.adjustBalance).toHaveBeenCalledWith('player-1', input)
  const bad = await asMerchant(stage.server, '/api/merchant/users/a%20b/adjustments', { method: 'POST', body: '{}' })
  expect(await problem(bad)).toMatchObject({ status: 422, errors: { user_reference_id: [expect.any(String)] } })
})

test('a merchant decides about a withdrawal', async () => {
  stage.useCases.decideWithdrawal.mockResolvedValue(withdrawal)
  const decide = (body: object): Promise<Response> =>
    asMerchant(stage.server, '/api/merchant/withdrawals/w1/authorization', {
      method: 'POST',
      body: JSON.stringify(body),
    })
  expect((await decide({ decision: 'approve', user_message: null })).status).toBe(200)
  expect((await decide({ decision: 'decline', user_message: 'No.' })).status).toBe(200)
  expect(stage.useCases.decideWithdrawal.mock.calls).toEqual([
    ['w1', { decision: 'approve' }],
    ['w1', { decision: 'decline', user_message: 'No.' }],
  ])
  expect((await decide({ decision: 'postpone' })).status).toBe(422)
})

test('a session stands even where what waited for its user could not be applied', async () => {
  stage.useCases.userBecameKnown.mockRejectedValue(new Error('not now'))
  const response = await asMerchant(stage.server, '/api/merchant/sessions', {
    method: 'POST',
    body: '{"user_reference_id":"late"}',
  })
  expect(response.status).toBe(201)
  expect(stage.useCases.userBecameKnown).toHaveBeenCalledWith('late')
  expect(stage.server.lines.join()).toContain('not now')
})
