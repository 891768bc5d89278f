import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decimal, ZERO } from '#lib/contract/money.ts'
import { asBrokenInvariant } from '../store/database/broken-constraint.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { sampleFact, sampleTransaction, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { entriesOf, postingOf, type BalanceRow, type Booking } from './accounts.ts'
import { applyFact } from './apply-fact.ts'
import { assertInvariant, BrokenInvariant, INVARIANTS, type Invariant } from './invariant.ts'
import { checkPosting, post } from './post-entries.ts'
import type { PayoutOwner, WithdrawalRow } from './rows.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { UnitOfWork } from './unit-of-work.ts'
import { moveFunds } from './withdrawal-funds.ts'

const OWNER = { user_reference_id: 'u', currency_id: 'c1' }
const balance = (available: string, held: string, more: Partial<BalanceRow> = {}): BalanceRow => ({
  ...{ ...OWNER, available: decimal(available), held: decimal(held), overdraft: null },
  ...more,
})

/** A unit that has loaded this balance and this withdrawal. */
function unitWith(own: BalanceRow, withdrawal: Partial<WithdrawalRow> = {}): UnitOfWork {
  const unit = new UnitOfWork(5000)
  unit.load({ balances: [own], withdrawals: [sampleWithdrawal(withdrawal)] })
  return unit
}
const booked = (booking: Booking, amount: string) => ({
  ...{ ...OWNER, booking, posting_key: `${booking}:1`, amount: decimal(amount) },
})

/** Asserts that the work throws this invariant about this row, and leaves no posting and no changed row behind. */
function breaks(invariant: Invariant, about: string, unit: UnitOfWork, work: () => unknown): void {
  expect(work).toThrow(expect.objectContaining({ name: 'BrokenInvariant', invariant, about }) as Error)
  const { postings, balances, changedWithdrawals } = unit.changes()
  expect({ postings, balances, changedWithdrawals }).toEqual({ postings: [], balances: [], changedWithdrawals: [] })
}

test('the error says which invariant is broken, where, and in words', () => {
  expect(() => assertInvariant(false, 'held_not_negative', 'payout:w1')).toThrow(
    'broken invariant held_not_negative at payout:w1: the held balance is never below zero',
  )
  expect(() => assertInvariant(true, 'held_not_negative', 'payout:w1')).not.toThrow()
})

test('a fact is not added twice', () => {
  const unit = new UnitOfWork(5000)
  unit.load({ facts: [{ fact: sampleFact(), recorded_ms: 1 }] })
  breaks('fact_once', 'deposit t1 processing webhook', unit, () => unit.addFact(sampleFact({ amount: decimal('9') })))
})

describe('rows that were not loaded are neither used nor changed', () => {
  const unit = new UnitOfWork(5000)

  test('the facts of a transaction', () =>
    breaks('transaction_loaded', 'deposit t1', unit, () =>
      applyFact(unit, sampleFact(), { ledgerMode: 'embedded', ledgerStartMs: 0, evidence: '{}' }),
    ))

  test('a balance', () => breaks('balance_loaded', 'u c1', unit, () => post(unit, booked('credit', '1'))))

  test('a withdrawal', () =>
    breaks('withdrawal_loaded', 'w1', unit, () =>
      settleWithdrawal(unit, sampleWithdrawal(), { evidence: { kind: 'uncertain' }, source: 'cashier' }),
    ))
})

