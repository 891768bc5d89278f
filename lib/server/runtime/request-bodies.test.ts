/** Valid and invalid bodies of requests, and the answers to a withdrawal. */
import { describe, expect, test } from 'vitest'
import { CURRENCY, problem, setUpApi } from './testing/api-harness.ts'

const api = setUpApi()

test.each([
  ['malformed JSON', '{', 'application/json', 422, 'invalid_request'],
  ['nothing', '', 'application/json', 422, 'invalid_request'],
  ['an array', '[]', 'application/json', 422, 'invalid_request'],
  ['a number for text', '{"currency_id":7}', 'application/json', 422, 'invalid_request'],
  ['another type', `{"currency_id":"${CURRENCY}"}`, 'text/plain', 415, 'unsupported_media_type'],
  ['a form', 'currency_id=x', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
  ['another charset', '{}', 'application/json; charset=utf-16', 415, 'unsupported_media_type'],
  ['too much', JSON.stringify({ currency_id: 'x'.repeat(17_000) }), 'application/json', 413, 'payload_too_large'],
  ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json', 422, 'invalid_request'],
])('a body that is %s', async (_what, body, type, status, code) => {
  const response = await api.visitor.call('/api/cashier/deposit-addresses', {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  })
  expect([response.status, (await problem(response))['code']]).toEqual([status, code])
  expect(api.useCases.getDepositAddress).not.toHaveBeenCalled()
})

test.each([
  ['{', 'must be JSON'],
  ['', 'must be JSON'],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'must be UTF-8'],
  ['['.repeat(65) + ']'.repeat(65), 'must be nested at most 64 levels deep'],
  ['[]', 'must be an object'],
])('a body such as %j is refused as a whole', async (body, rule) => {
  const headers = { 'content-type': 'application/json' }
  const response = await api.visitor.call('/api/cashier/deposit-addresses', { method: 'POST', body, headers })
  expect((await problem(response))['errors']).toEqual({ body: [rule] })
})

describe('a body with too deep nesting', () => {
  const pageCalls = ['deposit-addresses', 'deposit-links', 'withdrawals', 'onramp-sessions']
  const merchantCalls = [
    'sessions',
    'users/u/adjustments',
    'withdrawals/w1/authorization',
    'withdrawals/w1/resolution',
    'quarantine/1/resolution',
    'redeliveries',
  ]
  const merchantKey = () => `Bearer ${api.server.config.merchantApiKeys[0]}`
  const nested = (depth: number) => `{"metadata":${'['.repeat(depth)}${']'.repeat(depth)}}`
  /** Depths that fit into the smallest and the largest limit of a body. */
  const depths = [8_000, 30_000]

  const answer = async (path: string, body: string): Promise<readonly unknown[]> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
    const response = path.startsWith('/api/cashier/')
      ? await api.visitor.call(path, { method: 'POST', body, headers })
      : await fetch(`${api.server.url}${path}`, {
          method: 'POST',
          body,
          headers: { ...headers, authorization: merchantKey() },
        })
    return [response.status, (await problem(response))['code']]
  }

  test.each([
    ...pageCalls.map((call) => `/api/cashier/${call}`),
    ...merchantCalls.map((call) => `/api/merchant/${call}`),
  ])('%s', async (path) => {
    for (const depth of depths) {
      const refused = [422, 'invalid_request']
      const tooLarge = [413, 'payload_too_large']
      const found = await answer(path, nested(depth))
      expect([refused, tooLarge]).toContainEqual(found)
      if (depth === depths[0]) expect(found).toEqual(refused)
      expect(await answer(path, '['.repeat(depth))).toEqual(found)
    }
  })

  test('metadata of a session, which may have any shape', async () => {
    const session = async (depth: number): Promise<number> => {
      const metadata = `{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}`
      const body = `{"user_reference_id":"u","metadata":${metadata}}`
      const headers = { 'content-type': 'application/json', authorization: merchantKey() }
      return (await fetch(`${api.server.url}/api/merchant/sessions`, { method: 'POST', body, headers })).status
    }
    expect([await session(64), await session(65)]).toEqual([201, 422])
  })
})

test('a body without a declared length is stopped at its limit', async () => {
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1024
      controller.enqueue(new Uint8Array(1024).fill(0x20))
      if (sent > 10_000_000) controller.close()
    },
  })
  const init = { method: 'POST', body: endless, duplex: 'half' } as const
  const response = await api.visitor.call('/api/cashier/deposit-addresses', init).catch(() => null)
  // The connection may be cut before the answer is read; in both cases the body was not read to its end.
  expect(response?.status ?? 413).toBe(413)
  expect(sent).toBeLessThan(5_000_000)
  expect((await api.make('balances')).status).toBe(200)
})

test('JSON may have a charset; unknown fields are left out', async () => {
  const response = await api.visitor.call('/api/cashier/deposit-addresses', {
    method: 'POST',
    body: JSON.stringify({ currency_id: CURRENCY, __proto__: { a: 1 }, more: true }),
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  })
  expect(response.status).toBe(200)
  expect(api.useCases.getDepositAddress).toHaveBeenCalledWith(expect.objectContaining({ id: api.visitor.id }), {
    currency_id: CURRENCY,
  })
})

test.each(['', 'short', 'x'.repeat(129)])('an idempotency key such as %j is refused with its name', async (key) => {
  const response = await api.make('withdrawal request', { 'idempotency-key': key })
  const body = await problem(response)
  expect(body).toMatchObject({ status: 422, code: 'invalid_request' })
  expect(body['errors']).toHaveProperty('Idempotency-Key')
})

test.each(['x'.repeat(8), 'x'.repeat(128)])('an idempotency key of the right length is passed on', async (key) => {
  expect((await api.make('withdrawal request', { 'idempotency-key': key })).status).toBe(201)
  expect(api.useCases.requestWithdrawal.mock.calls[0]?.[2]).toBe(key)
})

test("a withdrawal that the merchant declined is 403 with the merchant's message and its id", async () => {
  api.useCases.requestWithdrawal.mockResolvedValue({
    outcome: 'declined',
    withdrawal_id: 'w9',
    user_message: 'Not today.',
  })
  expect(await problem(await api.make('withdrawal request'))).toMatchObject({
    status: 403,
    code: 'declined',
    detail: 'Not today.',
    withdrawal_id: 'w9',
  })
})
