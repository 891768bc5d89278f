import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { decimal } from '#lib/contract/money.ts'
import { OutcomeUnknownError, RejectedWithTransactionError, ValidationError } from '../gateway/errors.ts'
import type { Gateway } from '../gateway/types.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import { readStates } from '../ledger/withdrawal-history.ts'
import { openStore, type Store } from '../store/store.ts'
import type { WithdrawalRow } from '../store/types.ts'
import { sampleFact, samplePayout, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, changeWithdrawal, seed } from '../store/testing/seed.ts'
import { createSentWithdrawals, type SentWithdrawals } from './sent-withdrawals.ts'
import { createWithdrawalSteps, type AuthorizationDecision } from './withdrawal-steps.ts'

let store: Store
let upMs = 0
let nowMs = 1000
const uptimeMs = () => upMs
beforeEach(async () => {
  upMs = 0
  nowMs = 1000
  store = await openStore({ url: 'file::memory:', clock: () => nowMs, deliver: false })
  await store.users.ensure('user_1', 0)
})
afterEach(() => store.close())

const asking = sampleWithdrawal({
  user_reference_id: 'user_1',
  currency_id: 'c',
  amount: decimal('5'),
  wallet_address: 'a',
  status: 'pending_authorization',
  step: 'authorizing',
  driver: 'one',
  funds: 'none',
  postings: 0,
  created_ms: 0,
  updated_ms: 0,
})

interface ProcessOptions {
  /** The status of the gateway's reply. */
  readonly status?: string
  readonly clockOffsetMs?: number | null
  readonly on?: Store
  readonly withdraw?: () => Promise<never>
  readonly sent?: SentWithdrawals
}

const EXCHANGE = { startedMs: 10, endedMs: 20, request: '{"amount":"5"}', status: 200, reply: '{"ok":1}' }

/** A process that drives withdrawals and counts its calls of the gateway. */
function processOf(
  instance: string,
  askMerchant: () => Promise<AuthorizationDecision>,
  { status = 'Processing', clockOffsetMs = null, on = store, withdraw, sent }: ProcessOptions = {},
) {
  const calls = { count: 0 }
  const gateway = {
    clockOffsetMs: () => clockOffsetMs,
    statuses: STATUSES,
    withdraw: (...[, options]: Parameters<Gateway['withdraw']>) => {
      calls.count += 1
      options?.onExchange?.(EXCHANGE)
      if (withdraw !== undefined) return withdraw()
      return Promise.resolve({
        amount: '5',
        currency: 'USDT',
        requires_approval: false,
        status,
        wallet_address: 'a',
        transaction_uuid: null,
      })
    },
  } as unknown as Gateway
  return {
    calls,
    driver: createWithdrawalSteps({
      ...{ store: on, gateway, instance, askMerchant, uptimeMs, onFault: () => undefined },
      ...(sent !== undefined && { sent }),
    }),
  }
}

const deciding = (decision: AuthorizationDecision['decision']) => ({ decision, user_message: 'a message' })

test.each(['decline', 'postpone', 'approve'] as const)(
  'two processes ask at once and the slower one gets the answer %s: the first result stays',
  async (late) => {
    await seed(store, { withdrawals: [asking] })
    let answer: (given: AuthorizationDecision) => void = () => undefined
    const slow = processOf('two', () => new Promise((resolve) => (answer = resolve)))
    const fast = processOf('one', () => Promise.resolve(deciding('approve')))
    const waiting = slow.driver.authorize(asking, true)
    expect(await fast.driver.authorize(asking, true)).toMatchObject({ status: 'processing', step: 'ended' })
    answer(deciding(late))
    const expected = { status: 'processing', step: 'ended', user_message: 'a message', declined_at_request: 0 }
    expect(await waiting).toMatchObject(expected)
    expect(await store.withdrawals.find('w1')).toMatchObject(expected)
    expect([fast.calls.count, slow.calls.count]).toEqual([1, 0])
  },
)

/** The states in which the process brings its withdrawals to a database that has lost all. */
async function broughtBack(sent: SentWithdrawals): Promise<readonly (readonly [step: string, status: string])[]> {
  const other = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
  await sent.recordLost(other, (error) => {
    throw error
  })
  const row = await other.withdrawals.find('w1')
  await other.close()
  return row === null ? [] : [[row.step, row.status]]
}