describe('a posting', () => {
  test.each<[Booking, string, string, string, Invariant]>([
    ['credit', '-1', '5', '0', 'amount_positive'],
    ['credit', '0', '5', '0', 'amount_positive'],
    ['release', '3', '0', '2.999', 'held_not_negative'],
    ['payout', '3', '9', '0', 'held_not_negative'],
    ['hold', '3', '2.999', '0', 'overdraft_has_reason'],
    ['adjustment', '-3', '2.999', '0', 'overdraft_has_reason'],
  ])('%s of %s with %s available and %s held', (booking, amount, available, held, invariant) => {
    const unit = unitWith(balance(available, held))
    breaks(invariant, `${booking}:1`, unit, () => post(unit, booked(booking, amount)))
  })

  test('may leave exactly zero, and less only for a reason that the rules allow', () => {
    const unit = unitWith(balance('3', '0'))
    expect(post(unit, booked('hold', '3'))).toMatchObject({ available: '0', held: '3' })
    expect(post(unit, booked('late_payout', '1'), 'late_payout')).toMatchObject({ available: '-1', held: '3' })
    expect(unit.changes().postings).toHaveLength(2)
  })

  test('is compared with the change of the balance', () => {
    const unit = unitWith(balance('5', '0'))
    const [posting] = [
      { ...booked('credit', '1'), kind: 'credit', from_account: 'gateway', to_account: 'available' },
    ] as const
    expect(entriesOf(posting)).toHaveLength(2)
    checkPosting(posting, balance('5', '0'), balance('6', '0'))
    for (const after of [balance('5', '0'), balance('7', '0'), balance('6', '1')])
      breaks('sums_to_zero', 'credit:1', unit, () => checkPosting(posting, balance('5', '0'), after))
    const within = { ...posting, kind: 'hold', from_account: 'available', to_account: 'held' } as const
    checkPosting(within, balance('5', '0'), balance('4', '1'))
    breaks('sums_to_zero', 'credit:1', unit, () => checkPosting(within, balance('5', '0'), balance('5', '1')))
  })
})

describe('a withdrawal', () => {
  test.each<[string, Partial<WithdrawalRow>, Partial<WithdrawalRow>, Invariant]>([
    ['that has ended is not called again', { step: 'ended' }, { step: 'calling' }, 'step_may_follow'],
    [
      'that is called does not wait for the merchant any more',
      { step: 'calling' },
      { step: 'pending' },
      'step_may_follow',
    ],
    ['is called once', { step: 'calling', called_ms: 1000 }, { called_ms: 2000 }, 'called_once'],
    ['that succeeded does not fail', { status: 'succeeded' }, { status: 'failed' }, 'success_is_final'],
  ])('%s', (_, before, after, invariant) => {
    const unit = unitWith(balance('0', '0'), before)
    breaks(invariant, 'w1', unit, () => unit.putWithdrawal(sampleWithdrawal({ ...before, ...after })))
  })

  test.each<[WithdrawalRow['funds'], WithdrawalRow['status']]>([
    ['paid', 'failed'],
    ['paid', 'processing'],
  ])('whose funds are %s does not become %s', (funds, status) => {
    const unit = unitWith(balance('9', '9'))
    breaks('funds_may_follow', 'w1', unit, () => moveFunds(unit, sampleWithdrawal({ funds }), status))
  })

  test('takes every step that may follow, and its funds stay where they belong', () => {
    const unit = unitWith(balance('0', '0'), { step: 'authorizing', funds: 'none' })
    for (const step of ['authorizing', 'pending', 'calling', 'calling', 'ended', 'ended'] as const)
      unit.putWithdrawal(sampleWithdrawal({ step, funds: 'none' }))
    expect(unit.withdrawal('w1')?.step).toBe('ended')
    for (const status of ['processing', 'failed', 'succeeded'] as const)
      expect(moveFunds(unit, sampleWithdrawal({ funds: 'none' }), status).funds).toBe('none')
  })
})

test("a transaction's status does not fall to a lower rank", () => {
  const unit = unitWith(balance('0', '0'))
  // The row has a higher status than its facts: somebody has deleted one.
  unit.load({ keys: [sampleTransaction()], transactions: [sampleTransaction({ status: 'succeeded' })] })
  breaks('rank_never_falls', 't1', unit, () =>
    applyFact(unit, sampleFact({ status: 'processing' }), { ledgerMode: 'embedded', ledgerStartMs: 0, evidence: '{}' }),
  )
})

test('a transaction that has a user keeps it', () => {
  const unit = unitWith(balance('0', '0'))
  unit.load({ transactions: [sampleTransaction()] })
  unit.putTransaction(sampleTransaction({ user_reference_id: 'v' }))
  const broken: Invariant = 'one_user'
  expect(() => unit.changes()).toThrow(
    expect.objectContaining({ name: 'BrokenInvariant', invariant: broken, about: 't1' }) as Error,
  )
})

