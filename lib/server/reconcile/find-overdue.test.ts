/** What has waited for the gateway too long, on both databases. */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { showPayouts } from '../ledger/apply-records.ts'
import { possibleFacts, type Fact, type ListedRecord } from '../ledger/facts.ts'
import { attentionOf } from '../ledger/payouts/attention.ts'
import { setOwner } from '../ledger/payouts/payout-owners.ts'
import type { OnrampRow, TransactionRow, WithdrawalRow } from '../ledger/rows.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { Store } from '../store/store.ts'
import {
  sampleCurrency,
  sampleFact,
  sampleOnramp,
  sampleTransaction,
  sampleWithdrawal,
} from '../store/testing/sample-rows.ts'
import { applyOneFact, changeWithdrawal, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createFindOverdue } from './find-overdue.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 10, 1)
const LIST_RULES = { ledgerMode: 'embedded', ledgerStartMs: 0 } as const
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const OTHERS = { transaction_uuid: 'ab', status: 'succeeded', amount: decimal('7') } as const

describe.each(FLAVOURS)('overdue on %s', (flavour) => {
  let now = START
  /** How far the clock of the instance is ahead of the database's. */
  let aheadMs = 0
  const stores = useStores(flavour, { clock: () => now + aheadMs, databaseClock: () => now })

  beforeEach(async () => {
    now = START
    aheadMs = 0
    for (const user of ['u', 'v']) await stores.one.users.ensure(user, now)
  })

  const faults: unknown[] = []
  const onFault = (error: unknown): void => {
    faults.push(error)
  }

  /** A round of a job that has just started. */
  const find = (store: Store = stores.one) =>
    createFindOverdue({ store, clock: () => now + aheadMs, overdueMs: DAY, onFault })(() => true)

  const later = async (ms: number, store?: Store): Promise<void> => {
    now += ms
    await find(store)
  }

  const lines = async () => {
    const all = await stores.one.quarantine.list({ reason: 'overdue', settled: false, after: 0, limit: 999 })
    return all.map(({ event, ...line }) => ({ ...line, event: JSON.parse(event) as Record<string, unknown> }))
  }
  const named = async () => (await lines()).map(({ transaction_uuid }) => transaction_uuid)

  const dismissAll = async () => {
    for (const { id } of await lines()) await stores.one.quarantine.settle(id, { by: 'merchant', now })
  }

  const settledBy = async () =>
    (await stores.one.quarantine.list({ reason: 'overdue', settled: true, after: 0, limit: 99 })).map(
      ({ settled_by }) => settled_by,
    )

  /** A withdrawal with its hold, whose call has ended now. */
  const withdraw = (more: Partial<WithdrawalRow> = {}) => {
    const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('10') }
    return seed(stores.one, {
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: 'hold:w1', ...owner },
      ],
      withdrawals: [
        sampleWithdrawal({
          amount: owner.amount,
          wallet_address: ADDRESS,
          created_ms: now - 2000,
          called_ms: now - 1000,
          call_ended_ms: now,
          ...more,
        }),
      ],
    })
  }

  const attention = async () => {
    const row = await stores.one.withdrawals.find('w1')
    return row && attentionOf(row, await stores.one.payouts.openOf(['u']), now)
  }

  const listed = (uuid: string, more: Partial<Fact> = {}): ListedRecord => ({
    transaction_uuid: uuid,
    user_reference_id: 'u',
    type: 'Deposit',
    status: 'TXN_NEW',
    inserted_at: new Date(START).toISOString(),
    cursor: uuid,
    record: JSON.stringify({ uuid, ...more }),
    currency: sampleCurrency,
    fact: sampleFact({ transaction_uuid: uuid, source: 'reconciliation', amount: decimal('10'), ...more }),
  })
  const list = (uuid: string, more: Partial<Fact> = {}) =>
    stores.one.applyRecords('u', [listed(uuid, more)], LIST_RULES)

  const purchase = (more: Partial<Fact> = {}): Fact =>
    sampleFact({
      kind: 'onramp',
      transaction_uuid: 'o',
      user_reference_id: null,
      session_reference: 'o1',
      amount: null,
      ...more,
    })

  const available = async () => (await stores.one.ledger.balance('u', 'c1')).available

  const creditByHand = (amount = '7') =>
    seed(stores.one, {
      bookings: [
        {
          ...{ booking: 'adjustment', posting_key: 'adjustment:lost', user_reference_id: 'u', currency_id: 'c1' },
          amount: decimal(amount),
        },
      ],
    })

  test('a payout that only the list across all users shows is reported after a day, once', async () => {
    const shown = listed('p', { kind: 'payout', status: 'succeeded', to_address: ADDRESS })
    const show = (): Promise<void> =>
      stores.one.unitOfWork({ users: ['u'], transactions: possibleFacts(shown) }, (unit) => {
        showPayouts(unit, [shown], { ledgerStartMs: 0 })
      })
    const unmatched = async () =>
      (await stores.one.quarantine.list({ reason: 'unmatched_payout', settled: false, after: 0, limit: 9 })).map(
        (line) => [line.user_reference_id, line.transaction_uuid, line.id],
      )
    await show()
    await later(DAY - 1)
    expect(await unmatched()).toEqual([])
    await later(1)
    const told = await unmatched()
    expect(told).toEqual([['u', 'p', expect.any(Number)]])
    await show()
    await later(DAY)
    expect(await unmatched()).toEqual(told)
    expect(await named()).toEqual([])
    // A person has called it none of ours.
    await stores.one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
      for (const payout of unit.openPayouts('u')) setOwner(unit, payout, 'acknowledged', { note: 'nobody’s' })
    })
    await show()
    await later(DAY)
    expect(await unmatched()).toEqual([])
  })

  test.each([
    ['since it was requested', { wait_until_ms: null }, 0],
    ['since the end of its wait', { wait_until_ms: START + 5000 }, 5000],
  ])('a review that nobody decides is reported once, %s', async (_name, wait, afterMs) => {
    const pending = { status: 'pending_authorization', step: 'pending', called_ms: null, call_ended_ms: null } as const
    await withdraw({ ...pending, ...wait, review: '["review_above"]', created_ms: START })
    await later(DAY + afterMs - 1)
    expect(await named()).toEqual([])
    await later(1)
    await later(DAY)
    expect(await lines()).toMatchObject([
      {
        ...{ reason: 'overdue', user_reference_id: 'u', transaction_uuid: 'w1' },
        event: { kind: 'payout', withdrawal_id: 'w1', status: 'pending_authorization' },
      },
    ])
    expect(await attention()).toBe('overdue')
    await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
      const row = unit.withdrawal('w1')
      if (row === null) throw new Error('it is gone')
      const also = { step: 'ended', early_decision: null } as const
      settleWithdrawal(unit, row, { evidence: { kind: 'cancelled' }, source: 'cashier', also })
    })
    expect([await named(), await attention()]).toEqual([[], null])
  })

  test('a withdrawal that the merchant has postponed is never overdue', async () => {
    await withdraw({ status: 'pending_authorization', step: 'pending', called_ms: null })
    await later(99 * DAY)
    expect(await named()).toEqual([])
  })

  test.each([
    ['a year', 365 * DAY, DAY],
    ['an hour', 3_600_000, 3_600_000],
  ])(
    'what was stored while the clock was %s ahead is reported a day later at the latest',
    async (_name, aheadMs, restMs) => {
      const review = { status: 'pending_authorization', step: 'pending', called_ms: null, call_ended_ms: null } as const
      now += aheadMs
      await withdraw()
      await seed(stores.one, {
        withdrawals: [
          sampleWithdrawal({
            ...{ ...review, id: 'w2', idempotency_key: 'k2', review: '["review_above"]', created_ms: now },
            ...{ funds: 'none', postings: 0 },
          }),
        ],
      })
      await applyOneFact(stores.one, sampleFact({ transaction_uuid: 'd', status: 'processing' }))
      now = START
      await later(DAY)
      await later(restMs)
      expect((await named()).toSorted()).toEqual(['d', 'w1', 'w2'])
      await dismissAll()
      await later(400 * DAY)
      expect(await named()).toEqual([])
    },
  )

  test('an accepted withdrawal that is never listed is reported once, to the second and also after a restart', async () => {
    await withdraw()
    await later(DAY - 1)
    expect([await named(), await attention()]).toEqual([[], null])
    await later(1)
    expect(await lines()).toMatchObject([
      {
        reason: 'overdue',
        user_reference_id: 'u',
        transaction_uuid: 'w1',
        event: {
          kind: 'payout',
          withdrawal_id: 'w1',
          transaction_uuid: null,
          status: 'processing',
          since: new Date(START).toISOString(),
        },
      },
    ])
    expect(await attention()).toBe('overdue')
    await later(DAY, await stores.another())
    expect(await named()).toEqual(['w1'])
    await dismissAll()
    await later(DAY)
    expect([await named(), await attention()]).toEqual([[], 'overdue'])
  })

  test.each(['processing', 'awaiting_approval', 'unknown'] as const)(
    '%s: ends by what the list says',
    async (status) => {
      await withdraw({ status })
      await later(DAY)
      expect(await named()).toEqual(['w1'])
      await list('p', { kind: 'payout', status: 'succeeded', to_address: ADDRESS })
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', overdue_ms: null })
      expect([await named(), await settledBy()]).toEqual([[], ['system']])
    },
  )

  test('a payout that stays TXN_NEW is reported once, as its withdrawal, and ends when the list says more', async () => {
    await withdraw({ transaction_uuid: 'p', reply_transaction_uuid: 'p' })
    await list('p', { kind: 'payout', status: 'processing', to_address: ADDRESS })
    for (let days = 0; days < 30; days += 1) await later(DAY)
    expect(await lines()).toMatchObject([
      { transaction_uuid: 'p', event: { withdrawal_id: 'w1', transaction_uuid: 'p', status: 'processing' } },
    ])
    await list('p', { kind: 'payout', status: 'failed', to_address: ADDRESS })
    expect([await named(), await attention(), await available()]).toEqual([[], null, '10'])
  })

  test('a report under the withdrawal’s id ends after the gateway has named the transaction', async () => {
    await withdraw()
    await later(DAY)
    await changeWithdrawal(stores.one, 'w1', { transaction_uuid: 'p' })
    await list('p', { kind: 'payout', status: 'succeeded', to_address: ADDRESS })
    expect(await named()).toEqual([])
  })

  test('a person ends it: the line is settled, and what the gateway says later wins', async () => {
    await withdraw()
    await later(DAY)
    await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
      settleWithdrawal(unit, unit.withdrawal('w1')!, { evidence: { kind: 'not_sent' }, source: 'cashier' })
    })
    expect([await named(), await attention(), await available()]).toEqual([[], null, '10'])
    await later(DAY)
    expect(await named()).toEqual([])
    await list('p', { kind: 'payout', status: 'succeeded', to_address: ADDRESS })
    expect([await available(), await named()]).toEqual(['0', []])
  })

  test('two instances that look at the same time report it once', async () => {
    await withdraw()
    await list('d', { status: 'other' })
    await stores.one.onramps.insert(sampleOnramp())
    await applyOneFact(stores.one, purchase({ status: 'processing' }))
    now += DAY
    await Promise.all([find(), find(await stores.another())])
    expect((await named()).sort()).toEqual(['d', 'o', 'w1'])
  })

  test('what waits for the merchant, or has ended, is not overdue', async () => {
    await withdraw({ status: 'pending_authorization', step: 'pending', called_ms: null, call_ended_ms: null })
    await seed(stores.one, {
      withdrawals: [
        sampleWithdrawal({ id: 'w2', idempotency_key: '2', status: 'failed', called_ms: now, funds: 'none' }),
      ],
    })
    await later(30 * DAY)
    expect(await named()).toEqual([])
  })

  test.each(['other', 'processing'] as const)('a deposit that the list shows as %s', async (status) => {
    await list('d', { status })
    await later(DAY - 1)
    expect(await named()).toEqual([])
    await later(1)
    expect(await lines()).toMatchObject([
      {
        user_reference_id: 'u',
        transaction_uuid: 'd',
        event_name: 'User Deposit',
        event: { kind: 'deposit', withdrawal_id: null, transaction_uuid: 'd', status },
      },
    ])
    await later(DAY)
    expect(await named()).toEqual(['d'])
    await list('d', { status: 'succeeded' })
    expect([await available(), await named(), await settledBy()]).toEqual(['10', [], ['system']])
    expect(await stores.one.transactions.find('deposit', 'd')).toMatchObject({ overdue_ms: null })
  })

  test('a deposit waits since its present status', async () => {
    await list('d', { status: 'other' })
    now += DAY - 1
    await list('d', { status: 'processing' })
    await later(DAY - 1)
    expect(await named()).toEqual([])
    await later(1)
    expect(await named()).toEqual(['d'])
  })

  const listAs = (word: string, status: 'other' | 'processing', more: object = {}) =>
    stores.one.applyRecords(
      'u',
      [{ ...listed('d', { status }), status: word, record: JSON.stringify({ status: word, ...more }) }],
      LIST_RULES,
    )

  test.each([
    ['TXN_NEW', 'processing'],
    ['TXN_SEEN', 'other'],
  ] as const)(
    'a deposit that the list calls by an unknown word after its line as %s was dismissed',
    async (word, status) => {
      await listAs(word, status)
      await later(DAY)
      expect(await named()).toEqual(['d'])
      await dismissAll()
      await later(DAY)
      expect(await named()).toEqual([])
      await listAs('TXN_COMPLETED', 'other')
      await later(DAY - 1)
      expect(await named()).toEqual([])
      await later(1)
      expect(await named()).toEqual(['d'])
      await dismissAll()
      await listAs('TXN_COMPLETED', 'other', { amount_usd: '7' })
      await later(2 * DAY)
      expect(await named()).toEqual([])
    },
  )

  test('a payout of no withdrawal in a word that nobody knows', async () => {
    await list('p', { kind: 'payout', status: 'other', to_address: 'another address' })
    await later(DAY)
    expect(await named()).toEqual(['p'])
  })

  test('a payout that failed by the list, and that only an unconfirmed event shows as paid', async () => {
    await withdraw({ transaction_uuid: 'p', reply_transaction_uuid: null })
    await list('p', { kind: 'payout', status: 'failed', to_address: ADDRESS })
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'failed' })
    await later(1)
    const event = { kind: 'payout', transaction_uuid: 'p', status: 'succeeded', amount: decimal('10') } as const
    await applyOneFact(stores.one, sampleFact({ ...event, to_address: ADDRESS, unconfirmed: true }))
    await later(DAY - 1)
    expect(await named()).toEqual([])
    await later(1)
    expect(await named()).toEqual(['p'])
    await list('p', { kind: 'payout', status: 'succeeded', to_address: ADDRESS })
    expect([await available(), await named()]).toEqual(['0', []])
  })

  test('a deposit of a webhook that the list never confirms', async () => {
    const fact = sampleFact({ transaction_uuid: 'd', status: 'succeeded', amount: decimal('10'), unconfirmed: true })
    await applyOneFact(stores.one, fact)
    await later(DAY)
    expect(await named()).toEqual(['d'])
    await list('d', { status: 'succeeded' })
    expect([await available(), await named()]).toEqual(['10', []])
  })

  test('a deposit that succeeds after a person has dismissed its line, and that the list never confirms', async () => {
    const event = (status: 'processing' | 'succeeded') =>
      applyOneFact(stores.one, sampleFact({ transaction_uuid: 'd', status, amount: decimal('10'), unconfirmed: true }))
    await event('processing')
    await later(DAY)
    expect(await named()).toEqual(['d'])
    await creditByHand('10')
    await dismissAll()
    await later(3 * DAY)
    await event('succeeded')
    await later(DAY - 1)
    expect(await named()).toEqual([])
    await later(1)
    await later(HOUR)
    expect(await lines()).toMatchObject([{ transaction_uuid: 'd', event: { status: 'succeeded' } }])
    await list('d', { status: 'succeeded' })
    expect([await available(), await named()]).toEqual(['20', []])
    // They may have booked it days ago.
    expect(
      await stores.one.quarantine.list({ reason: 'contradiction', settled: false, after: 0, limit: 9 }),
    ).toMatchObject([{ transaction_uuid: 'd' }])
  })

  test('a deposit that succeeds after it was reported by a machine whose clock was ahead', async () => {
    const event = (status: 'processing' | 'succeeded') =>
      applyOneFact(stores.one, sampleFact({ transaction_uuid: 'd', status, amount: decimal('10'), unconfirmed: true }))
    await event('processing')
    aheadMs = HOUR
    await later(DAY)
    expect(await named()).toEqual(['d'])
    await dismissAll()
    aheadMs = 0
    await later(60_000)
    await event('succeeded')
    await later(DAY + HOUR)
    expect(await lines()).toMatchObject([{ transaction_uuid: 'd', event: { status: 'succeeded' } }])
  })

  test('what is from before LEDGER_START is not overdue', async () => {
    await stores.one.applyRecords('u', [listed('d', { status: 'processing' })], {
      ledgerMode: 'embedded',
      ledgerStartMs: START + 1,
    })
    await later(30 * DAY)
    expect(await named()).toEqual([])
  })

  describe('a purchase', () => {
    const session = (more: Partial<OnrampRow> = {}) => stores.one.onramps.insert(sampleOnramp(more))

    test('that is paid and not delivered ends when it is', async () => {
      await session()
      await applyOneFact(stores.one, purchase({ status: 'pending' }))
      await later(DAY)
      expect(await named()).toEqual([])
      await applyOneFact(stores.one, purchase({ status: 'processing' }))
      await later(DAY)
      expect(await lines()).toMatchObject([
        { user_reference_id: 'u', transaction_uuid: 'o', event: { kind: 'onramp', status: 'processing' } },
      ])
      await applyOneFact(stores.one, purchase({ status: 'succeeded', user_reference_id: 'u', amount: decimal('7') }))
      expect([await available(), await named()]).toEqual(['7', []])
    })

    test('of nobody’s session and no user is not ours', async () => {
      await applyOneFact(stores.one, purchase({ status: 'processing' }))
      await later(30 * DAY)
      expect(await named()).toEqual([])
    })

    const delivered = purchase({ status: 'succeeded', amount: decimal('7'), tx_hash: '0xab' })

    test('whose events all name no user, and whose deposit did not come', async () => {
      await session()
      await applyOneFact(stores.one, delivered)
      for (let at = 0; at < 3; at += 1) await later(DAY)
      expect(await lines()).toMatchObject([
        { user_reference_id: 'u', transaction_uuid: 'o', event: { kind: 'onramp', status: 'succeeded' } },
      ])
      expect(await available()).toBe('0')
    })

    test('whose events all name no user, and that succeeds after a person has dismissed its line', async () => {
      await session()
      await applyOneFact(stores.one, purchase({ status: 'processing' }))
      await later(DAY)
      expect(await named()).toEqual(['o'])
      await dismissAll()
      await later(HOUR)
      await applyOneFact(stores.one, delivered)
      for (let at = 0; at < 3; at += 1) await later(DAY)
      expect(await lines()).toMatchObject([
        { user_reference_id: 'u', transaction_uuid: 'o', event: { kind: 'onramp', status: 'succeeded' } },
      ])
      await dismissAll()
      await later(DAY)
      expect(await named()).toEqual([])
    })

    test('whose events all name no user, and whose deposit came', async () => {
      await session()
      await applyOneFact(stores.one, delivered)
      await list('e', { status: 'succeeded', amount: decimal('7'), tx_hash: '0xab' })
      await later(DAY)
      await later(DAY)
      expect(await named()).toEqual([])
      expect(await stores.one.transactions.find('onramp', 'o')).toMatchObject({ deposit_uuid: 'e' })
    })

    test('of a named user that no event tells the amount of, until one does', async () => {
      await session()
      await applyOneFact(stores.one, purchase({ status: 'processing', user_reference_id: 'u' }))
      await later(1)
      await applyOneFact(stores.one, purchase({ status: 'succeeded', tx_hash: '0xab' }))
      await later(DAY)
      expect([await available(), await named()]).toEqual(['0', ['o']])
      await applyOneFact(stores.one, delivered)
      expect([await available(), await named()]).toEqual(['7', []])
    })

    test('without an amount whose deposit came', async () => {
      await session()
      await applyOneFact(stores.one, purchase({ status: 'succeeded', tx_hash: '0xab', user_reference_id: 'u' }))
      await list('e', { status: 'succeeded', amount: decimal('7'), tx_hash: '0xab' })
      await later(DAY)
      await later(DAY)
      expect([await available(), await named()]).toEqual(['7', []])
    })

    test('whose hash is that of another purchase’s deposit', async () => {
      await session()
      await session({ id: 'o9', correlation_key: null })
      await applyOneFact(
        stores.one,
        purchase({
          ...{ transaction_uuid: 'p9', session_reference: 'o9', user_reference_id: 'u', status: 'succeeded' },
          ...{ amount: decimal('5'), tx_hash: '0xab' },
        }),
      )
      await list('e', { status: 'succeeded', amount: decimal('5'), tx_hash: '0xab' })
      await applyOneFact(stores.one, delivered)
      await later(DAY)
      expect(await named()).toEqual(['o'])
    })

    describe('whose events stop before they name its deposit', () => {
      const paid = purchase({ status: 'processing', user_reference_id: 'u', correlation_key: 'm:o1' })
      const deposit = (uuid: string, more: Partial<Fact> = {}) =>
        list(uuid, { status: 'succeeded', amount: decimal('7'), tx_hash: `0x${uuid}`, ...more })

      test('is told once more of if a deposit comes after a person has credited it by hand', async () => {
        await session()
        await applyOneFact(stores.one, paid)
        await later(DAY)
        expect(await named()).toEqual(['o'])
        await creditByHand()
        await dismissAll()
        await later(DAY)
        await deposit('ab')
        expect(await available()).toBe('14')
        await later(HOUR)
        expect(await lines()).toMatchObject([
          { user_reference_id: 'u', transaction_uuid: 'o', event: { status: 'processing', deposit_uuid: 'ab' } },
        ])
        await later(HOUR)
        expect(await lines()).toHaveLength(1)
        await dismissAll()
        await later(HOUR)
        expect(await named()).toEqual([])
        await deposit('cd')
        await later(HOUR)
        expect(await lines()).toMatchObject([{ event: { deposit_uuid: 'cd' } }])
      })

      test('is told of after its line is dismissed, if the deposit came while that was open', async () => {
        await session()
        await applyOneFact(stores.one, paid)
        await later(DAY)
        await later(HOUR)
        await deposit('ab')
        await later(HOUR)
        expect((await lines()).map(({ event }) => event['deposit_uuid'])).toEqual([undefined])
        await creditByHand()
        await dismissAll()
        await later(HOUR)
        expect(await lines()).toMatchObject([{ event: { deposit_uuid: 'ab' } }])
      })

      test('is reported with the deposit that has come before', async () => {
        await session()
        await applyOneFact(stores.one, paid)
        await later(HOUR)
        await deposit('ab')
        await later(DAY)
        expect(await lines()).toMatchObject([{ transaction_uuid: 'o', event: { deposit_uuid: 'ab' } }])
        await dismissAll()
        await later(HOUR)
        expect(await named()).toEqual([])
      })

      test.each<readonly [string, () => Promise<unknown>]>([
        ['has another currency', () => deposit('ab', { currency_id: 'c9', currency_code: 'BTC', network: 'Bitcoin' })],
        ['is another user’s', () => applyOneFact(stores.one, sampleFact({ ...OTHERS, user_reference_id: 'v' }))],
        ['has not succeeded', () => deposit('ab', { status: 'processing' })],
        ['comes a month later', () => later(30 * DAY).then(() => deposit('ab'))],
        ['has its key, and ends its report', () => deposit('ab', { correlation_key: 'm:o1' })],
        [
          'comes after its own',
          async () => {
            await deposit('ab', { correlation_key: 'm:o1' })
            await later(HOUR)
            await deposit('cd')
          },
        ],
        [
          'is another purchase’s',
          async () => {
            await session({ id: 'o9', correlation_key: null })
            const own = { transaction_uuid: 'p9', session_reference: 'o9', amount: decimal('7'), tx_hash: '0xab' }
            await applyOneFact(stores.one, purchase({ ...paid, ...own, correlation_key: null, status: 'succeeded' }))
            await deposit('ab')
          },
        ],
        [
          'is another purchase’s, which the merchant books',
          async () => {
            await session({ id: 'o9', correlation_key: null })
            const own = { transaction_uuid: 'p9', session_reference: 'o9', amount: decimal('7'), tx_hash: '0xab' }
            const other = purchase({ ...paid, ...own, correlation_key: null, status: 'succeeded' })
            await applyOneFact(stores.one, other, { ledgerMode: 'merchant' })
            const record = listed('ab', { status: 'succeeded', amount: decimal('7'), tx_hash: '0xab' })
            await stores.one.applyRecords('u', [record], { ...LIST_RULES, ledgerMode: 'merchant' })
          },
        ],
      ])('is not told of again if the deposit %s', async (_what, come) => {
        await session()
        await applyOneFact(stores.one, paid)
        await later(DAY)
        await dismissAll()
        await later(HOUR)
        await come()
        await later(HOUR)
        expect(await named()).toEqual([])
      })
    })

    test('to the user’s own wallet ends with its success', async () => {
      await session({ wallet_address: ADDRESS })
      await applyOneFact(stores.one, purchase({ status: 'processing' }))
      await later(DAY)
      expect(await named()).toEqual(['o'])
      await applyOneFact(stores.one, purchase({ transaction_uuid: 'o2', status: 'succeeded', amount: decimal('7') }))
      await later(DAY)
      expect(await named()).toEqual(['o'])
    })
  })

  describe('a list with an unreadable part', () => {
    const scanned = (unreadable: boolean | null) => stores.one.users.reconciled('u', now, null, { unreadable })

    test('is reported once, to the second and also after a restart; a dismissed line does not come back', async () => {
      await scanned(true)
      await later(DAY - 1)
      // A round that ended before it came to the unreadable part.
      await scanned(null)
      expect(await named()).toEqual([])
      await later(1)
      expect(await lines()).toMatchObject([
        {
          reason: 'overdue',
          event_name: null,
          user_reference_id: 'u',
          transaction_uuid: 'list u',
          event: { kind: 'list', user_reference_id: 'u', since: new Date(START).toISOString() },
        },
      ])
      await scanned(true)
      await later(DAY, await stores.another())
      expect(await named()).toEqual(['list u'])
      await dismissAll()
      for (let rounds = 0; rounds < 3; rounds += 1) await later(DAY)
      expect(await named()).toEqual([])
    })

    test('ends when it is readable, and is reported again when that has changed for as long', async () => {
      await scanned(true)
      await later(DAY)
      expect(await named()).toEqual(['list u'])
      await scanned(false)
      await later(60_000)
      expect([await named(), await settledBy()]).toEqual([[], ['system']])
      await scanned(true)
      await later(DAY - 1)
      expect(await named()).toEqual([])
      await later(1)
      expect(await named()).toEqual(['list u'])
    })

    test('is reported again although an instance whose clock was ahead had reported it before', async () => {
      aheadMs = 5 * HOUR
      await scanned(true)
      await later(DAY)
      aheadMs = 0
      await scanned(false)
      await later(60_000)
      expect([await named(), await settledBy()]).toEqual([[], ['system']])
      await scanned(true)
      await later(DAY)
      expect(await named()).toEqual(['list u'])
    })

    test('is reported once by an instance whose clock is behind', async () => {
      aheadMs = -2 * DAY
      await scanned(true)
      await later(DAY)
      expect(await named()).toEqual(['list u'])
      await dismissAll()
      await later(DAY)
      expect(await named()).toEqual([])
    })

    test('read to check an unknown withdrawal', async () => {
      const checked = (unreadable: boolean | null) =>
        stores.one.reconcileQueue.checked('u', { atLeastMs: 1, unreadable })
      await checked(true)
      await checked(null)
      await later(DAY)
      expect(await named()).toEqual(['list u'])
      await checked(false)
      await later(60_000)
      expect(await named()).toEqual([])
    })
  })

  describe('a list that is never read completely', () => {
    const scanned = (isComplete: boolean | null) =>
      stores.one.users.reconciled('u', now, null, { unreadable: false, isComplete })

    test('is reported once, and ends with a complete read', async () => {
      await scanned(false)
      await later(DAY - 1)
      await scanned(null)
      await scanned(false)
      expect(await named()).toEqual([])
      await later(1)
      expect(await lines()).toMatchObject([
        { transaction_uuid: 'list u', event: { kind: 'list', since: new Date(START).toISOString() } },
      ])
      await later(DAY)
      expect(await named()).toEqual(['list u'])
      await scanned(true)
      await later(60_000)
      expect([await named(), await settledBy()]).toEqual([[], ['system']])
      await later(2 * DAY)
      expect(await named()).toEqual([])
    })

    test('is not reported after one read, since the next may be complete', async () => {
      await scanned(false)
      await later(DAY)
      expect(await named()).toEqual([])
      await scanned(true)
      await scanned(false)
      await later(DAY)
      expect(await named()).toEqual([])
      await scanned(false)
      await later(60_000)
      expect(await named()).toEqual(['list u'])
    })

    test('is reported again after a restore, although an instance whose clock was ahead had reported it before', async () => {
      aheadMs = 5 * HOUR
      for (let reads = 0; reads < 2; reads += 1) await scanned(false)
      await later(DAY)
      expect(await named()).toEqual(['list u'])
      await dismissAll()
      aheadMs = 0
      await later(HOUR)
      await stores.one.transaction((tx) => tx.reconciliation.noteRestored())
      for (let reads = 0; reads < 2; reads += 1) await scanned(false)
      await later(DAY)
      expect(await named()).toEqual(['list u'])
    })

    test('because each read fails', async () => {
      await stores.one.users.wholeReadFailed('u')
      await stores.one.reconcileQueue.checked('u', { atLeastMs: 1, isComplete: false })
      await later(DAY)
      expect(await named()).toEqual(['list u'])
      await dismissAll()
      await stores.one.users.wholeReadFailed('u')
      await later(DAY)
      expect(await named()).toEqual([])
    })
  })

  test('what fails for one user is told, and stops nobody else’s report', async () => {
    for (const user of ['u', 'v'])
      await seed(stores.one, {
        transactions: [
          sampleTransaction({
            transaction_uuid: `of ${user}`,
            user_reference_id: user,
            status: 'other',
            updated_ms: now,
          }),
        ],
      })
    faults.length = 0
    const failing: Store = {
      ...stores.one,
      transaction: (work) =>
        stores.one.transaction((tx) =>
          work({
            ...tx,
            load: (keys) => (keys.users.includes('u') ? Promise.reject(new Error('broken')) : tx.load(keys)),
          }),
        ),
    }
    await later(DAY, failing)
    expect([await named(), faults]).toEqual([['of v'], [new Error('broken')]])
  })

  test('more than one query gives are all reported, and a stopped job goes on later', async () => {
    const many = Array.from({ length: 450 }, (_item, index) =>
      sampleTransaction({
        transaction_uuid: `t${String(index)}`,
        user_reference_id: index % 2 === 0 ? 'u' : 'v',
        status: 'processing',
        created_ms: now,
        updated_ms: now,
      } satisfies Partial<TransactionRow>),
    )
    await seed(stores.one, { transactions: many })
    now += DAY
    await createFindOverdue({ store: stores.one, clock: () => now, overdueMs: DAY, onFault })(() => false)
    expect(await named()).toEqual([])
    await find()
    expect(new Set(await named()).size).toBe(450)
    expect(await lines()).toHaveLength(450)
  })

  test('a round comes once a minute', async () => {
    const round = createFindOverdue({ store: stores.one, clock: () => now, overdueMs: DAY, onFault })
    await round(() => true)
    await list('d', { status: 'other' })
    now += DAY
    await round(() => true)
    await list('e', { status: 'other' })
    now += 59_999
    await round(() => true)
    expect(await named()).toEqual(['d'])
  })

  test('a round comes each OVERDUE_S where that is shorter', async () => {
    const round = createFindOverdue({ store: stores.one, clock: () => now, overdueMs: 10_000, onFault })
    await list('d', { status: 'other' })
    await round(() => true)
    now += 10_000
    await round(() => true)
    expect(await named()).toEqual(['d'])
  })
})
