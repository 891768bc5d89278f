import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Gateway } from '../gateway/port.ts'
import { openStore, type Store } from '../store/store.ts'
import type { WithdrawalRow } from '../store/withdrawals.ts'
import { createDriver, type MerchantWord } from './drive-withdrawal.ts'

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
  await store.users.ensure('user_1', 0)
})
afterEach(() => store.close())

const asking: WithdrawalRow = {
  id: 'w1',
  user_reference_id: 'user_1',
  idempotency_key: 'key-0001',
  currency_id: 'c',
  currency_code: 'USDT',
  network: 'Tron',
  amount: '5',
  wallet_address: 'a',
  address_key: 'a',
  amount_key: '5',
  status: 'pending_authorization',
  step: 'authorizing',
  driver: 'one',
  funds: 'none',
  requires_approval: 0,
  transaction_uuid: null,
  failure: null,
  failure_reason: null,
  user_message: null,
  declined_at_request: 0,
  record_status: null,
  first_result: null,
  created_ms: 0,
  called_ms: null,
  call_ended_ms: null,
  absent_scans: 0,
  checks: 0,
  next_check_ms: null,
  checked_ms: null,
  updated_ms: 0,
}

/** A process that drives withdrawals; counts its calls of the gateway. */
function processOf(instance: string, askMerchant: () => Promise<MerchantWord>) {
  const calls = { count: 0 }
  const gateway = {
    withdraw: () => {
      calls.count += 1
      return Promise.resolve({
        amount: '5',
        currency: 'USDT',
        requires_approval: false,
        status: 'Processing',
        wallet_address: 'a',
      })
    },
  } as unknown as Gateway
  return { calls, driver: createDriver({ store, gateway, instance, askMerchant, onFault: () => undefined }) }
}

const word = (decision: MerchantWord['decision']) => ({ decision, user_message: 'words' })

test.each(['decline', 'postpone', 'approve'] as const)(
  'two processes ask at once and the slower one hears %s: what the first one did stands',
  async (late) => {
    await store.withdrawals.insert(asking)
    let answer: (given: MerchantWord) => void = () => undefined
    const slow = processOf('two', () => new Promise((resolve) => (answer = resolve)))
    const fast = processOf('one', () => Promise.resolve(word('approve')))
    const waiting = slow.driver.authorize(asking, true)
    expect(await fast.driver.authorize(asking, true)).toMatchObject({ status: 'processing', step: 'ended' })
    answer(word(late))
    const expected = { status: 'processing', step: 'ended', user_message: null, declined_at_request: 0 }
    expect(await waiting).toMatchObject(expected)
    expect(await store.withdrawals.find('w1')).toMatchObject(expected)
    expect([fast.calls.count, slow.calls.count]).toEqual([1, 0])
  },
)

test('a postponed one is declined once, and then neither declined nor approved again', async () => {
  await store.withdrawals.insert(asking)
  const { driver, calls } = processOf('one', () => Promise.resolve(word('postpone')))
  const pending = await driver.authorize(asking, true)
  expect(pending).toMatchObject({ status: 'pending_authorization', step: 'pending' })
  const twice = await Promise.all([driver.decline(pending, 'no', false), driver.decline(pending, 'no', false)])
  expect(twice.map((row) => row?.failure ?? null)).toEqual(['declined', null])
  expect(await driver.approve(pending, 'pending')).toBeNull()
  expect(calls.count).toBe(0)
})
