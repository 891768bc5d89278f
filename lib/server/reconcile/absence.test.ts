/**
 * The hold of a withdrawal is never released while its payout may be in the list (docs/explanation/money.md,
 * "Absence").
 */
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { givePayout, setOwner } from '../ledger/payouts/payout-owners.ts'
import { attentionOf } from '../ledger/payouts/attention.ts'
import { createClockOffset } from '../gateway/clock-offset.ts'
import { UnreachableError, UnreadableReplyError } from '../gateway/errors.ts'
import type { Gateway, TransactionRecord, TransactionsList } from '../gateway/types.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import { transactionsReply } from '../gateway/schemas.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { Store, WithdrawalRow } from '../store/types.ts'
import { sampleFact, sampleQuarantined, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, changeWithdrawal, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createCheckUnknownWithdrawals } from './check-unknown-withdrawals.ts'
import { createCompareUser } from './compare-user.ts'

const MINUTE = 60_000
const CALLED = Date.UTC(2026, 10, 21, 12)
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const UUID = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'

const USDT = { ...sampleTransactionRecord().currency, id: 'c1' }

const payout = (more: Partial<TransactionRecord> = {}, atMs = CALLED): TransactionRecord =>
  sampleTransactionRecord({
    transaction_uuid: UUID,
    type: 'Payout',
    status: 'TXN_PROVIDER_SUCCEEDED',
    amount: decimal('25.123456'),
    currency: USDT,
    to_address: ADDRESS,
    user_ref_id: 'u',
    inserted_at: new Date(atMs).toISOString(),
    ...more,
  })

