import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { createSendTestEvent } from './send-test-event.ts'

const SECRET = `whsec_${Buffer.from('a secret of the merchant').toString('base64')}`
const URL_OF_MERCHANT = 'https://merchant.example/events'

function setUp(answer: () => Promise<Response>, url: string | null = URL_OF_MERCHANT) {
  let nowMs = Date.now()
  const fetch = vi.fn<typeof globalThis.fetch>(() => {
    nowMs += 38
    return answer()
  })
  const send = createSendTestEvent({
    url,
    secrets: [SECRET],
    fetch,
    clock: () => nowMs,
    timeoutMs: 1000,
    newId: () => 'id',
  })
  return { fetch, send }
}

test('the event is signed, and the answer is reported', async () => {
  const { fetch, send } = setUp(() => Promise.resolve(new Response(null, { status: 204 })))
  expect(await send()).toEqual({ status: 204, milliseconds: 38, error: null })
  const [url, init] = fetch.mock.calls[0]!
  expect([url, init?.method, init?.redirect]).toEqual([URL_OF_MERCHANT, 'POST', 'manual'])
  const event = new Webhook(SECRET).verify(init?.body as string, init?.headers as Record<string, string>)
  expect(event).toEqual({ type: 'test', timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string, data: {} })
  expect(init?.headers).toMatchObject({ 'webhook-id': 'test_id', 'content-type': 'application/json' })
})

test.each([302, 401, 500])('status %d is reported unchanged', async (status) => {
  const { send } = setUp(() => Promise.resolve(new Response('no', { status })))
  expect(await send()).toEqual({ status, milliseconds: 38, error: null })
})

test('the reason of a missing answer is reported', async () => {
  const refused = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) })
  expect(await setUp(() => Promise.reject(refused)).send()).toEqual({
    status: null,
    milliseconds: 38,
    error: 'fetch failed: ECONNREFUSED',
  })
  const late = new DOMException('late', 'TimeoutError')
  expect(await setUp(() => Promise.reject(late)).send()).toMatchObject({ status: null, error: 'no answer in time' })
})

test('without an address there is nothing to test', async () => {
  const { fetch, send } = setUp(() => Promise.reject(new Error('never')), null)
  await expect(send()).rejects.toMatchObject({ code: 'not_available' })
  expect(fetch).not.toHaveBeenCalled()
})
