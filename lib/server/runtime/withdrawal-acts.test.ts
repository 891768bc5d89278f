/**
 * Who may do what to a withdrawal, in each state: the merchant or a person approves or declines, the user cancels, the
 * wait ends. Each pair, and each two at once, on both databases.
 */
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { isProblem } from '#lib/contract/problems.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import type { Gateway } from '../gateway/types.ts'
import type { WithdrawalColumns } from '../ledger/rows.ts'
import { createDecideWithdrawal } from '../merchant/decide-withdrawal.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Store } from '../store/store.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { CashierSession } from '../store/types.ts'
import { createCancelWithdrawal } from '../cashier/cancel-withdrawal.ts'
import { createWithdrawalSteps } from '../cashier/withdrawal-steps.ts'

const NOW = 1_000_000
const OWNER = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('5') }
const SESSION = { user_reference_id: 'u' } as CashierSession

const HELD = { funds: 'held', postings: 1 } as const
const PENDING = { status: 'pending_authorization', step: 'pending', ...HELD } as const
const REVIEW = { ...PENDING, review: '["review_above","wait_for_new_address"]' } as const
const ONLY_WAIT = { ...PENDING, review: '["wait_for_new_address"]', early_decision: 'approve' } as const
const RUNNING = { wait_until_ms: NOW + 1 } as const
const OVER = { wait_until_ms: NOW } as const
const ENDED = { step: 'ended', called_ms: NOW - 9 } as const

const STATES = {
  'the merchant is being asked': { ...PENDING, step: 'authorizing', funds: 'none', postings: 0 },
  'the merchant has postponed it': { ...PENDING, funds: 'none', postings: 0 },
  'a person must decide': REVIEW,
  'a person must decide, and it waits': { ...REVIEW, ...RUNNING },
  'a person must decide, and the wait is over': { ...REVIEW, ...OVER },
  'it is approved, and waits': { ...REVIEW, ...RUNNING, early_decision: 'approve' },
  'it is approved, and the wait is over': { ...REVIEW, ...OVER, early_decision: 'approve' },
  'it only waits': { ...ONLY_WAIT, ...RUNNING },
  'it only waited': { ...ONLY_WAIT, ...OVER },
  'it is being sent': { ...HELD, status: 'processing', step: 'calling', called_ms: NOW - 9 },
  'it was sent': { ...HELD, ...ENDED, status: 'processing' },
  'the gateway asks for approval': { ...HELD, ...ENDED, status: 'awaiting_approval' },
  'its outcome is unknown': { ...HELD, ...ENDED, status: 'unknown' },
  'it succeeded': { ...ENDED, status: 'succeeded', funds: 'paid', postings: 2 },
  'it failed': { ...ENDED, status: 'failed', failure: 'refused', funds: 'released', postings: 2 },
  'it was declined': { status: 'failed', step: 'ended', failure: 'declined', funds: 'released', postings: 2 },
  'it was cancelled': {
    ...{ status: 'failed', step: 'ended', failure: 'cancelled', funds: 'released', postings: 2, called_ms: null },
  },
} as const satisfies Record<string, Partial<WithdrawalColumns>>
type StateName = keyof typeof STATES

const ACTS = ['approve', 'decline', 'cancel', 'end of the wait'] as const
type Act = (typeof ACTS)[number]

const REFUSED = ['409', '409', '409', '-'] as const
/** After each act: sent, declined, cancelled, kept (it goes on waiting), 409, or `-`: nothing happens. */
const TABLE: Readonly<Record<StateName, readonly [string, string, string, string]>> = {
  'the merchant is being asked': ['kept', 'kept', '409', '-'],
  'the merchant has postponed it': ['sent', 'declined', 'cancelled', '-'],
  'a person must decide': ['sent', 'declined', 'cancelled', '-'],
  'a person must decide, and it waits': ['kept', 'declined', 'cancelled', '-'],
  'a person must decide, and the wait is over': ['sent', 'declined', 'cancelled', '-'],
  'it is approved, and waits': ['kept', 'declined', 'cancelled', '-'],
  'it is approved, and the wait is over': ['sent', 'declined', 'cancelled', 'sent'],
  'it only waits': ['kept', 'declined', 'cancelled', '-'],
  'it only waited': ['sent', 'declined', 'cancelled', 'sent'],
  'it is being sent': REFUSED,
  'it was sent': REFUSED,
  'the gateway asks for approval': REFUSED,
  'its outcome is unknown': REFUSED,
  'it succeeded': REFUSED,
  'it failed': REFUSED,
  'it was declined': REFUSED,
  'it was cancelled': REFUSED,
}

const PAIRS = Object.entries(TABLE).flatMap(([state, results]) =>
  ACTS.map((act, at) => ({ state: state as StateName, act, result: results[at] ?? '' })),
)