test.each([
  ['approve', [['calling', 'processing']]],
  ['decline', [['ended', 'failed']]],
  // From here on another process may carry it on.
  ['postpone', []],
] as const)('after the answer %s the process brings the withdrawal back as it knows it', async (decision, expected) => {
  await seed(store, { withdrawals: [asking] })
  const sent = createSentWithdrawals(() => 0)
  const { driver } = processOf('one', () => Promise.resolve(deciding(decision)), { sent })
  await driver.authorize(asking, true)
  expect(await broughtBack(sent)).toMatchObject(expected)
})

test('a withdrawal that another process has carried on is not brought back by the one that asked', async () => {
  await seed(store, { withdrawals: [asking] })
  const sent = createSentWithdrawals(() => 0)
  let answer: (given: AuthorizationDecision) => void = () => undefined
  const slow = processOf('two', () => new Promise((resolve) => (answer = resolve)), { sent })
  const waiting = slow.driver.authorize(asking, true)
  await processOf('one', () => Promise.resolve(deciding('approve'))).driver.authorize(asking, true)
  answer(deciding('approve'))
  await waiting
  expect(await broughtBack(sent)).toEqual([])
})

test('a withdrawal keeps each of its states, what the merchant answered, and the exchange with the gateway', async () => {
  const call = { started_ms: 2, ended_ms: 3, status: 200, fault: null, request: '{}', reply: '{"decision":"postpone"}' }
  await seed(store, { withdrawals: [asking] })
  const { driver } = processOf('one', () => Promise.resolve({ ...deciding('postpone'), call }))
  const approved = await driver.approve(await driver.authorize(asking, true), null)
  expect(readStates(approved?.states ?? '')).toEqual([
    { status: 'pending_authorization', at_ms: 1000, cause: 'postponed', source: 'cashier' },
    { status: 'processing', at_ms: 1000, cause: 'approved', source: 'cashier' },
  ])
  const exchange = {
    started_ms: 10,
    ended_ms: 20,
    status: 200,
    fault: null,
    request: '{"amount":"5"}',
    reply: '{"ok":1}',
  }
  const own = { user_reference_id: 'user_1', withdrawal_id: 'w1' }
  const kept = await store.database.db.selectFrom('withdrawal_calls').selectAll().orderBy('purpose').execute()
  expect(kept).toEqual([
    { ...own, purpose: 'authorize', ...call },
    { ...own, purpose: 'withdraw', ...exchange },
  ])
  await store.unitOfWork({ users: ['user_1'], withdrawals: ['w1'] }, (unit) => {
    settleWithdrawal(unit, unit.withdrawal('w1')!, { evidence: { kind: 'not_sent' }, source: 'cashier' })
  })
  expect(readStates((await store.withdrawals.find('w1'))?.states ?? '').at(-1)).toMatchObject({
    status: 'failed',
    cause: 'not_sent',
  })
})

/** Merchants read by `updated_at` which of two states is newer (docs/guides/backend.md). */
test.each([
  ['it is sent at once', null],
  ['it waits on', 2_000_000],
] as const)(
  'each state is later than the one before, approved on a machine whose clock is behind: %s',
  async (_name, wait) => {
    await seed(store, { withdrawals: [sampleWithdrawal({ ...asking, wait_until_ms: wait })] })
    const refuse = () => Promise.reject(new ValidationError('refused', {}, { operation: 'withdraw' }))
    const { driver } = processOf('one', () => Promise.resolve(deciding('postpone')), { withdraw: refuse })
    const postponed = await driver.authorize(asking, true)
    nowMs -= 900
    const approved = await driver.approve(postponed, null)
    if (approved?.step === 'pending') {
      nowMs += 1
      await driver.cancel(approved)
    }
    const events = (await store.events.feedAfter(0, 9)).map(
      ({ data }) => JSON.parse(data) as { readonly status: string; readonly updated_at: string },
    )
    expect(events.map(({ status }) => status)).toEqual(['pending_authorization', 'failed'])
    const times = events.map(({ updated_at }) => Date.parse(updated_at))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(times).size).toBe(2)
  },
)

test('after a restore an unsent withdrawal counts as sent, and its states say why', async () => {
  await seed(store, { withdrawals: [asking] })
  await store.withdrawals.doubtUnsent()
  expect(readStates((await store.withdrawals.find('w1'))?.states ?? '')).toEqual([
    { status: 'processing', at_ms: 1000, cause: 'restored', source: 'cashier' },
  ])
})

