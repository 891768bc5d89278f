import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createCallbacks } from './callbacks.ts'

const secret = `whsec_${Buffer.from('a secret of enough bytes, for sure').toString('base64')}`
const request = {
  withdrawal_id: 'w1',
  user_reference_id: 'player-mira',
  amount: '1.5',
  currency: { id: 'c1', currency_code: 'USDT', network: 'Tron' },
  wallet_address: 'T…',
}
const event = { type: 'transaction.updated', timestamp: '2026-11-20T12:00:00Z', data: { status: 'succeeded' } }

function signed(value: unknown, id = 'msg_1', by = secret): [Buffer, Record<string, string>] {
  const raw = Buffer.from(JSON.stringify(value))
  const now = new Date()
  return [
    raw,
    {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(by).sign(id, now, raw),
    },
  ]
}

test('it answers with the configured decision, and records each request', () => {
  const callbacks = createCallbacks(secret, 'approve')
  expect(callbacks.authorize(...signed(request))).toEqual({ status: 200, body: { decision: 'approve' } })

  Object.assign(callbacks.state, { decision: 'decline', userMessage: 'Not today.' })
  expect(callbacks.authorize(...signed(request))?.body).toEqual({ decision: 'decline', user_message: 'Not today.' })

  callbacks.state.decision = 'silence'
  expect(callbacks.authorize(...signed(request))).toBeNull()
  expect(callbacks.state.asked.map(({ decision }) => decision)).toEqual(['approve', 'decline', 'silence'])
})

test('a request without a valid signature or of another shape is refused and not recorded', () => {
  const callbacks = createCallbacks(secret, 'approve')
  const other = `whsec_${Buffer.from('quite another secret of enough bytes').toString('base64')}`
  const [raw] = signed(request)
  expect(callbacks.authorize(raw, {})?.status).toBe(401)
  expect(callbacks.authorize(...signed(request, 'msg_1', other))?.status).toBe(401)
  expect(callbacks.authorize(...signed({ ...request, amount: 1.5 }))?.status).toBe(400)
  expect(createCallbacks(undefined, 'approve').authorize(...signed(request))?.status).toBe(501)
  expect(callbacks.state.asked).toEqual([])
})

test('an event that is delivered again is processed once', () => {
  const callbacks = createCallbacks(secret, 'approve')
  for (const id of ['msg_1', 'msg_2', 'msg_1']) expect(callbacks.receive(...signed(event, id)).status).toBe(200)
  expect([...callbacks.state.events].map(([id, { times }]) => [id, times])).toEqual([
    ['msg_1', 2],
    ['msg_2', 1],
  ])
})
