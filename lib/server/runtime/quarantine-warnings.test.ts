import { createSign } from 'node:crypto'
import { expect, inject, test, vi } from 'vitest'
import { newTestDatabase } from '../store/testing/test-databases.ts'
import { createQuarantineWarnings } from './quarantine-warnings.ts'
import { GATEWAY_KEYS, testConfig } from './testing/config.ts'
import { startWholeServer } from './testing/whole-server.ts'

test('each webhook in quarantine gives a line with its reason; applied or repeated webhooks give none', () => {
  const warn = vi.fn()
  const warned = createQuarantineWarnings({ log: { warn }, uptimeMs: () => 0 })
  warned('applied', 't1')
  warned('seen', 't1')
  expect(warn).not.toHaveBeenCalled()
  warned('other_merchant', 't2')
  warned('unreadable', null)
  warned('unreadable', 'x'.repeat(2000))
  expect(warn.mock.calls.map(([fields]) => fields as unknown)).toEqual([
    { reason: 'other_merchant', transaction_uuid: 't2' },
    { reason: 'unreadable', transaction_uuid: null },
    { reason: 'unreadable', transaction_uuid: 'x'.repeat(64) },
  ])
})

test('a flood gives 30 lines per minute, and the next line has the number of omitted lines', () => {
  const warn = vi.fn()
  let now = 0
  const warned = createQuarantineWarnings({ log: { warn }, uptimeMs: () => now })
  for (let index = 0; index < 1000; index += 1) warned('stale', 't')
  expect(warn).toHaveBeenCalledTimes(31)
  expect(warn.mock.lastCall?.[1]).toContain('not logged')
  now = 60_000
  warned('stale', 't')
  expect(warn.mock.lastCall?.[0]).toEqual({ reason: 'stale', transaction_uuid: 't', left_out: 970 })
  warned('stale', 't')
  expect(warn.mock.lastCall?.[0]).toEqual({ reason: 'stale', transaction_uuid: 't' })
})

test('a server logs such webhooks without user and body', async () => {
  const { url, remove } = await newTestDatabase('sqlite', inject('postgresUrl'))
  const server = await startWholeServer(testConfig({ DATABASE_URL: url }))
  try {
    const body = JSON.stringify({
      event: 'User Something',
      transaction: { id: 't1', status: 'succeeded' },
      transaction_uuid: 't1',
      user_reference: 'player-1',
    })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const response = await fetch(`${server.url}/api/webhooks/gateway`, {
      method: 'POST',
      headers: {
        'x-signature': createSign('RSA-SHA256').update(body).update(timestamp).sign(GATEWAY_KEYS.privateKey, 'base64'),
        'x-timestamp': timestamp,
        'x-algorithm': 'RSA-SHA256',
      },
      body,
    })
    expect(response.status).toBe(200)
    const lines = server.lines.filter((line) => line.includes('in quarantine'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"level":"warn"')
    expect(lines[0]).toContain('"reason":"unknown_event","transaction_uuid":"t1"')
    expect(lines[0]).not.toContain('player-1')
  } finally {
    await server.stop()
    await remove()
  }
})