test('a process that takes over a call does not time it by its own clock', async () => {
  const calling = sampleWithdrawal({ ...asking, step: 'calling', status: 'processing', called_ms: 1, driver: 'dead' })
  await seed(store, { withdrawals: [calling] })
  const { driver } = processOf('one', () => Promise.reject(new Error('not asked')), { clockOffsetMs: 250 })
  await driver.resume(calling)
  expect(await store.withdrawals.find('w1')).toMatchObject({ status: 'unknown', step: 'ended', clock_offset_ms: null })
})

test('the message of an approval replaces the message of the postponement', async () => {
  const approvedWith = async (message: string | null): Promise<string | null | undefined> => {
    const pending = sampleWithdrawal({ ...asking, id: crypto.randomUUID(), idempotency_key: crypto.randomUUID() })
    await seed(store, { withdrawals: [pending] })
    const { driver } = processOf('one', () => Promise.resolve(deciding('postpone')))
    return (await driver.approve(await driver.authorize(pending, true), message))?.user_message
  }
  expect(await approvedWith('later ok')).toBe('later ok')
  expect(await approvedWith(null)).toBeNull()
  const asked = processOf('one', () => Promise.resolve(deciding('approve')))
  await seed(store, { withdrawals: [asking] })
  expect((await asked.driver.authorize(asking, true)).user_message).toBe('a message')
})

test('a postponed withdrawal is declined once, and then neither declined nor approved again', async () => {
  await seed(store, { withdrawals: [asking] })
  const { driver, calls } = processOf('one', () => Promise.resolve(deciding('postpone')))
  const pending = await driver.authorize(asking, true)
  expect(pending).toMatchObject({ status: 'pending_authorization', step: 'pending' })
  const twice = await Promise.all([driver.decline(pending, 'no', false), driver.decline(pending, 'no', false)])
  expect(twice.map((row) => row?.failure ?? null)).toEqual(['declined', null])
  expect(await driver.approve(pending, null)).toBeNull()
  expect(calls.count).toBe(0)
})

test.each([
  ['Processing', 'processing'],
  ['Failed', 'failed'],
  ['TXN_REJECTED', 'failed'],
  ['TXN_FAILOVER_PROVIDER', 'processing'],
])('a reply with status %s gives: %s', async (status, expected) => {
  await seed(store, { withdrawals: [asking] })
  const { driver } = processOf('one', () => Promise.resolve(deciding('approve')), { status })
  expect(await driver.authorize(asking, true)).toMatchObject({ status: expected, step: 'ended' })
})

describe('an error reply that names a transaction', () => {
  const PAYOUT = '7c3f0f6e-4f1b-4b57-9a55-0d2d5d1b2c11'
  const called = sampleWithdrawal({ ...asking, step: 'calling', status: 'processing', called_ms: 1 })
  const failing = (): ReturnType<typeof createWithdrawalSteps> =>
    createWithdrawalSteps({
      store,
      gateway: {
        clockOffsetMs: () => null,
        statuses: STATUSES,
        withdraw: () =>
          Promise.reject(new RejectedWithTransactionError('no', PAYOUT, 'TXN_FAILED', { operation: 'withdraw' })),
      } as unknown as Gateway,
      instance: 'one',
      askMerchant: null,
      uptimeMs,
      onFault: () => undefined,
    })

  test('of another withdrawal: this withdrawal stays uncertain', async () => {
    const named = { step: 'ended', transaction_uuid: PAYOUT } as const
    const owner = sampleWithdrawal({ ...called, ...named, id: 'w0', idempotency_key: 'key-0000' })
    await seed(store, { withdrawals: [owner, called] })
    expect(await failing().call(called, 0)).toMatchObject({ status: 'unknown', transaction_uuid: null })
    expect(await store.withdrawals.find('w0')).toMatchObject({ status: 'processing', transaction_uuid: PAYOUT })
  })

  test.each([
    ['the webhook wins, although the amount differs', called],
    [
      'the same if the store has lost the approval, and the merchant has declined it since',
      sampleWithdrawal({ ...asking, step: 'ended', status: 'failed', failure: 'declined' }),
    ],
  ])('whose webhook said `succeeded`: %s', async (_name, stored) => {
    await seed(store, { withdrawals: [stored] })
    await applyOneFact(
      store,
      sampleFact({
        kind: 'payout',
        transaction_uuid: PAYOUT,
        user_reference_id: 'user_1',
        currency_id: 'c',
        amount: decimal('4.9'),
        status: 'succeeded',
      }),
    )
    expect(await failing().call(called, 0)).toMatchObject({
      status: 'succeeded',
      step: 'ended',
      transaction_uuid: PAYOUT,
      paid_amount: '4.9',
    })
    expect(await store.transactions.find('payout', PAYOUT)).toMatchObject({ withdrawal_id: 'w1' })
  })

  test('that no other source has named: the withdrawal failed', async () => {
    await seed(store, { withdrawals: [called] })
    expect(await failing().call(called, 0)).toMatchObject({ status: 'failed', transaction_uuid: PAYOUT })
  })
})

