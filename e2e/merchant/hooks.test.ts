import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createHooks } from './hooks.ts'

const secret = `whsec_${Buffer.from('a secret of enough bytes, for sure').toString('base64')}`
const request = {
  withdrawal_id: 'w1',
  user_reference_id: 'player-mira',
  amount: '1.5',
  currency: { id: 'c1', currency_code: 'USDT', network: 'Tron' },
  wallet_address: 'T…',
}
const news = { type: 'transaction.updated', timestamp: '2026-11-20T12:00:00Z', data: { status: 'succeeded' } }

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

test('it decides as it was set to, and remembers what was asked', () => {
  const hooks = createHooks(secret, 'approve')
  expect(hooks.authorize(...signed(request))).toEqual({ status: 200, body: { decision: 'approve' } })

  Object.assign(hooks.state, { decision: 'decline', userMessage: 'Not today.' })
  expect(hooks.authorize(...signed(request))?.body).toEqual({ decision: 'decline', user_message: 'Not today.' })

  hooks.state.decision = 'silence'
  expect(hooks.authorize(...signed(request))).toBeNull()
  expect(hooks.state.asked.map(({ decision }) => decision)).toEqual(['approve', 'decline', 'silence'])
})

test('what is not signed, signed by another or of another shape is refused and not remembered', () => {
  const hooks = createHooks(secret, 'approve')
  const other = `whsec_${Buffer.from('quite another secret of enough bytes').toString('base64')}`
  const [raw] = signed(request)
  expect(hooks.authorize(raw, {})?.status).toBe(401)
  expect(hooks.authorize(...signed(request, 'msg_1', other))?.status).toBe(401)
  expect(hooks.authorize(...signed({ ...request, amount: 1.5 }))?.status).toBe(400)
  expect(createHooks(undefined, 'approve').authorize(...signed(request))?.status).toBe(501)
  expect(hooks.state.asked).toEqual([])
})

test('news that come again count once', () => {
  const hooks = createHooks(secret, 'approve')
  for (const id of ['msg_1', 'msg_2', 'msg_1']) expect(hooks.receive(...signed(news, id)).status).toBe(200)
  expect([...hooks.state.news].map(([id, { times }]) => [id, times])).toEqual([
    ['msg_1', 2],
    ['msg_2', 1],
  ])
})