const currency = (more: Partial<TransactionRecord['currency']>): TransactionRecord['currency'] => ({
  ...payout().currency,
  ...more,
})

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = CALLED
  /** Our clock minus the database's. */
  let aheadMs = 0
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now - aheadMs })

  /** A gateway with these records, whose clock is ahead of ours by this offset; null: it does not give its time. */
  function setUp(
    records: readonly TransactionRecord[],
    clockOffsetMs: number | null | (() => number | null) = 0,
    {
      unreadable = false,
      away = false,
      told = [],
      during,
      store = stores.one,
    }: {
      unreadable?: boolean
      away?: boolean
      told?: string[]
      during?: () => Promise<unknown>
      store?: Store
    } = {},
  ) {
    now = CALLED
    aheadMs = 0
    const list: TransactionsList = {
      edges: records.map((node, index) => ({ cursor: String(index), inserted_at: node.inserted_at, node })),
      page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
      total_count: records.length,
    }
    const gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs' | 'statuses'> = {
      listUserTransactions: async () => {
        await during?.()
        if (away) return Promise.reject(new UnreachableError('no connection', { operation: 'list' }))
        return unreadable
          ? Promise.reject(new UnreadableReplyError('garbled', { operation: 'list' }))
          : Promise.resolve(list)
      },
      clockOffsetMs: typeof clockOffsetMs === 'function' ? clockOffsetMs : () => clockOffsetMs,
      statuses: STATUSES,
    }
    const absenceMs = 60 * MINUTE
    const options = {
      store,
      gateway,
      ledgerMode: 'embedded' as const,
      ledgerStartMs: 0,
      clock: () => now,
      absenceMs,
      checkTotals: () => Promise.resolve([]),
    }
    const check = createCheckUnknownWithdrawals({
      ...options,
      onUnreadable: (user) => told.push(user),
    })
    const compare = createCompareUser(options)
    return {
      check: () => check('u', ['w1']),
      compare: () =>
        compare({
          ...{ user_reference_id: 'u', priority: 'open', reconciled_ms: null, last_seen_ms: now },
          ...{ whole_ms: null, waits_for_whole: 0, incomplete_for_ms: null },
        }),
      /** Enough complete scans, late enough, to prove an absence. */
      async lookTwice(...ids: readonly string[]): Promise<void> {
        for (const at of [61, 62, 63]) {
          now = CALLED + at * MINUTE
          await check('u', ids.length === 0 ? ['w1'] : ids)
        }
      },
    }
  }

  /** A withdrawal with a hold, `unknown` by default. */
  async function withdrawal(amount: string, more: Partial<WithdrawalRow> = {}): Promise<WithdrawalRow> {
    const row = sampleWithdrawal({
      network: 'Ethereum',
      amount: decimal(amount),
      wallet_address: ADDRESS,
      status: 'unknown',
      created_ms: CALLED,
      called_ms: CALLED,
      call_ended_ms: CALLED,
      next_check_ms: CALLED,
      clock_offset_ms: 0,
      ...more,
    })
    const { id, user_reference_id, currency_id } = row
    const booking = { user_reference_id, currency_id, amount: row.amount }
    await stores.one.users.ensure('u', CALLED)
    await seed(stores.one, {
      bookings: [
        { ...booking, booking: 'adjustment', posting_key: `adjustment:${id}` },
        { ...booking, booking: 'hold', posting_key: `hold:${id}` },
      ],
      withdrawals: [row],
    })
    return row
  }

  const found = async (id = 'w1') => {
    const row = await stores.one.withdrawals.find(id)
    if (row === null) throw new Error('no such withdrawal')
    return { ...row, attention: attentionOf(row, await stores.one.payouts.openOf(['u']), CALLED) }
  }
  const held = async () => (await stores.one.ledger.balance('u', 'c1')).held
  const reports = async () =>
    (await stores.one.quarantine.list({ reason: 'unmatched_payout', settled: false, after: 0, limit: 100 })).map(
      ({ reason, transaction_uuid }) => [reason, transaction_uuid],
    )

  const waitsForAPerson = async (amount: string): Promise<void> => {
    expect(await found()).toMatchObject({ status: 'unknown', attention: 'unmatched_payout', transaction_uuid: null })
    expect(await held()).toBe(amount)
    expect(await reports()).toEqual([['unmatched_payout', UUID]])
    expect(await stores.one.payouts.countOpen()).toBe(1)
  }

  test('our clock is six minutes ahead: the payout is found by the gateway’s time', async () => {
    const { lookTwice } = setUp([payout({}, CALLED - 6 * MINUTE)], -6 * MINUTE)
    await withdrawal('25.123456', { clock_offset_ms: -6 * MINUTE })
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'succeeded', transaction_uuid: UUID, attention: null })
    expect(await held()).toBe('0')
  })

  describe.each<readonly [string, readonly TransactionRecord[], string]>([
    ['absent', [], 'failed'],
    ['paid', [payout()], 'succeeded'],
  ])('it turns out to be %s', (_end, list, status) => {
    test.each([
      ['has credited its user by hand: they are told', '25.123456', ['contradiction']],
      ['has adjusted the balance for other reasons', '25', []],
      ['has done nothing since', null, []],
    ])('after a person %s', async (_what, amount, told) => {
      const { lookTwice } = setUp(list)
      await withdrawal('25.123456', { states: JSON.stringify([['unknown', CALLED + 1, 'uncertain', 'cashier']]) })
      now = CALLED + 10 * MINUTE
      const owner = { user_reference_id: 'u', currency_id: 'c1' }
      const byHand = { ...owner, booking: 'adjustment', posting_key: 'adjustment:by hand' } as const
      if (amount !== null) await seed(stores.one, { bookings: [{ ...byHand, amount: decimal(amount) }] })
      await lookTwice()
      expect((await found()).status).toBe(status)
      const lines = async () => {
        const all = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
        return all.map(({ reason }) => reason)
      }
      expect(await lines()).toEqual(told)
      const { amount: paid, to_address } = payout()
      const event = { kind: 'payout', transaction_uuid: UUID, amount: paid, to_address, network: 'Ethereum' } as const
      const occurred_at = new Date(CALLED).toISOString()
      await applyOneFact(stores.one, sampleFact({ ...event, occurred_at, source: 'webhook', status: 'succeeded' }))
      expect(await lines()).toEqual([...told, ...(status === 'failed' ? ['late_payout'] : [])])
    })
  })

  test('our clock is six minutes ahead, and the gateway does not give its time', async () => {
    const { lookTwice } = setUp([payout({}, CALLED - 6 * MINUTE)], null)
    await withdrawal('25.123456', { clock_offset_ms: null, checked_ms: CALLED })
    await lookTwice()
    await waitsForAPerson('25.123456')
  })

  test('a payout webhook that the list dates hours before the call belongs to another withdrawal', async () => {
    setUp([])
    const told = sampleFact({
      kind: 'payout',
      transaction_uuid: UUID,
      network: 'Ethereum',
      amount: decimal('25.123456'),
      to_address: ADDRESS,
    })
    await stores.one.users.ensure('u', CALLED)
    now = CALLED - 180 * MINUTE
    await applyOneFact(stores.one, { ...told, source: 'reconciliation', status: 'processing' }, { insertedMs: now })
    now = CALLED
    await withdrawal('25.123456')
    await applyOneFact(stores.one, { ...told, source: 'webhook', status: 'succeeded' })
    expect(await found()).toMatchObject({ status: 'unknown', transaction_uuid: null })
  })

  test.each([
    ['back, to the right time, while the call is under way', 120 * MINUTE, 0],
    ['forward, to a wrong time, after the call, with two instances on its machine', 0, 120 * MINUTE],
  ])('our clock is set %s: two scans at once prove no absence', async (_when, beforeMs, afterMs) => {
    let [trueMs, wrongMs] = [CALLED, beforeMs]
    const at = (seconds: number): void => {
      trueMs = CALLED + seconds * 1000
      now = trueMs + wrongMs
    }
    const instances = [1, 2].map(() => {
      const offset = createClockOffset(
        () => now,
        () => trueMs - CALLED,
      )
      const reply = (): Promise<void> => {
        offset.note(new Date(trueMs).toUTCString(), now, now)
        return Promise.resolve()
      }
      return { offset, reply, ...setUp([], offset.current, { during: reply }) }
    })
    at(0)
    for (const { reply } of [...instances, ...instances]) await reply()
    const called_ms = now
    if (beforeMs > 0) wrongMs = afterMs
    at(10)
    const clock_offset_ms = instances[0]?.offset.current() ?? null
    await withdrawal('25.123456', { called_ms, call_ended_ms: now, clock_offset_ms })
    wrongMs = afterMs
    for (const [round, { check }] of [...instances, ...instances].entries()) {
      at(20 + 10 * round)
      await check()
    }
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
    expect(await held()).toBe('25.123456')
  })

  test('our clock is set back while the list is read: that scan proves no absence', async () => {
    let [trueMs, wrongMs] = [CALLED, 120 * MINUTE]
    const offset = createClockOffset(
      () => now,
      () => trueMs - CALLED,
    )
    const { check } = setUp([], offset.current, {
      during() {
        wrongMs = 0
        now = trueMs
        return Promise.resolve()
      },
    })
    now = trueMs + wrongMs
    for (let replies = 0; replies < 2; replies += 1) offset.note(new Date(trueMs).toUTCString(), now, now)
    await withdrawal('25.123456', { called_ms: now, call_ended_ms: now, clock_offset_ms: offset.current() })
    trueMs += 10_000
    now = trueMs + wrongMs
    await check()
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
  })

  test('lists that were read while the database lost commits prove no absence', async () => {
    const during = () => stores.one.transaction((tx) => tx.reconciliation.noteRestored())
    await withdrawal('25.123456')
    await setUp([], 0, { during }).lookTwice()
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
    await setUp([]).lookTwice()
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  test("the calling machine was wrong by two hours about the gateway's time: a person is asked", async () => {
    const { check } = setUp([payout()])
    await withdrawal('25.123456', { clock_offset_ms: 120 * MINUTE })
    now = CALLED + 181 * MINUTE
    await check()
    await check()
    await waitsForAPerson('25.123456')
  })

  test.each<[string, Partial<TransactionRecord>]>([
    ['an amount net of a fee', { amount: decimal('24.123456') }],
    ["an amount cut to the currency's decimals", { amount: decimal('25.12') }],
    ['no address', { to_address: null }],
    ['an undocumented type', { type: 'Withdrawal', amount: decimal('24.123456') }],
    ['an undocumented type, and all else as requested', { type: 'CRYPTO_PAYOUT' }],
    ['a new id and network of the currency', { currency: currency({ id: 'c1-new', network: 'ERC20' }) }],
  ])('%s', async (_name, more) => {
    const { lookTwice } = setUp([payout(more)])
    await withdrawal('25.123456', { network: 'Ethereum' })
    await lookTwice()
    await waitsForAPerson('25.123456')
  })

  test('a payout in the same currency under a new id is found', async () => {
    const { lookTwice } = setUp([payout({ currency: currency({ id: 'c1-new', code: 'usdt' }) })])
    await withdrawal('25.123456')
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
  })

  test("an address in Ethereum's format is found in lower case too, on an unknown network", async () => {
    const network = 'ERC-20 (new)'
    const { lookTwice } = setUp([payout({ currency: currency({ network }), to_address: ADDRESS.toLowerCase() })])
    await withdrawal('25.123456', { network })
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
  })

  test('a payout whose type has another letter case is found', async () => {
    const { lookTwice } = setUp([payout({ type: 'PAYOUT' })])
    await withdrawal('25.123456')
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
  })

  test("texts that a database cannot store stop no user's list", async () => {
    const odd = 'a\0b\ud83d'
    const { type: _type, ...rest } = payout({ transaction_uuid: 'odd', failure_reason: odd, from_address: odd })
    const node = { ...rest, type: odd, provider_transaction_id: odd, currency: currency({ name: odd }), more: odd }
    const read = transactionsReply.parse({
      edges: [{ cursor: odd, inserted_at: node.inserted_at, node }],
      page_info: { start_cursor: odd, end_cursor: odd, has_next_page: false, has_previous_page: false },
      total_count: '1',
    })
    await withdrawal('25.123456', { status: 'processing', next_check_ms: null })
    await setUp([...read.edges.map((edge) => edge.node), payout()]).compare()
    expect(await found()).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await stores.one.records.byUuids('u', ['odd'])).toHaveLength(1)
  })

  test.each(['deposit', 'onramp'] as const)(
    'a record of an undocumented type with the uuid of a %s does not block',
    async (kind) => {
      const { lookTwice } = setUp([payout({ type: 'Credit', status: 'TXN_NEW' })])
      await withdrawal('25.123456')
      await applyOneFact(stores.one, sampleFact({ kind, transaction_uuid: UUID, user_reference_id: 'u' }))
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent', attention: null })
    },
  )

  test('a payout of an undocumented type is followed once the reply or a webhook has named it', async () => {
    const { compare } = setUp([payout({ type: 'Withdrawal' })])
    await withdrawal('25.123456', { status: 'processing', next_check_ms: null })
    await compare()
    expect(await found()).toMatchObject({ status: 'processing', transaction_uuid: null })
    const [listed] = listedRecords([{ cursor: '0', inserted_at: '', node: payout() }], STATUSES)
    if (!listed?.fact) throw new Error('no fact')
    // One gateway key may sign for many merchants: the payout counts once the list shows it.
    await applyOneFact(stores.one, { ...listed.fact, source: 'webhook', unconfirmed: true })
    expect(await found()).toMatchObject({ status: 'processing', transaction_uuid: null })
    await compare()
    expect(await found()).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    await withdrawal('7', { id: 'w2', idempotency_key: 'k2', status: 'processing', transaction_uuid: 'named' })
    await setUp([payout({ type: 'Withdrawal', transaction_uuid: 'named', amount: decimal('7') })]).compare()
    expect(await found('w2')).toMatchObject({ status: 'succeeded' })
  })

  test('a webhook with a rounded number before the exact record', async () => {
    const { lookTwice } = setUp([payout()])
    await withdrawal('25.123456')
    const [listed] = listedRecords(
      [{ cursor: '0', inserted_at: '', node: payout({ amount: decimal('25.12') }) }],
      STATUSES,
    )
    const fact = listed?.fact
    if (!fact) throw new Error('no fact')
    await applyOneFact(stores.one, { ...fact, source: 'webhook' })
    await lookTwice()
    await waitsForAPerson('25.123456')
  })

  describe('a withdrawal that the gateway accepted', () => {
    const acceptedOne = () => withdrawal('25.123456', { status: 'processing', next_check_ms: null })

    test('a person is asked about another paid amount at once, with one line', async () => {
      const { compare } = setUp([payout({ amount: decimal('24.1') })])
      await acceptedOne()
      await compare()
      await compare()
      expect(await found()).toMatchObject({ status: 'processing', attention: 'unmatched_payout' })
      expect(await reports()).toEqual([['unmatched_payout', UUID]])
      expect(await held()).toBe('25.123456')
    })

    test('a person is asked if our clock was an hour ahead, and the gateway does not give its time', async () => {
      const { compare } = setUp([payout({}, CALLED - 60 * MINUTE)], null)
      await withdrawal('25.123456', { status: 'processing', next_check_ms: null, clock_offset_ms: null })
      now = CALLED + 61 * MINUTE
      await compare()
      expect(await found()).toMatchObject({ status: 'processing', attention: 'unmatched_payout' })
    })

    test('a payout from two days before has nobody to own it, and is not the withdrawal’s', async () => {
      const { compare } = setUp([payout({ amount: decimal('24.1') }, CALLED - 2880 * MINUTE)], null)
      await withdrawal('25.123456', { status: 'processing', next_check_ms: null, clock_offset_ms: null })
      now = CALLED + 61 * MINUTE
      await compare()
      expect(await found()).toMatchObject({ status: 'processing', attention: null })
      expect(await reports()).toEqual([['unmatched_payout', UUID]])
    })

    test('the question stays open while the list cannot be read, and after the payout is gone', async () => {
      await acceptedOne()
      const another = payout({ amount: decimal('24.1') })
      const readings = [
        { reading: setUp([another]), attention: 'unmatched_payout' },
        { reading: setUp([], 0, { unreadable: true }), attention: 'unmatched_payout' },
        { reading: setUp([]), attention: 'unmatched_payout' },
      ]
      now = CALLED + 61 * MINUTE
      for (const { reading, attention } of readings) {
        await reading.compare()
        expect(await found()).toMatchObject({ status: 'processing', attention })
      }
    })

    test('the question ends once the payout has an owner', async () => {
      const { compare } = setUp([payout({ amount: decimal('24.1') })])
      await acceptedOne()
      await compare()
      await stores.one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
        const [open] = unit.openPayouts('u')
        const row = unit.withdrawal('w1')
        if (row === null || open === undefined) throw new Error('no such withdrawal or payout')
        givePayout(unit, open, row, '{}')
      })
      expect(await found()).toMatchObject({ status: 'succeeded', attention: null, paid_amount: '24.1' })
      expect(await reports()).toEqual([])
    })
  })

  describe('a withdrawal that only an error reply named', () => {
    const NAMED = '5d3e8f3a-0c55-4f0e-9a53-6a0f9d9f2b01'
    const named = () => withdrawal('25.123456', { status: 'processing', next_check_ms: null, transaction_uuid: NAMED })

    test('a person is asked about a possible payout with another uuid', async () => {
      const { compare } = setUp([payout()])
      await named()
      now = CALLED + 61 * MINUTE
      await compare()
      expect(await found()).toMatchObject({ transaction_uuid: NAMED, attention: 'unmatched_payout' })
      expect(await reports()).toEqual([['unmatched_payout', UUID]])
    })
  })

  test("the amount of the gateway's own reply: its payout is found, and blocks no other withdrawal", async () => {
    const { compare, lookTwice } = setUp([payout({ amount: decimal('24.5') })])
    await withdrawal('7', { id: 'w2', idempotency_key: 'key-2' })
    const accepted = await withdrawal('25', { status: 'processing', step: 'calling' })
    await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
      settleWithdrawal(unit, accepted, {
        evidence: {
          kind: 'accepted',
          requires_approval: false,
          status: 'other',
          amount: decimal('24.50'),
          transaction_uuid: null,
        },
        source: 'cashier',
        also: { step: 'ended', call_ended_ms: CALLED },
      })
    })
    await compare()
    // The requested amount is debited.
    expect(await found()).toMatchObject({ status: 'succeeded', transaction_uuid: UUID, funds: 'paid' })
    expect(await held()).toBe('7')
    await lookTwice('w2')
    expect(await found('w2')).toMatchObject({ status: 'failed', failure: 'absent', attention: null })
  })

  test("the transaction of the gateway's own reply matches before any amount", async () => {
    const { compare } = setUp([payout({ amount: decimal('7'), to_address: null })])
    await withdrawal('7', { id: 'w2', idempotency_key: 'key-2' })
    const accepted = await withdrawal('25', { status: 'processing', step: 'calling' })
    await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
      settleWithdrawal(unit, accepted, {
        evidence: {
          kind: 'accepted',
          requires_approval: false,
          status: 'other',
          amount: decimal('25'),
          transaction_uuid: UUID,
        },
        source: 'cashier',
        also: { step: 'ended', call_ended_ms: CALLED },
      })
    })
    await compare()
    expect(await found()).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await found('w2')).toMatchObject({ status: 'unknown' })
  })

  test.each([
    ['in another currency', payout({ currency: currency({ id: 'c2', code: 'USDC' }) })],
    ['in the currency on another network', payout({ currency: currency({ id: 'c2', network: 'Tron' }) })],
    ['from twenty minutes before the call', payout({}, CALLED - 20 * MINUTE)],
    ['from ten days before the call', payout({}, CALLED - 14_400 * MINUTE)],
  ])('a payout %s that nobody owns blocks', async (_name, record) => {
    const { lookTwice } = setUp([record])
    await withdrawal('25.123456')
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'unknown' })
    expect(await reports()).toEqual([['unmatched_payout', UUID]])
    await stores.one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
      for (const open of unit.openPayouts('u')) setOwner(unit, open, 'acknowledged', { note: 'Not ours.' })
    })
    expect(await reports()).toEqual([])
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  test.each([['that is a deposit', payout({ type: 'Deposit' })]])(
    'a record %s does not block',
    async (_name, record) => {
      const { lookTwice } = setUp([record])
      await withdrawal('25.123456')
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent', failure_reason: 'not_sent' })
      expect(await held()).toBe('0')
      expect(await reports()).toEqual([])
    },
  )

  describe('a list that has lost a stored record', () => {
    const other = payout({ transaction_uuid: 'd', type: 'Deposit' })
    const lost = async () =>
      (await stores.one.quarantine.list({ reason: 'contradiction', settled: false, after: 0, limit: 9 })).map(
        ({ id, transaction_uuid, event }) => ({ id, transaction_uuid, event: JSON.parse(event) as object }),
      )

    test.each(['TXN_PROVIDER_SUCCEEDED', 'TXN_FAILED'])(
      'proves no absence until a person has settled it: %s',
      async (status) => {
        await withdrawal('25.123456')
        await setUp([{ ...other, status }]).compare()
        await setUp([]).lookTwice()
        expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
        expect(await held()).toBe('25.123456')
        const lines = await lost()
        expect(lines).toMatchObject([{ transaction_uuid: 'd', event: { missing: true } }])
        for (const { id } of lines) await stores.one.quarantine.settle(id, { by: 'merchant', now })
        await setUp([]).lookTwice()
        expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
        expect(await lost()).toEqual([])
      },
    )

    test('proves none with a record of an undocumented type either', async () => {
      await withdrawal('25.123456')
      await setUp([{ ...other, type: 'Something' }]).compare()
      await stores.one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
        for (const open of unit.openPayouts('u')) setOwner(unit, open, 'acknowledged', { note: 'none of ours' })
      })
      await setUp([]).lookTwice()
      expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
      const lines = await lost()
      expect(lines).toMatchObject([{ transaction_uuid: 'd' }])
      for (const { id } of lines) await stores.one.quarantine.settle(id, { by: 'merchant', now })
      await setUp([]).lookTwice()
      expect([(await found()).status, await lost()]).toEqual(['failed', []])
    })

    test('proves none if the record was stored just before, and counts again with it', async () => {
      await withdrawal('25.123456')
      const { compare } = setUp([other])
      now = CALLED + 60 * MINUTE
      await compare()
      await setUp([]).lookTwice()
      expect([await found(), await lost()]).toMatchObject([{ status: 'unknown', absent_scans: 0 }, []])
      await setUp([other]).lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    })
  })

  test('a list with a record of another user proves nothing', async () => {
    const { lookTwice } = setUp([payout({ user_ref_id: 'v' })])
    await withdrawal('25.123456')
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'unknown' })
    expect((await stores.one.quarantine.countOpen()).get('foreign_record')).toBe(1)
  })

  const unreadable = (event_name: string | null, user_reference_id = 'u'): Promise<void> =>
    seed(stores.one, { quarantine: [sampleQuarantined({ reason: 'unreadable', user_reference_id, event_name })] })

  test('events that cannot be read and tell of a purchase, or of another user, are no payout', async () => {
    const { lookTwice } = setUp([])
    await withdrawal('25.123456')
    await unreadable('User Onramp')
    await unreadable('User Payout', 'v')
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  test.each(['User Payout', null])(
    'an event %s that cannot be read may be the payout: a person decides',
    async (name) => {
      const { lookTwice } = setUp([])
      await withdrawal('25.123456')
      await unreadable(name)
      await lookTwice()
      expect([await found(), await held()]).toMatchObject([{ status: 'unknown', absent_scans: 0 }, '25.123456'])
      for (const { id } of await stores.one.quarantine.list({
        reason: 'unreadable',
        settled: false,
        after: 0,
        limit: 9,
      }))
        await stores.one.quarantine.settle(id, { by: 'merchant', now })
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    },
  )

  describe('an event of a kind or status that nobody knows', () => {
    const unknown = (
      reason: 'unknown_event' | 'unknown_status' | 'stale',
      event_name: string,
      event: string,
    ): Promise<void> =>
      seed(stores.one, {
        quarantine: [sampleQuarantined({ reason, user_reference_id: 'u', event_name, transaction_uuid: UUID, event })],
      })

    test.each([
      ['unknown_event', 'User Withdrawal', '{"event":"User Withdrawal"}'],
      ['unknown_event', 'User Transfer', '{"event":"User Transfer","payment_method":"Payout"}'],
      ['unknown_status', 'User Payout', '{"event":"User Payout"}'],
      ['stale', 'User Withdrawal', '{"event":"User Withdrawal"}'],
    ] as const)('%s %s may tell of the payout: a person decides', async (reason, name, event) => {
      const { lookTwice } = setUp([])
      await withdrawal('25.123456')
      await unknown(reason, name, event)
      await lookTwice()
      expect([await found(), await held()]).toMatchObject([{ status: 'unknown', absent_scans: 0 }, '25.123456'])
      const lines = await stores.one.quarantine.list({ reason, settled: false, after: 0, limit: 9 })
      await stores.one.quarantine.settle(
        lines.map(({ id }) => id),
        { by: 'merchant', now },
      )
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    })

    test('that tells of another matter, or of a payout that has an owner, is no evidence', async () => {
      const { lookTwice } = setUp([payout({ to_address: '0x1' })])
      await withdrawal('25.123456')
      await stores.one.users.ensure('v', CALLED)
      await lookTwice()
      const [open] = await stores.one.payouts.openOf(['u'])
      if (open === undefined) throw new Error('no open payout')
      await unknown('unknown_status', 'User Payout', '{"event":"User Payout"}')
      await unknown('unknown_event', 'User Bonus', '{"event":"User Bonus"}')
      await unknown('stale', 'User Payout', '{"event":"User Payout"}')
      await stores.one.unitOfWork(
        { users: ['u'], transactions: [{ kind: 'payout', transaction_uuid: UUID }] },
        (unit) => {
          const row = unit.payout(UUID)
          if (row !== null) setOwner(unit, row, 'acknowledged', { note: 'none of ours' })
        },
      )
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    })
  })

  describe("a payout's event that names no user", () => {
    const userless = (transaction: object, reason: 'unknown_user' | 'unknown_status' = 'unknown_user'): Promise<void> =>
      seed(stores.one, {
        quarantine: [
          sampleQuarantined({
            ...{ reason, user_reference_id: null, event_name: 'User Payout', transaction_uuid: UUID },
            event: JSON.stringify({ event: 'User Payout', user_reference: null, transaction }),
          }),
        ],
      })

    test.each([
      ['the address', { to_address: ADDRESS.toLowerCase(), amount: 24.1 }],
      ['the amount, and no address', { to_address: null, amount: 25.123456 }],
      ['the amount in digits, and no address', { amount: '25.1234560' }],
    ])('with %s of the withdrawal may be its payout: a person decides', async (_what, transaction) => {
      const { lookTwice } = setUp([])
      await withdrawal('25.123456')
      await userless(transaction)
      await lookTwice()
      expect([await found(), await held()]).toMatchObject([{ status: 'unknown', absent_scans: 0 }, '25.123456'])
      const lines = await stores.one.quarantine.list({ reason: 'unknown_user', settled: false, after: 0, limit: 9 })
      await stores.one.quarantine.settle(
        lines.map(({ id }) => id),
        { by: 'merchant', now },
      )
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    })

    test('with a status that nobody knows may be its payout, too', async () => {
      const { lookTwice } = setUp([])
      await withdrawal('25.123456')
      await userless({ to_address: ADDRESS, amount: 25.123456 }, 'unknown_status')
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
    })

    test.each([
      ['another address', { to_address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D', amount: 25.123456 }],
      ['another amount, and no address', { to_address: null, amount: 24.1 }],
      ['neither', {}],
    ])('with %s is no evidence', async (_what, transaction) => {
      const { lookTwice } = setUp([])
      await withdrawal('25.123456')
      await userless(transaction)
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    })
  })

  test('another user’s list shows the payout as this user’s: no absence until a person decides', async () => {
    const { lookTwice } = setUp([])
    await withdrawal('25.123456')
    await stores.one.users.ensure('v', CALLED)
    const edges = [{ cursor: '0', inserted_at: '', node: payout() }]
    await stores.one.applyRecords('v', listedRecords(edges, STATUSES), { ledgerMode: 'embedded', ledgerStartMs: 0 })
    await lookTwice()
    await waitsForAPerson('25.123456')
  })

  /** An event of this merchant names another user for the payout. */
  async function toldOfAnother(): Promise<void> {
    const [listed] = listedRecords([{ cursor: '0', inserted_at: '', node: payout() }], STATUSES)
    if (!listed?.fact) throw new Error('no fact')
    await applyOneFact(stores.one, { ...listed.fact, source: 'webhook', user_reference_id: 'v' })
  }

  test('the list shows a payout that another user’s withdrawal has by an event: no absence until a person decides', async () => {
    const { lookTwice } = setUp([payout()])
    await withdrawal('25.123456')
    await stores.one.users.ensure('v', CALLED)
    await withdrawal('25.123456', { ...{ id: 'w2', idempotency_key: 'w2' }, user_reference_id: 'v' })
    await toldOfAnother()
    expect(await found('w2')).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    await lookTwice()
    expect([await found(), await held()]).toMatchObject([{ status: 'unknown', absent_scans: 0 }, '25.123456'])
    const lines = await stores.one.quarantine.list({ reason: 'list_conflict', settled: false, after: 0, limit: 9 })
    expect(lines).toMatchObject([{ transaction_uuid: UUID, user_reference_id: 'u' }])
    for (const { id } of lines) await stores.one.quarantine.settle(id, { by: 'merchant', now })
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  const linesAbout = async () =>
    (await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })).map(
      ({ id, reason, user_reference_id }) => ({ id, said: `${reason} ${user_reference_id ?? ''}` }),
    )

  /** This user's list shows the payout. */
  const listedOf = (user: string, more: Partial<TransactionRecord> = {}): Promise<unknown> =>
    stores.one.applyRecords(
      user,
      listedRecords([{ cursor: '0', inserted_at: '', node: payout({ user_ref_id: user, ...more }) }], STATUSES),
      { ledgerMode: 'embedded', ledgerStartMs: 0 },
    )

  describe('the list shows a payout that stands under another user', () => {
    async function withdrawalOfAnother(): Promise<void> {
      await stores.one.users.ensure('v', CALLED)
      await withdrawal('25.123456', { ...{ id: 'w2', idempotency_key: 'w2' }, user_reference_id: 'v' })
    }

    /** No absence, until a person has dismissed the lines of `u`. */
    async function countsOnceDismissed(expected: readonly string[]): Promise<void> {
      const { lookTwice } = setUp([payout()])
      await lookTwice()
      expect([await found(), await held()]).toMatchObject([{ status: 'unknown', absent_scans: 0 }, '25.123456'])
      const lines = await linesAbout()
      expect(lines.map(({ said }) => said).toSorted()).toEqual(expected)
      const own = lines.filter(({ said }) => said.endsWith(' u'))
      expect(own).toHaveLength(1)
      for (const { id } of own) await stores.one.quarantine.settle(id, { by: 'merchant', now })
      await lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    }

    test.each([['TXN_PROVIDER_SUCCEEDED'], ['TXN_NEW']])(
      'by that user’s list, which was read first (%s)',
      async (status) => {
        await withdrawal('25.123456')
        await withdrawalOfAnother()
        await listedOf('v', { status })
        expect(await found('w2')).toMatchObject({ transaction_uuid: UUID })
        await countsOnceDismissed(['contradiction u'])
      },
    )

    test('by an event, while a line of that user about it is open', async () => {
      await withdrawal('25.123456')
      await withdrawalOfAnother()
      await toldOfAnother()
      await listedOf('v', { amount: decimal('24') })
      await countsOnceDismissed(['list_conflict u', 'list_conflict v'])
    })

    test('since that user’s list showed it too, between the end of the scan and its judgement', async () => {
      await withdrawal('25.123456', { absent_scans: 1 })
      await stores.one.users.ensure('v', CALLED)
      const seen = payout({ amount: decimal('24') })
      const store: Store = {
        ...stores.one,
        async transaction(work) {
          await listedOf('v', { amount: decimal('24') })
          return stores.one.transaction(work)
        },
      }
      const { check } = setUp([seen], 0, { store })
      now = CALLED + 61 * MINUTE
      await check()
      expect(await stores.one.payouts.find(UUID)).toMatchObject({ user_reference_id: 'v' })
      expect([await found(), await held()]).toMatchObject([{ status: 'unknown', absent_scans: 1 }, '25.123456'])
      expect((await linesAbout()).filter(({ said }) => said.endsWith(' u'))).not.toEqual([])
    })

    const dismissAt = async (ms: number): Promise<void> => {
      const own = (await linesAbout()).filter(({ said }) => said.endsWith(' u'))
      expect(own).toHaveLength(1)
      for (const { id } of own) await stores.one.quarantine.settle(id, { by: 'merchant', now: ms })
    }

    test('since a line about it was dismissed by an instance whose clock is five minutes ahead', async () => {
      await withdrawal('25.123456')
      const seen = payout({ amount: decimal('24') })
      await listedOf('u', { amount: decimal('24') })
      await seed(stores.one, {
        quarantine: [sampleQuarantined({ reason: 'list_conflict', transaction_uuid: UUID })],
      })
      const open = (await linesAbout()).filter(({ said }) => said.startsWith('unmatched_payout'))
      for (const { id } of open) await stores.one.quarantine.settle(id, { by: 'merchant', now })
      await dismissAt(now + 5 * MINUTE)
      await stores.one.users.ensure('v', CALLED)
      now += MINUTE
      await listedOf('v', { amount: decimal('24') })
      expect(await stores.one.payouts.find(UUID)).toMatchObject({ user_reference_id: 'v' })
      await setUp([seen]).lookTwice()
      expect([await found(), await held()]).toMatchObject([{ status: 'unknown', absent_scans: 0 }, '25.123456'])
    })

    test('by an event, and its line is dismissed by an instance whose clock is a day behind', async () => {
      await withdrawal('25.123456')
      await withdrawalOfAnother()
      await toldOfAnother()
      await setUp([payout()]).lookTwice()
      expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
      await dismissAt(CALLED - 1440 * MINUTE)
      await setUp([payout()]).lookTwice()
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    })

    test('since that user’s list showed it too', async () => {
      await withdrawal('25.123456')
      await listedOf('u', { amount: decimal('24') })
      await stores.one.users.ensure('v', CALLED)
      await listedOf('v', { amount: decimal('24') })
      expect(await stores.one.payouts.find(UUID)).toMatchObject({ user_reference_id: 'v' })
      const { lookTwice } = setUp([payout({ amount: decimal('24') })])
      await lookTwice()
      expect([await found(), await held()]).toMatchObject([{ status: 'unknown', absent_scans: 0 }, '25.123456'])
      expect((await linesAbout()).filter(({ said }) => said.endsWith(' u'))).not.toEqual([])
    })
  })

  test('the list shows a payout whose event named another user: it is open with the user of the list', async () => {
    const { lookTwice } = setUp([payout()])
    await withdrawal('25.123456')
    await stores.one.users.ensure('v', CALLED)
    await toldOfAnother()
    expect(await stores.one.payouts.openOf(['v'])).toMatchObject([{ transaction_uuid: UUID }])
    await lookTwice()
    await waitsForAPerson('25.123456')
    expect(await stores.one.payouts.openOf(['v'])).toEqual([])
  })

  test('a partly unreadable list proves no absence, and its readable part counts', async () => {
    const unreadable: string[] = []
    const { lookTwice } = setUp([payout({ type: 'Deposit' })], 0, { unreadable: true, told: unreadable })
    await withdrawal('25.123456')
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0, attention: null })
    expect(await held()).toBe('25.123456')
    expect(unreadable).toEqual(['u', 'u', 'u'])
    expect(await stores.one.reconciliationDelays.countUnreadable()).toBe(1)
    await setUp([]).lookTwice()
    expect(await stores.one.reconciliationDelays.countUnreadable()).toBe(0)
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  test('once the payout is linked with its own withdrawal, nobody is asked any more', async () => {
    const record = payout({ amount: decimal('7') })
    const { lookTwice } = setUp([record])
    await withdrawal('25.123456')
    await lookTwice()
    await waitsForAPerson('25.123456')
    await withdrawal('7', { id: 'w2', idempotency_key: 'key-2', status: 'processing' })
    await lookTwice()
    expect(await found('w2')).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await found()).toMatchObject({ status: 'failed', attention: null })
    expect(await reports()).toEqual([])
  })

  test('a call by a machine an hour ahead, without the gateway’s time: its payout is not too old', async () => {
    const { lookTwice } = setUp([payout({ amount: decimal('24') }, CALLED - 60 * MINUTE)])
    await withdrawal('25.123456', { clock_offset_ms: null, checked_ms: CALLED })
    await lookTwice()
    await waitsForAPerson('25.123456')
  })

  test('a call by a machine an hour behind, without the gateway’s time: the hour begins with the first check', async () => {
    const { lookTwice } = setUp([])
    await withdrawal('25', { clock_offset_ms: null, call_ended_ms: CALLED - 60 * MINUTE, checks: 0 })
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
    await changeWithdrawal(stores.one, 'w1', { call_ended_ms: CALLED })
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  test.each([
    ['ahead of', 60],
    ['behind', -60],
  ])(
    'a call that no clock timed, and a second machine an hour %s the first one to check',
    async (_name, aheadMinutes) => {
      // The gateway's clock is the first machine's.
      const first = setUp([])
      await withdrawal('25', { clock_offset_ms: null, call_ended_ms: CALLED, checks: 0 })
      await first.check()
      const other = setUp([], -aheadMinutes * MINUTE)
      for (const at of [1, 2, 59]) {
        now = CALLED + (at + aheadMinutes) * MINUTE
        await other.check()
      }
      expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
      for (const at of [61, 62]) {
        now = CALLED + (at + aheadMinutes) * MINUTE
        await other.check()
      }
      expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
    },
  )

  test('a first check without a reply sets no end of the call: our clock may be hours behind', async () => {
    const first = setUp([], null, { away: true })
    await withdrawal('25', { clock_offset_ms: null, call_ended_ms: CALLED, checks: 0 })
    await expect(first.check()).rejects.toThrow('reading the list')
    const later = setUp([], 120 * MINUTE)
    for (const seconds of [10, 20, 30]) {
      now = CALLED + seconds * 1000
      await later.check()
    }
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
    await later.lookTwice()
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  test('the gateway’s time is known only after the first check, and our clock is two hours behind', async () => {
    const first = setUp([], null)
    await withdrawal('25', { clock_offset_ms: null, call_ended_ms: CALLED, checks: 0 })
    await first.check()
    const later = setUp([], 120 * MINUTE)
    for (const seconds of [2, 6, 10]) {
      now = CALLED + seconds * 1000
      await later.check()
    }
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
    await later.lookTwice()
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  test('the gateway never gives its time, and the second machine is two hours ahead of the first', async () => {
    const { check } = setUp([], null)
    await withdrawal('25', { clock_offset_ms: null, call_ended_ms: CALLED, checks: 0 })
    await check()
    aheadMs = 120 * MINUTE
    for (const seconds of [2, 6, 10]) {
      now = CALLED + aheadMs + seconds * 1000
      await check()
    }
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
    for (const minutes of [61, 62]) {
      now = CALLED + aheadMs + minutes * MINUTE
      await check()
    }
    expect(await found()).toMatchObject({ status: 'failed', failure: 'absent' })
  })

  test('a machine that has just started, two hours ahead, proves nothing about a call that was timed', async () => {
    const { check } = setUp([], null)
    await withdrawal('25')
    now = CALLED + 121 * MINUTE
    await check()
    await check()
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
  })

  test('the hour counts by the gateway’s clock, whatever the clock of the calling machine', async () => {
    const { lookTwice } = setUp([])
    // That machine was an hour behind, and the call ended ten minutes after it was recorded.
    await withdrawal('25', { call_ended_ms: CALLED - 50 * MINUTE, clock_offset_ms: 60 * MINUTE })
    await lookTwice()
    expect(await found()).toMatchObject({ status: 'unknown', absent_scans: 0 })
  })
})