test('a brief failure of the store does not lose the gateway’s reply', async () => {
  await seed(store, { withdrawals: [asking] })
  const faults: unknown[] = []
  let failing = 2
  const unsteady: Store = {
    ...store,
    unitOfWork: (keys, fold) => {
      // The first transaction moves the row to its call; the next ones store the result.
      if (called && failing > 0) {
        failing -= 1
        return Promise.reject(new Error('disk full'))
      }
      return store.unitOfWork(keys, fold)
    },
  }
  let called = false
  const gateway = {
    clockOffsetMs: () => null,
    statuses: STATUSES,
    withdraw: () => {
      called = true
      return Promise.resolve({
        amount: '5',
        currency: 'USDT',
        requires_approval: false,
        status: 'Processing',
        wallet_address: 'a',
        transaction_uuid: null,
      })
    },
  } as unknown as Gateway
  const driver = createWithdrawalSteps({
    store: unsteady,
    gateway,
    instance: 'one',
    askMerchant: () => Promise.resolve(deciding('approve')),
    uptimeMs,
    onFault: (error) => faults.push(error),
  })
  expect(await driver.authorize(asking, true)).toMatchObject({ status: 'processing', step: 'ended' })
  expect(faults).toHaveLength(2)
})

describe('a decision that comes before the merchant’s answer to our question', () => {
  async function meanwhile(
    early: 'approve' | 'decline',
    answer: AuthorizationDecision['decision'],
  ): Promise<{ readonly row: WithdrawalRow; readonly calls: number }> {
    await seed(store, { withdrawals: [asking] })
    const { driver, calls } = processOf('one', async () => {
      const kept = await driver.decideEarly(asking, early, 'early')
      expect(kept).toMatchObject({ status: 'pending_authorization', early_decision: early })
      return deciding(answer)
    })
    const row = await driver.authorize(asking, true)
    expect(await store.withdrawals.find('w1')).toEqual(row)
    return { row, calls: calls.count }
  }

  test.each([
    ['approve', 'postpone', { status: 'processing', step: 'ended', user_message: 'early', declined_at_request: 0 }, 1],
    ['approve', 'approve', { status: 'processing', step: 'ended', user_message: 'early' }, 1],
    ['approve', 'decline', { status: 'failed', failure: 'declined', user_message: 'a message' }, 0],
    [
      'decline',
      'postpone',
      { status: 'failed', failure: 'declined', user_message: 'early', declined_at_request: 1 },
      0,
    ],
    ['decline', 'approve', { status: 'failed', failure: 'declined', user_message: 'early' }, 0],
    ['decline', 'decline', { status: 'failed', failure: 'declined' }, 0],
  ] as const)('the decision is %s, and the answer is %s', async (early, answer, expected, calls) => {
    const result = await meanwhile(early, answer)
    expect(result.row).toMatchObject(expected)
    expect(result.calls).toBe(calls)
  })

  test('without an answer, an early approval is declined', async () => {
    await seed(store, { withdrawals: [asking] })
    const { driver, calls } = processOf('one', async () => {
      await driver.decideEarly(asking, 'approve', 'early')
      throw new Error('no answer')
    })
    expect(await driver.authorize(asking, true)).toMatchObject({ status: 'failed', failure: 'declined' })
    expect(calls.count).toBe(0)
  })

  test('a repeated decision gets the same answer, a different one is refused', async () => {
    await seed(store, { withdrawals: [asking] })
    const { driver } = processOf('one', () => Promise.resolve(deciding('postpone')))
    expect(await driver.decideEarly(asking, 'approve', null)).not.toBeNull()
    expect(await driver.decideEarly(asking, 'approve', null)).not.toBeNull()
    expect(await driver.decideEarly(asking, 'decline', null)).toBeNull()
  })

  test('the decision is kept when the process that asked dies', async () => {
    await seed(store, { withdrawals: [asking] })
    const dead = processOf('dead', () => new Promise(() => undefined))
    void dead.driver.authorize(asking, true)
    await dead.driver.decideEarly(asking, 'approve', null)
    const { driver, calls } = processOf('one', () => Promise.reject(new Error('not to be asked again')))
    const [row] = await store.withdrawals.inFlight(1)
    if (row === undefined) throw new Error('it is not in flight')
    await driver.resume(row)
    expect(await store.withdrawals.find('w1')).toMatchObject({ status: 'processing', step: 'ended' })
    expect(calls.count).toBe(1)
  })
})

