import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../store/store.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { createDecideWithdrawal, type WithdrawalDriver } from './decide-withdrawal.ts'

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => 1, deliver: false })
})
afterEach(() => store.close())

/** A driver for which another decision is kept, or the withdrawal has moved on. */
const nothing: WithdrawalDriver = {
  approve: () => Promise.resolve(null),
  decline: () => Promise.resolve(null),
  decideEarly: () => Promise.resolve(null),
}

test.each([
  ['approve', 'decline'],
  ['decline', 'approve'],
] as const)('%s after the opposite early decision says that another decision is kept', async (decision, kept) => {
  const waiting = { status: 'pending_authorization', step: 'authorizing', early_decision: kept } as const
  await seed(store, { withdrawals: [sampleWithdrawal(waiting)] })
  await expect(createDecideWithdrawal(store, nothing)('w1', { decision })).rejects.toMatchObject({
    code: 'conflict',
    detail: `Another decision about this withdrawal is already kept: ${kept}.`,
    extras: { withdrawal_status: 'pending_authorization' },
  })
})

test('a withdrawal that has moved on is refused with its status, despite an early decision', async () => {
  await seed(store, { withdrawals: [sampleWithdrawal({ status: 'processing', early_decision: 'approve' })] })
  await expect(createDecideWithdrawal(store, nothing)('w1', { decision: 'approve' })).rejects.toMatchObject({
    code: 'conflict',
    detail: 'This withdrawal is not waiting for an authorization: it is processing.',
    extras: { withdrawal_status: 'processing' },
  })
})
