import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { controlCall, testReceiver } from '../testing/test-sandbox.ts'
import type { TestReceiver } from '../testing/test-sandbox.ts'
import { sandboxProcesses } from '../testing/sandbox-process.ts'
import { UsageError } from './command.ts'
import { planTrigger } from './run-trigger.ts'
import { TRIGGER_NAMES } from './trigger-table.ts'
import type { TriggerName } from './trigger-table.ts'

const { start, ended } = sandboxProcesses()
let receiver: TestReceiver

beforeEach(async () => {
  receiver = await testReceiver()
})
afterEach(() => receiver.close())

/** What the merchant receives for each event on a new transaction. */
const RECEIVED: Readonly<Record<TriggerName, readonly string[]>> = {
  'deposit.processing': ['User Deposit processing'],
  'deposit.succeeded': ['User Deposit processing', 'User Deposit succeeded'],
  'deposit.failed': ['User Deposit processing'],
  'payout.processing': [],
  'payout.awaiting_approval': [],
  'payout.succeeded': ['User Payout succeeded'],
  'payout.failed': [],
  'onramp.pending': ['User Onramp pending'],
  'onramp.processing': ['User Onramp pending', 'User Onramp processing'],
  'onramp.succeeded': [
    'User Onramp pending',
    'User Onramp processing',
    'User Onramp succeeded',
    'User Deposit processing',
    'User Deposit succeeded',
  ],
  'onramp.failed': ['User Onramp pending', 'User Onramp failed'],
}

test('each event reaches the merchant, and its last line says what was answered', async () => {
  const { url } = await start([], { SANDBOX_WEBHOOK_URL: receiver.url })
  for (const event of TRIGGER_NAMES) {
    receiver.deliveries.length = 0
    const { code, said } = await ended(['trigger', event, '--user', 'ada', '--sandbox', url])
    expect([event, code]).toEqual([event, 0])
    expect(said).toContain(`${event}: made ${event.split('.')[0]!} `)
    await expect
      .poll(() => receiver.deliveries.map((one) => `${one.event.event} ${one.event.transaction.status}`))
      .toEqual(RECEIVED[event])
    if (RECEIVED[event].length === 0) expect(said).toContain('no webhook')
    else expect(said).toContain(`${receiver.url} 200 in `)
  }
})

test('an existing transaction is moved, and its amount can change', async () => {
  const { url } = await start([], { SANDBOX_WEBHOOK_URL: receiver.url })
  const trigger = (...args: string[]) => ended(['trigger', ...args, '--sandbox', url])
  const made = await trigger('deposit.processing', '--currency', 'ETH@Ethereum', '--amount', '0.000000000000000001')
  const uuid = /deposit ([0-9a-f-]{36})/.exec(made.said)?.[1] ?? ''
  expect(made.said).toContain('0.000000000000000001 ETH on Ethereum, user sandbox-user')
  const moved = await trigger('deposit.succeeded', '--id', uuid, '--amount', '2')
  expect(moved.said).toContain(`moved deposit ${uuid} (2 ETH on Ethereum`)
  const again = await trigger('deposit.succeeded', '--id', uuid)
  expect([again.code, again.said]).toEqual([1, expect.stringContaining('the deposit is TXN_PROVIDER_SUCCEEDED')])
  const { body } = await controlCall(url, 'GET', '/transactions')
  expect(body['transactions']).toMatchObject([{ transaction_uuid: uuid, amount: '2' }])
})

describe('a command line that cannot be used', () => {
  test.each([
    [
      ['trigger', 'deposit.done'],
      ['deposit.done is no event', ...TRIGGER_NAMES],
    ],
    [['trigger'], ['trigger needs an event', 'onramp.failed']],
    [['trigger', 'deposit.succeeded', 'payout.failed'], ['payout.failed is too much']],
    [['trigger', 'deposit.succeeded', '--amount', '1e3'], ['--amount is not a decimal']],
    [
      ['trigger', 'deposit.succeeded', '--reason', 'x', '--sandbox', 'http://localhost:9'],
      ['deposit.succeeded cannot have reason'],
    ],
    [['trigger', 'deposit.succeeded', '--sandbox', 'somewhere'], ['--sandbox must be a URL']],
    [['trigger', 'deposit.succeeded', '--sandbox', 'http://127.0.0.1:7'], ['no sandbox answers at http://127.0.0.1:7']],
  ])('%s', async (args, expected) => {
    const { code, said } = await ended(args)
    expect(code).toBe(1)
    expect(expected.filter((text) => !said.includes(text))).toEqual([])
    expect(said).not.toMatch(/^ +at /m)
  })

  test('a refusal of the sandbox names the field', async () => {
    const { url } = await start([], { SANDBOX_WEBHOOK_URL: 'none' })
    const { code, said } = await ended(['trigger', 'onramp.pending', '--country', 'XX', '--sandbox', url])
    expect([code, said]).toEqual([1, expect.stringContaining('country is not an ISO 3166-1 alpha-2 country')])
  })
})

describe('a field', () => {
  test('that the event cannot use is refused, because it would change nothing', () => {
    expect(() => planTrigger('deposit.succeeded', { reason: 'x' })).toThrow(UsageError)
    expect(() => planTrigger('payout.succeeded', { id: 'u', user: 'ada' })).toThrow('with an id cannot have user')
    expect(() => planTrigger('deposit.processing', { id: 'u' })).toThrow('cannot have an id')
  })

  test('goes to the call that takes it', () => {
    expect(planTrigger('payout.processing', { id: 'u' })).toEqual({
      kind: 'payout',
      make: null,
      step: { step: 'approve', body: {} },
    })
    expect(planTrigger('onramp.succeeded', { user: 'ada', to_amount: '3', tx_hash: 'h' })).toEqual({
      kind: 'onramp',
      make: { user_reference: 'ada', currency: 'USDT', network: 'Tron', amount: '10' },
      step: { step: 'succeeded', body: { to_amount: '3', tx_hash: 'h' } },
    })
  })
})