describe('an approval while the same withdrawal is unknown', () => {
  const twin = sampleWithdrawal({
    ...asking,
    id: 'w0',
    idempotency_key: 'key-0000',
    status: 'unknown',
    step: 'ended',
    called_ms: 1,
    call_ended_ms: 2,
  })

  test('of a postponed one is refused: it stays postponed, and may be declined, or approved later', async () => {
    const { driver, calls } = processOf('one', () => Promise.resolve(deciding('postpone')))
    const again = { ...asking, id: 'w2', idempotency_key: 'key-0002' }
    await seed(store, { withdrawals: [asking, again] })
    const [pending, other] = [await driver.authorize(asking, true), await driver.authorize(again, true)]
    await seed(store, { withdrawals: [twin] })
    await expect(driver.approve(pending, 'later ok')).rejects.toMatchObject({ code: 'outcome_unknown' })
    expect(await store.withdrawals.find('w1')).toEqual(pending)
    expect(await driver.decline(other, 'no', false)).toMatchObject({ status: 'failed', failure: 'declined' })
    expect(calls.count).toBe(0)
    await changeWithdrawal(store, 'w0', { status: 'failed' })
    expect(await driver.approve(pending, null)).toMatchObject({ status: 'processing', step: 'ended' })
    expect(calls.count).toBe(1)
  })

  test.each([
    ['is of nobody, is refused', {}, false, 0],
    ['was made before it, is sent', { inserted_ms: asking.created_ms - 300_001 }, true, 0],
    ['has its amount less a fee, is refused', { amount: decimal('4.5') }, false, 0],
    ['has another amount, is sent', { amount: decimal('2') }, true, 0],
    ['failed, is sent', { status: 'failed' }, true, 0],
    ['was acknowledged by a person, is sent', { owner: 'acknowledged' }, true, 0],
    [
      "was made after it by the gateway's clock, is refused",
      { inserted_ms: asking.created_ms - 599_000 },
      false,
      -600_000,
    ],
    ["was made before it by the gateway's clock, is sent", { inserted_ms: asking.created_ms }, true, 600_000],
    ['only an event shows, is refused', { inserted_ms: null, first_seen_ms: asking.created_ms }, false, 600_000],
  ] as const)('of a postponed one, while a payout of its details %s', async (_name, change, sent, clockOffsetMs) => {
    const ask = () => Promise.resolve(deciding('postpone'))
    const { driver, calls } = processOf('one', ask, { clockOffsetMs })
    await seed(store, { withdrawals: [asking] })
    const pending = await driver.authorize(asking, true)
    const { user_reference_id, currency_id, currency_code, network, amount, wallet_address } = asking
    const payout = samplePayout({
      ...{ transaction_uuid: 'p-1', user_reference_id, currency_id, currency_code, network, amount },
      ...{ to_address: wallet_address, inserted_ms: asking.created_ms + 1000, owner: null, ...change },
    })
    await store.unitOfWork({ users: [user_reference_id] }, (unit) => unit.putPayout(payout))
    const approved = driver.approve(pending, null)
    if (sent) expect(await approved).toMatchObject({ status: 'processing' })
    else await expect(approved).rejects.toMatchObject({ code: 'outcome_unknown' })
    expect(calls.count).toBe(sent ? 1 : 0)
  })

  test('as the answer to our question becomes a decline, without the message of the approval', async () => {
    await seed(store, { withdrawals: [asking] })
    const { driver, calls } = processOf('one', async () => {
      await seed(store, { withdrawals: [twin] })
      return deciding('approve')
    })
    expect(await driver.authorize(asking, true)).toMatchObject({
      status: 'failed',
      failure: 'declined',
      user_message: null,
      declined_at_request: 1,
    })
    expect(calls.count).toBe(0)
  })

  test.each(['approve', 'postpone'] as const)(
    'that was kept before the answer %s becomes a decline',
    async (answer) => {
      await seed(store, { withdrawals: [asking] })
      const { driver, calls } = processOf('one', async () => {
        await driver.decideEarly(asking, 'approve', 'early')
        await seed(store, { withdrawals: [twin] })
        return deciding(answer)
      })
      expect(await driver.authorize(asking, true)).toMatchObject({ failure: 'declined', user_message: null })
      expect(calls.count).toBe(0)
    },
  )

  test('before the answer is refused, and not kept', async () => {
    await seed(store, { withdrawals: [asking, twin] })
    const { driver } = processOf('one', () => Promise.resolve(deciding('postpone')))
    await expect(driver.decideEarly(asking, 'approve', null)).rejects.toMatchObject({ code: 'outcome_unknown' })
    expect(await driver.decideEarly(asking, 'decline', null)).toMatchObject({ early_decision: 'decline' })
  })

  test('of a withdrawal with other details is sent', async () => {
    await seed(store, { withdrawals: [asking, { ...twin, amount: decimal('6') }] })
    const { driver, calls } = processOf('one', () => Promise.resolve(deciding('approve')))
    expect(await driver.authorize(asking, true)).toMatchObject({ status: 'processing', step: 'ended' })
    expect(calls.count).toBe(1)
  })
})

