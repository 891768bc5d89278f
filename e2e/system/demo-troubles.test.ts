/** The demo's troubles come about by themselves, within a minute. */
import { expect, test, vi } from 'vitest'
import { seedTroubles, TROUBLES_SETTINGS } from '../../scripts/demo-troubles.ts'
import { startSystem } from './start-system.ts'

test('one of each trouble that needs a person', { timeout: 120_000 }, async () => {
  const system = await startSystem({ cashier: TROUBLES_SETTINGS })
  try {
    const began = Date.now()
    const { publicUrl: cashierUrl, merchantApiKey, control } = system
    await seedTroubles({ cashierUrl, merchantApiKey, control: (...call) => control.call(...call) })
    const reasons = async (): Promise<ReadonlySet<string>> => {
      const { items } = (await (await system.merchant.call('GET', '/quarantine?limit=100')).json()) as {
        items: readonly { reason: string }[]
      }
      return new Set(items.map(({ reason }) => reason))
    }
    const wanted = [
      'unmatched_payout',
      'overdue',
      'implausible',
      'stale',
      'unknown_event',
      'unknown_status',
      'unknown_user',
      'other_merchant',
      'unreadable',
      'conflict',
    ]
    await vi.waitFor(async () => expect([...(await reasons())]).toEqual(expect.arrayContaining(wanted)), {
      timeout: 60_000,
      interval: 500,
    })
    const headers = { authorization: `Bearer ${merchantApiKey}` }
    const { withdrawals } = (await (await fetch(`${cashierUrl}/api/merchant/withdrawals`, { headers })).json()) as {
      withdrawals: readonly { status: string }[]
    }
    const statuses = withdrawals.map(({ status }) => status)
    expect(statuses).toEqual(expect.arrayContaining(['unknown', 'pending_authorization', 'awaiting_approval']))
    expect(Date.now() - began).toBeLessThan(60_000)
  } finally {
    await system.close()
  }
})