/** An instance of the cashier. It counts its calls of the gateway. */
function instanceOn(store: Store, name: string) {
  const calls = { count: 0 }
  const gateway = {
    clockOffsetMs: () => 0,
    statuses: STATUSES,
    withdraw: () => {
      calls.count += 1
      return Promise.resolve({
        ...{
          amount: '5',
          currency: 'USDT',
          requires_approval: false,
          status: 'Processing',
          wallet_address: 'TAddress',
        },
        transaction_uuid: null,
      })
    },
  } as unknown as Gateway
  const onFault = (error: unknown): void => {
    throw error
  }
  const driver = createWithdrawalSteps({
    store,
    gateway,
    instance: name,
    askMerchant: null,
    uptimeMs: () => 0,
    onFault,
  })
  const decide = createDecideWithdrawal(store, driver)
  const sleep = () => Promise.resolve()
  const cancel = createCancelWithdrawal({ store, driver, enabled: true, waitMs: 300, sleep })
  const acts: Readonly<Record<Act, () => Promise<unknown>>> = {
    approve: () => decide('w1', { decision: 'approve' }),
    decline: () => decide('w1', { decision: 'decline' }),
    cancel: () => cancel(SESSION, 'w1'),
    'end of the wait': async () => {
      const due = await store.withdrawals.waitedLongEnough(9)
      for (const row of due) await driver.resume(row)
      return due.length === 0 ? '-' : null
    },
  }
  /** What the caller hears. */
  const act = async (name: Act): Promise<string> => {
    try {
      return (await acts[name]()) === '-' ? '-' : 'done'
    } catch (error) {
      if (!isProblem(error) || error.code !== 'conflict') throw error
      expect(error.extras.withdrawal_status).toEqual(expect.any(String))
      return '409'
    }
  }
  return { act, calls }
}

describe.each(FLAVOURS)('on %s', (flavour) => {
  const stores = useStores(flavour, { clock: () => NOW, databaseClock: () => NOW })

  const given = async (state: StateName): Promise<void> => {
    const row = sampleWithdrawal({ ...OWNER, network: 'Tron', created_ms: 1, updated_ms: 1, ...STATES[state] })
    await stores.one.users.ensure('u', 1)
    await seed(stores.one, {
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...OWNER },
        ...(row.funds === 'none' ? [] : [{ booking: 'hold', posting_key: 'hold:w1', ...OWNER } as const]),
        ...(row.funds === 'released' ? [{ booking: 'release', posting_key: 'release:w1', ...OWNER } as const] : []),
        ...(row.funds === 'paid' ? [{ booking: 'payout', posting_key: 'payout:w1', ...OWNER } as const] : []),
      ],
      withdrawals: [row],
    })
  }

  /** What has become of the withdrawal; the books fit it. */
  const became = async (calls: number): Promise<string> => {
    expect((await stores.one.snapshot(checkLedger)).faults).toEqual([])
    const row = await stores.one.withdrawals.find('w1')
    const { held } = await stores.one.ledger.balance('u', 'c1')
    expect(held).toBe(row?.funds === 'held' ? '5' : '0')
    if (calls > 0) return row?.status === 'processing' && calls === 1 ? 'sent' : `${row?.status ?? ''} ${String(calls)}`
    if (row?.status === 'failed') return row.failure
    return row?.early_decision === null ? row.step : 'kept'
  }

  test.each(PAIRS)('$state, $act: $result', async ({ state, act, result }) => {
    await given(state)
    const before = await stores.one.withdrawals.find('w1')
    const { act: doIt, calls } = instanceOn(stores.one, 'one')
    const said = await doIt(act)
    const isNothing = result === '409' || result === '-'
    expect(said).toBe(isNothing ? result : 'done')
    if (isNothing) {
      expect(await stores.one.withdrawals.find('w1')).toEqual(before)
      expect(calls.count).toBe(0)
    } else expect(await became(calls.count)).toBe(result)
  })

  const ENDS: Readonly<Record<Act, string>> = {
    approve: 'sent',
    'end of the wait': 'sent',
    decline: 'declined',
    cancel: 'cancelled',
  }
  const AT_ONCE = ACTS.flatMap((one) => ACTS.map((other) => [one, other] as const))

  test.each(AT_ONCE)('%s and %s at once: one of them counts', async (one, other) => {
    await given('it is approved, and the wait is over')
    const instances = [
      instanceOn(stores.one, 'one'),
      instanceOn(flavour === 'postgres' ? await stores.another() : stores.one, 'two'),
    ]
    const said = await Promise.all([instances[0]?.act(one), instances[1]?.act(other)])
    const calls = instances.reduce((sum, { calls }) => sum + calls.count, 0)
    const end = await became(calls)
    expect([ENDS[one], ENDS[other]]).toContain(end)
    const won = said.filter((what, at) => what === 'done' && ENDS[at === 0 ? one : other] === end)
    expect(won.length).toBeGreaterThan(0)
    // Two instances may find that the wait is over; one of them sends.
    if (one !== 'end of the wait' && other !== 'end of the wait') expect(said.sort()).toEqual(['409', 'done'])
  })

  test.each(['approve', 'end of the wait'] as const)(
    'while it waits, %s and a cancellation at once: nothing is sent',
    async (act) => {
      await given('a person must decide, and it waits')
      const { act: doIt, calls } = instanceOn(stores.one, 'one')
      const [, cancelled] = await Promise.all([doIt(act), doIt('cancel')])
      expect(cancelled).toBe('done')
      expect(await became(calls.count)).toBe('cancelled')
    },
  )
})