describe('a process that sleeps between the commit of the step `calling` and the call,', () => {
  const booked = { user_reference_id: 'user_1', currency_id: 'c', amount: decimal('5') }
  const held = sampleWithdrawal({ ...asking, funds: 'held', postings: 1 })

  beforeEach(() =>
    seed(store, {
      withdrawals: [held],
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...booked },
        { booking: 'hold', posting_key: 'hold:w1', ...booked },
      ],
    }),
  )
  afterEach(async () => expect((await store.snapshot(checkLedger)).faults).toEqual([]))
  const available = async () => (await store.ledger.balance('user_1', 'c')).available

  /** Approves, sleeps for `ms` after the commit, and then continues. `others` runs during the sleep. */
  async function approveAndSleep(ms: number, others: () => Promise<void> = () => Promise.resolve()) {
    let commits = 0
    const sleepy: Store = {
      ...store,
      async transaction(work) {
        const result = await store.transaction(work)
        commits += 1
        if (commits > 1) return result
        upMs += ms
        await others()
        return result
      },
    }
    const { driver, calls } = processOf('one', () => Promise.resolve(deciding('approve')), { on: sleepy })
    return { row: await driver.authorize(held, true), calls: calls.count }
  }

  const takenOver = async () => {
    const row = await store.withdrawals.find('w1')
    if (row === null) throw new Error('it is gone')
    await processOf('two', () => Promise.reject(new Error('not asked'))).driver.resume(row)
  }
  const foundAbsent = async () => {
    await takenOver()
    await store.unitOfWork({ users: ['user_1'], withdrawals: ['w1'] }, (unit) =>
      settleWithdrawal(unit, unit.withdrawal('w1') ?? held, { evidence: { kind: 'absent' }, source: 'reconciliation' }),
    )
  }

  test('for 10 s, makes the call', async () => {
    expect(await approveAndSleep(10_000)).toMatchObject({ row: { status: 'processing', step: 'ended' }, calls: 1 })
  })

  test('for longer, makes no call and releases the hold', async () => {
    const { row, calls } = await approveAndSleep(10_001)
    expect(calls).toBe(0)
    expect(row).toMatchObject({
      status: 'failed',
      step: 'ended',
      failure: 'unreachable',
      failure_reason: 'gateway_unreachable',
    })
    expect(await store.withdrawals.find('w1')).toEqual(row)
    expect(await available()).toBe('5')
  })

  test('and is taken over meanwhile, makes no call and keeps the other’s result', async () => {
    expect(await approveAndSleep(60_000, takenOver)).toMatchObject({ row: { status: 'unknown' }, calls: 0 })
    expect([(await store.withdrawals.find('w1'))?.status, await available()]).toEqual(['unknown', '0'])
  })

  test('until absence is proved, makes no call, and the hold is released once', async () => {
    const slept = await approveAndSleep(60_000, foundAbsent)
    expect(slept).toMatchObject({ row: { status: 'failed', failure: 'absent' }, calls: 0 })
    expect(await available()).toBe('5')
  })
})