test('every invariant is tested in this file', () => {
  const source = readFileSync(import.meta.filename, 'utf8')
  for (const invariant of Object.keys(INVARIANTS)) expect(source).toContain(`'${invariant}'`)
})

describe.each(FLAVOURS)('on %s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })

  test('a unit of work that breaks an invariant is rolled back as a whole', async () => {
    const store = stores.one
    await store.users.ensure('u', 0)
    const work = store.unitOfWork({ users: ['u'], balances: [['u', 'c1']] }, (unit) => {
      post(unit, booked('adjustment', '5'))
      post(unit, booked('release', '1'))
    })
    await expect(work).rejects.toThrow(BrokenInvariant)
    expect(await store.ledger.balance('u', 'c1')).toMatchObject({ available: ZERO, held: ZERO })
    expect(await store.ledger.findPosting('u', 'adjustment:1')).toBeNull()
  })

  /** Writes rows past the rules of the ledger's code. */
  const written = (work: (unit: UnitOfWork) => void): Promise<void> =>
    stores.one.unitOfWork({ users: [], balances: [['u', 'c1']], withdrawals: ['w1'] }, work)
  const posting = postingOf(booked('credit', '5'))
  /** A payout, in a transaction of its own. */
  const payoutOf = (owner: PayoutOwner, withdrawal_id: string | null) => (): Promise<unknown> =>
    stores.one.database.lanes.calls
      .transaction()
      .execute((tx) =>
        tx
          .insertInto('payouts')
          .values({
            ...{ transaction_uuid: 'p', ...OWNER, currency_code: 'USDT', network: 'Tron', amount: null },
            ...{
              to_address: null,
              inexact: 0,
              status: 'succeeded',
              inserted_ms: null,
              inserted_at: null,
              first_seen_ms: 1,
            },
            ...{ updated_ms: 1, owner, withdrawal_id, note: null, awaits_list: 0, unbooked: 0 },
          })
          .execute(),
      )
      .catch((error: unknown) => {
        throw asBrokenInvariant(error)
      })

  test.each<[Invariant, string, () => Promise<unknown>]>([
    ['held_not_negative', 'balances', () => written((unit) => unit.post(posting, balance('0', '-0.1')))],
    ['overdraft_has_reason', 'balances', () => written((unit) => unit.post(posting, balance('-0.1', '0')))],
    [
      'amount_positive',
      'postings',
      () => written((unit) => unit.post({ ...posting, amount: decimal('-5') }, balance('0', '0'))),
    ],
    [
      'amount_positive',
      'postings',
      () => written((unit) => unit.post({ ...posting, amount: decimal('0') }, balance('0', '0'))),
    ],
    [
      'one_withdrawal',
      'withdrawals',
      () =>
        written((unit) => {
          for (const id of ['w1', 'w2'])
            unit.insertWithdrawal(sampleWithdrawal({ id, idempotency_key: id, transaction_uuid: 'p' }))
        }),
    ],
    [
      'fits_its_step',
      'withdrawals',
      () => written((unit) => unit.insertWithdrawal({ ...sampleWithdrawal(), called_ms: null } as WithdrawalRow)),
    ],
    ['owner_named', 'payouts', payoutOf(null, 'w1')],
    ['owner_named', 'payouts', payoutOf('acknowledged', 'w1')],
    ['owner_named', 'payouts', payoutOf('withdrawal', null)],
    ['owner_exists', 'payouts', payoutOf('withdrawal', 'w1')],
  ])('the database refuses too what breaks %s', async (invariant, about, work) => {
    await stores.one.users.ensure('u', 0)
    await expect(work()).rejects.toMatchObject({
      name: 'BrokenInvariant',
      invariant,
      about,
      cause: expect.any(Error) as Error,
    })
    expect(await stores.one.ledger.findPosting('u', 'credit:1')).toBeNull()
    expect(await stores.one.withdrawals.find('w1')).toBeNull()
    // The store goes on, and refuses nothing else.
    await payoutOf('acknowledged', null)()
    await written((unit) => unit.post(posting, balance('-0.1', '0', { overdraft: 'late_payout' })))
  })
})