describe('a reply that comes after another instance has settled the withdrawal', () => {
  const called = sampleWithdrawal({ ...asking, step: 'calling', status: 'processing', called_ms: 1 })
  const reply = (status: string) => () => processOf('one', () => Promise.reject(new Error('not asked')), { status })
  const cut = () =>
    processOf('one', () => Promise.reject(new Error('not asked')), {
      withdraw: () => Promise.reject(new OutcomeUnknownError('cut', { operation: 'withdraw' })),
    })
  const settled = { ...called, step: 'ended', driver: null, call_ended_ms: 500, absent_scans: 1 } as const
  const absent = sampleWithdrawal({
    ...settled,
    status: 'failed',
    failure: 'absent',
    failure_reason: 'not_sent',
    absent_scans: 2,
  })
  const paid = sampleWithdrawal({ ...settled, status: 'succeeded', transaction_uuid: 'p' })

  test.each([
    ['accepted: a withdrawal taken for unsent was sent', reply('Processing'), absent, { status: 'processing' }],
    ['no reply: a withdrawal taken for unsent stays unsent', cut, absent, { status: 'failed', failure: 'absent' }],
    ['refused: a withdrawal that the list shows as paid stays paid', reply('Failed'), paid, { status: 'succeeded' }],
    ['no reply: a withdrawal that the list shows as paid stays paid', cut, paid, { status: 'succeeded' }],
    [
      'no reply: the absence of an uncertain withdrawal is counted from now on',
      cut,
      sampleWithdrawal({ ...settled, status: 'unknown' }),
      { status: 'unknown', absent_scans: 0, call_ended_ms: 1000 },
    ],
  ])('%s', async (_name, process, row, expected) => {
    await seed(store, { withdrawals: [row] })
    await process().driver.call(called, 0)
    expect(await store.withdrawals.find('w1')).toMatchObject({ ...expected, step: 'ended' })
  })

  const lost = [
    ['asked about', asking],
    ['postponed', sampleWithdrawal({ ...asking, step: 'pending' })],
    ['declined', sampleWithdrawal({ ...asking, step: 'ended', status: 'failed', failure: 'declined' })],
  ] as const
  test.each(lost)(
    'the store has lost the approval, and it is %s: a reply and the time of the call count',
    async (_name, row) => {
      await seed(store, { withdrawals: [row] })
      await reply('Processing')().driver.call(called, 0)
      expect(await store.withdrawals.find('w1')).toMatchObject({ status: 'processing', step: 'ended', called_ms: 1 })
    },
  )
  test.each(lost.slice(0, 2))(
    'the store has lost the approval, and it is %s: without a reply it is checked',
    async (_name, row) => {
      await seed(store, { withdrawals: [row] })
      await cut().driver.call(called, 0)
      expect(await store.withdrawals.find('w1')).toMatchObject({ status: 'unknown', step: 'ended', called_ms: 1 })
    },
  )

  test('no reply and no gateway clock: the next check times the end of the call', async () => {
    await seed(store, { withdrawals: [sampleWithdrawal({ ...settled, status: 'unknown', checked_ms: 900 })] })
    await cut().driver.call(called, 0)
    expect(await store.withdrawals.find('w1')).toMatchObject({ clock_offset_ms: null, checked_ms: null })
  })
})

test('a reply whose commit is not confirmed is stored again, and reported once', async () => {
  const called = sampleWithdrawal({ ...asking, step: 'calling', status: 'processing', called_ms: 1 })
  await seed(store, { withdrawals: [called] })
  let commits = 0
  const unconfirmed: Store = {
    ...store,
    async unitOfWork(keys, fold) {
      const result = await store.unitOfWork(keys, fold)
      commits += 1
      if (commits === 1) throw new Error('the connection was lost')
      return result
    },
  }
  const { driver, calls } = processOf('one', () => Promise.reject(new Error('not asked')), { on: unconfirmed })
  expect(await driver.call(called, 0)).toMatchObject({ status: 'processing', step: 'ended' })
  expect([calls.count, commits]).toEqual([1, 2])
  expect(await store.events.feedAfter(0, 9)).toHaveLength(1)
})

test.each(['authorizing', 'pending'] as const)(
  'a withdrawal that was %s at the backup, and was sent later, is not sent again after the restore',
  async (step) => {
    const backedUp = sampleWithdrawal({ ...asking, step, driver: step === 'pending' ? null : 'dead' })
    await seed(store, { withdrawals: [backedUp] })
    expect(await store.withdrawals.doubtUnsent()).toBe(1)
    const { driver, calls } = processOf('one', () => Promise.resolve(deciding('approve')))
    const rows = await store.withdrawals.inFlight(9)
    for (const row of rows) await driver.resume(row)
    expect(await driver.approve(backedUp, null)).toBeNull()
    expect([rows.length, calls.count]).toEqual([1, 0])
    expect(await store.withdrawals.find('w1')).toMatchObject({ status: 'unknown', step: 'ended', called_ms: 0 })
    expect(await store.withdrawals.doubtUnsent()).toBe(0)
    // Its payout is found by the details of the request.
    await applyOneFact(
      store,
      sampleFact({
        kind: 'payout',
        transaction_uuid: 'p',
        status: 'succeeded',
        user_reference_id: 'user_1',
        currency_id: 'c',
        amount: decimal('5'),
        to_address: 'a',
        source: 'reconciliation',
      }),
      { insertedMs: 500 },
    )
    expect(await store.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p' })
  },
)

test('after a restore, the refused approval of a postponed withdrawal asks a person about a payout that the list has not confirmed', async () => {
  const pending = sampleWithdrawal({ ...asking, step: 'pending', driver: null })
  const amount = decimal('7')
  const unknown = { ...asking, id: 'w2', idempotency_key: 'w2', amount, status: 'unknown', step: 'ended' } as const
  await seed(store, { withdrawals: [pending, sampleWithdrawal({ ...unknown, called_ms: 1, call_ended_ms: 1 })] })
  const paid = { kind: 'payout', transaction_uuid: 'p', status: 'succeeded', unconfirmed: true } as const
  const own = { user_reference_id: 'user_1', currency_id: 'c', amount, to_address: 'a' } as const
  await applyOneFact(store, sampleFact({ ...paid, ...own }))
  expect(await store.payouts.openOf(['user_1'])).toMatchObject([{ awaits_list: 1 }])
  await store.transaction((tx) => tx.reconciliation.noteRestored())
  await store.users.totalsChecked('user_1')
  const { driver, calls } = processOf('one', () => Promise.reject(new Error('not asked')))
  await expect(driver.approve(pending, null)).rejects.toMatchObject({ code: 'outcome_unknown' })
  expect([await store.withdrawals.find('w1'), calls.count]).toMatchObject([{ step: 'pending' }, 0])
  expect(await store.payouts.openOf(['user_1'])).toMatchObject([{ awaits_list: 0 }])
  const reports = { reason: 'unmatched_payout', settled: false, after: 0, limit: 9 } as const
  expect(await store.quarantine.list(reports)).toMatchObject([{ transaction_uuid: 'p' }])
})

test('what a refusal of the gateway says is passed on, and nobody waits for it', async () => {
  const called = sampleWithdrawal({ ...asking, step: 'calling', status: 'processing', called_ms: 1 })
  await seed(store, { withdrawals: [called] })
  const refusal = new ValidationError('no', { amount: ['must be at least 10'] }, { operation: 'withdraw' })
  const passedOn: unknown[] = []
  const driver = createWithdrawalSteps({
    store,
    gateway: {
      clockOffsetMs: () => null,
      statuses: STATUSES,
      withdraw: () => Promise.reject(refusal),
    } as unknown as Gateway,
    instance: 'one',
    askMerchant: null,
    uptimeMs,
    onFault: () => undefined,
    onRefused: ({ id }, error) => passedOn.push([id, error]),
  })
  expect(await driver.call(called, 0)).toMatchObject({ status: 'failed', failure_reason: 'refused_amount' })
  expect(passedOn).toEqual([['w1', refusal]])
})
