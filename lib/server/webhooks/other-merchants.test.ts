/** One gateway key may sign for many merchants: which events are ours, and which only the gateway's list confirms. */
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleOnramp, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import type { StatusOf } from '../ledger/transaction-statuses.ts'
import { createReceiveWebhook } from './receive-webhook.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const USDT = { id: 'c1', name: 'Tether USD', symbol: 'USDT', network: 'Tron', currency_code: 'USDT' }
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const NOW = Date.parse('2026-11-20T12:00:00Z')

interface Transfer {
  readonly kind?: 'deposit' | 'payout'
  readonly uuid: string
  readonly user?: string
  readonly amount?: string
  readonly status?: string
  readonly merchant?: string | null
  readonly hash?: string
}

function transferEvent({ kind = 'deposit', uuid, user = 'user_1', amount = '10', ...more }: Transfer): string {
  const type = kind === 'deposit' ? 'Deposit' : 'Payout'
  const { status = 'succeeded', merchant = 'ours', hash = null } = more
  return JSON.stringify({
    event: `User ${type}`,
    transaction: { id: uuid, status, currency: USDT, amount: 'AMOUNT', to_address: ADDRESS, tx_hash: hash },
    transaction_uuid: uuid,
    user_reference: user,
    ...(merchant === null ? {} : { merchant_reference: merchant }),
  }).replace('"AMOUNT"', amount)
}

const onrampEvent = (uuid: string, more: object): string =>
  JSON.stringify({
    event: 'User Onramp',
    transaction: {
      id: uuid,
      status: 'succeeded',
      to_amount: 7,
      to_currency: { code: 'USDT', network: 'Tron' },
      tx_hash: 'hash',
    },
    transaction_uuid: uuid,
    user_reference: 'user_1',
    correlation_key: null,
    session_reference: null,
    ...more,
  })

function record({ kind = 'deposit', uuid, user = 'user_1', amount = '10', ...more }: Transfer): ListedRecord {
  const status = (more.status ?? 'succeeded') as StatusOf<'deposit'>
  const { name, symbol, network, currency_code } = USDT
  return {
    transaction_uuid: uuid,
    user_reference_id: user,
    type: kind === 'deposit' ? 'Deposit' : 'Payout',
    status,
    inserted_at: new Date(NOW).toISOString(),
    cursor: uuid,
    record: JSON.stringify({ uuid, amount, status }),
    currency: { id: USDT.id, name, symbol, network, currency_code },
    fact: {
      kind,
      transaction_uuid: uuid,
      status,
      source: 'reconciliation',
      user_reference_id: user,
      currency_id: USDT.id,
      currency_code,
      network,
      amount: decimal(amount),
      amount_usd: null,
      to_address: ADDRESS,
      from_address: null,
      tx_hash: null,
      payment_method: null,
      provider_transaction_id: null,
      from_amount: null,
      from_currency: null,
      correlation_key: null,
      session_reference: null,
      occurred_at: new Date(NOW).toISOString(),
    },
  }
}

describe.each(FLAVOURS)('on %s', (flavour) => {
  let database: TestDatabase
  let store: Store
  let uuid: string

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    store = await openStore({ url: database.url, clock: () => NOW, deliver: false })
    await store.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    for (const user of ['user_1', 'user_2']) {
      await store.users.ensure(user, NOW)
      await store.reconcileQueue.claimDue('sweep', 1, 1)
      await store.users.reconciled(user, NOW, null)
    }
    uuid = randomUUID()
  })

  afterEach(async () => {
    expect((await store.snapshot(checkLedger)).faults).toEqual([])
    await store.close()
    await database.remove()
  })

  let ledgerMode: LedgerMode
  let ledgerStartMs: number
  beforeEach(() => {
    ledgerMode = 'embedded'
    ledgerStartMs = 0
  })
  const send = async (body: string, { pinned = true, ageS = 0 } = {}) => {
    const rules = { ledgerMode, ledgerStartMs, merchantReference: pinned ? 'ours' : null }
    const receive = createReceiveWebhook({ store, publicKey, clock: () => NOW, toleranceS: 300, ...rules })
    const timestamp = String(NOW / 1000 - ageS)
    const signature = createSign('RSA-SHA256').update(body).update(timestamp).sign(privateKey, 'base64')
    const rawBody = Buffer.from(body)
    return receive({ rawBody, signature, timestamp })
  }
  const unpinned = (body: string) => send(body, { pinned: false })
  const list = (...records: readonly ListedRecord[]) =>
    store.applyRecords('user_1', records, { ledgerMode, ledgerStartMs })
  const available = async (user = 'user_1') => (await store.ledger.balance(user, USDT.id)).available
  const held = async () => (await store.ledger.balance('user_1', USDT.id)).held
  /** How many events may tell of a payout that is not stored. */
  const unread = async (): Promise<number> => (await store.quarantine.unreadPayouts('user_1')).length

  const reasons = async () =>
    (await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 100 })).map(({ reason }) => reason)
  const due = async () =>
    (
      await Promise.all([
        store.reconcileQueue.claimDue('open', 9, 1),
        store.reconcileQueue.claimDue('quarantined', 9, 1),
      ])
    )
      .flat()
      .map((row) => row.user_reference_id)
  const published = async (user = 'user_1') =>
    (await store.events.after(user, 0, 100)).filter(({ type }) => type === 'transaction')
  const told = async (user = 'user_1') => (await published(user)).length

  const withdrawal = async (more: object = {}) => {
    const row = sampleWithdrawal({
      user_reference_id: 'user_1',
      amount: decimal('10'),
      wallet_address: ADDRESS,
      called_ms: NOW,
      call_ended_ms: NOW,
      ...more,
    })
    const owner = { user_reference_id: 'user_1', currency_id: USDT.id, amount: decimal('10') }
    await seed(store, {
      withdrawals: [row],
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: `hold:${row.id}`, ...owner },
      ],
    })
  }
  const withdrawalStatus = async () => (await store.withdrawals.find('w1'))?.status

  test.each([
    ['another merchant', { merchant: 'stranger' }],
    ['no merchant', { merchant: null }],
    ['another merchant and an unknown status', { merchant: 'stranger', status: 'refunded' }],
    ['another merchant, for a payout', { merchant: 'stranger', kind: 'payout' as const }],
  ])('an event that names %s books nothing, and the list is asked', async (_name, change) => {
    expect(await send(transferEvent({ uuid, amount: '1000000', ...change }))).toEqual({ status: 200, duplicate: false })
    expect(await reasons()).toEqual(['other_merchant'])
    expect([await available(), await told(), await due()]).toEqual(['0', 0, ['user_1']])
  })

  test('the owner of an event is checked before repetition and age', async () => {
    expect(await send(transferEvent({ uuid }))).toEqual({ status: 200, duplicate: false })
    expect(await available()).toBe('10')
    const foreign = transferEvent({ uuid, merchant: 'stranger' })
    expect(await send(foreign)).toEqual({ status: 200, duplicate: false })
    expect(await send(foreign, { ageS: 3600 })).toEqual({ status: 200, duplicate: false })
    expect(await reasons()).toEqual(['other_merchant', 'other_merchant'])
    expect(await send(transferEvent({ uuid }))).toEqual({ status: 200, duplicate: true })
    expect(await available()).toBe('10')
  })

  test('with no reference set, a deposit is published at once and credited after the list confirms it', async () => {
    expect(await unpinned(transferEvent({ uuid, merchant: 'anybody' }))).toEqual({ status: 200, duplicate: false })
    expect([await available(), await told(), await due()]).toEqual(['0', 1, ['user_1']])
    expect(await store.openStates.span('user_1')).toEqual({ oldestMs: NOW, newestMs: NOW })
    await list(record({ uuid, status: 'processing' }))
    expect(await available()).toBe('0')
    expect(await list(record({ uuid }))).toBe(0)
    expect([await available(), await told()]).toEqual(['10', 1])
    expect(await store.openStates.span('user_1')).toBeNull()
    expect(await unpinned(transferEvent({ uuid }))).toEqual({ status: 200, duplicate: true })
    await unpinned(transferEvent({ uuid, status: 'processing' }))
    expect([await available(), await reasons()]).toEqual(['10', []])
  })

  test('if the merchant keeps the books, the success of a deposit is published once the list shows it', async () => {
    ledgerMode = 'merchant'
    await unpinned(transferEvent({ uuid, status: 'processing', merchant: 'anybody' }))
    expect(await told()).toBe(1)
    expect(await unpinned(transferEvent({ uuid, merchant: 'anybody' }))).toEqual({ status: 200, duplicate: false })
    expect([await told(), await due()]).toEqual([1, ['user_1']])
    await list(record({ uuid, status: 'processing' }))
    expect(await told()).toBe(1)
    await list(record({ uuid }))
    expect((await published()).map(({ data }) => (JSON.parse(data) as { status: string }).status)).toEqual([
      'processing',
      'succeeded',
    ])
    expect(await store.openStates.span('user_1')).toBeNull()
    await list(record({ uuid }))
    expect(await unpinned(transferEvent({ uuid }))).toEqual({ status: 200, duplicate: true })
    expect(await told()).toBe(2)
  })

  test('a clock that is behind when LEDGER_START passes makes no listed deposit older', async () => {
    ledgerStartMs = NOW + 60_000
    const inserted_at = new Date(NOW + 90_000).toISOString()
    await list({ ...record({ uuid, status: 'processing' }), inserted_at })
    await send(transferEvent({ uuid }).replace('"status"', `"date":"${inserted_at}","status"`))
    expect([await available(), await reasons()]).toEqual(['10', []])
  })

  test.each<[string, string, string]>([
    ['is from then, too', '2026-11-10T12:00:00Z', '0'],
    ['is from after it', '2026-11-20T11:00:00Z', '10'],
  ])(
    'a deposit event dated before LEDGER_START waits for the list, whose record %s',
    async (_name, inserted_at, due) => {
      ledgerStartMs = NOW - 86_400_000
      await send(transferEvent({ uuid }).replace('"status"', '"date":"2026-11-10T12:00:00Z","status"'))
      expect(await available()).toBe('0')
      await list({ ...record({ uuid }), inserted_at })
      expect([await available(), await reasons()]).toEqual([due, []])
    },
  )

  describe('a deposit under way at LEDGER_START, whose success is dated after it', () => {
    const HOUR = 3_600_000
    const dated = (ms: number, status: string) =>
      transferEvent({ uuid, status }).replace('"status"', `"date":"${new Date(ms).toISOString()}","status"`)
    const listed = (ms: number) => list({ ...record({ uuid }), inserted_at: new Date(ms).toISOString() })
    beforeEach(() => {
      ledgerStartMs = NOW - 11 * HOUR
    })

    test.each(['embedded', 'merchant'] as const)('is credited by nobody, if %s books are kept', async (mode) => {
      ledgerMode = mode
      await send(dated(NOW, 'succeeded'))
      expect([await available(), await due()]).toEqual(['0', ['user_1']])
      await listed(ledgerStartMs - HOUR)
      expect([await available(), await reasons()]).toEqual(['0', []])
      if (mode === 'merchant') expect(await told()).toBe(0)
    })

    test('is credited once the list says that it is from after it', async () => {
      await send(dated(NOW, 'succeeded'))
      await listed(ledgerStartMs)
      expect([await available(), await told(), await reasons()]).toEqual(['10', 1, []])
    })

    test.each([
      ['without a zone', '2026-11-20T12:00:00'],
      ['that nobody can read', 'yesterday'],
    ])('waits for the list by a date %s, wherever the cashier runs', async (_name, date) => {
      vi.stubEnv('TZ', 'America/Los_Angeles')
      await send(transferEvent({ uuid }).replace('"status"', `"date":"${date}","status"`))
      vi.unstubAllEnvs()
      expect(await available()).toBe('0')
      await listed(ledgerStartMs - HOUR)
      expect([await available(), await reasons()]).toEqual(['0', []])
    })

    test('waits for the list, however late it succeeds', async () => {
      ledgerStartMs = NOW - 500 * HOUR
      await send(dated(ledgerStartMs - HOUR, 'processing'))
      await send(dated(NOW, 'succeeded'))
      expect(await available()).toBe('0')
      await listed(ledgerStartMs - HOUR)
      expect([await available(), await reasons()]).toEqual(['0', []])
    })
  })

  describe('a purchase before LEDGER_START', () => {
    const bought = (status: string, date: string) =>
      onrampEvent(uuid, { session_reference: 'o1' }).replace(
        '"status":"succeeded"',
        `"status":"${status}","date":"${date}"`,
      )
    const deposit = record({ uuid: 'd', amount: '7' })
    const sendDeposit = (inserted_at: string) =>
      list({ ...deposit, inserted_at, fact: deposit.fact && { ...deposit.fact, tx_hash: '0xhash' } })
    beforeEach(async () => {
      ledgerStartMs = NOW
      await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1', currency_id: USDT.id }))
    })

    test.each(['embedded', 'merchant'] as const)('is booked nowhere, if %s books are kept', async (mode) => {
      ledgerMode = mode
      await send(bought('processing', '2026-11-20T11:50:00Z'))
      await send(bought('succeeded', '2026-11-20T11:59:59Z'))
      expect([await available(), await told(), await reasons()]).toEqual(['0', 0, []])
      await sendDeposit('2026-11-20T11:59:00Z')
      expect([await available(), await told(), await reasons()]).toEqual(['0', 0, []])
    })

    test('is booked by its deposit, if the list says that the deposit is from after the start', async () => {
      await send(bought('succeeded', '2026-11-20T11:59:59Z'))
      await sendDeposit('2026-11-20T12:00:00Z')
      expect([await available(), await told(), await reasons()]).toEqual(['7', 1, []])
    })

    test.each([true, false])(
      'is booked nowhere if its deposit is from before the start; the deposit first: %s',
      async (isFirst) => {
        const old = () => sendDeposit('2026-11-20T11:59:59Z')
        if (isFirst) await old()
        await send(bought('succeeded', '2026-11-20T12:00:00Z'))
        await old()
        expect([await available(), await told(), await reasons()]).toEqual(['0', 1, []])
        expect((await store.snapshot(checkLedger)).faults).toEqual([])
      },
    )

    test('whose credit was spent before such a deposit takes it back is told to a person', async () => {
      await send(bought('succeeded', '2026-11-20T12:00:00Z'))
      const spent = { booking: 'adjustment', posting_key: 'adjustment:spent', amount: decimal('-7') } as const
      await seed(store, { bookings: [{ ...spent, user_reference_id: 'user_1', currency_id: USDT.id }] })
      await sendDeposit('2026-11-20T11:59:59Z')
      expect([await available(), await reasons()]).toEqual(['-7', ['contradiction']])
    })

    test('is credited if it succeeds after the start', async () => {
      await send(bought('processing', '2026-11-20T11:59:59Z'))
      await send(bought('succeeded', '2026-11-20T12:00:00Z'))
      await send(bought('pending', '2026-11-20T11:58:00Z'))
      expect([await available(), await told(), await reasons()]).toEqual(['7', 1, []])
    })
  })

  test.each(['embedded', 'merchant'] as const)(
    'a deposit that %s books have, and that the list says is from before LEDGER_START, is told to a person',
    async (mode) => {
      ledgerMode = mode
      ledgerStartMs = NOW - 86_400_000
      await send(transferEvent({ uuid }))
      await list({ ...record({ uuid }), inserted_at: '2026-11-10T12:00:00Z' })
      expect([await told(), await reasons()]).toEqual([1, ['contradiction']])
    },
  )

  test('the list first, then the webhook, then a late `processing`: one credit', async () => {
    expect(await list(record({ uuid }))).toBe(1)
    expect(await unpinned(transferEvent({ uuid }))).toEqual({ status: 200, duplicate: false })
    await unpinned(transferEvent({ uuid, status: 'processing' }))
    expect([await available(), await told(), await reasons()]).toEqual(['10', 1, []])
  })

  test('a deposit of unknown origin replaces no purchase of ours', async () => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1' }))
    await unpinned(onrampEvent(randomUUID(), { correlation_key: 'k1' }))
    await unpinned(transferEvent({ uuid, hash: 'hash', amount: '0.01' }))
    expect(await available()).toBe('7')
    await unpinned(onrampEvent(randomUUID(), { session_reference: 'o1', status: 'processing' }))
    await list(record({ uuid, amount: '0.01' }))
    expect(await available()).toBe('0.01')
  })

  test('with no reference set, a payout event settles a withdrawal once the list shows it', async () => {
    await withdrawal()
    await unpinned(transferEvent({ uuid, kind: 'payout', merchant: 'anybody' }))
    expect([await withdrawalStatus(), await held(), await due()]).toEqual(['processing', '10', ['user_1']])
    await list(record({ uuid, kind: 'payout', status: 'processing' }))
    expect([await withdrawalStatus(), await held()]).toEqual(['processing', '10'])
    await list(record({ uuid, kind: 'payout' }))
    expect([await withdrawalStatus(), await held(), await available()]).toEqual(['succeeded', '0', '0'])
  })

  test('a payout event dated without a zone settles its withdrawal, wherever the cashier runs', async () => {
    await withdrawal()
    vi.stubEnv('TZ', 'Asia/Tokyo')
    await send(transferEvent({ uuid, kind: 'payout' }).replace('"status"', '"date":"2026-11-20 12:00:01","status"'))
    vi.unstubAllEnvs()
    expect([await withdrawalStatus(), await held(), await reasons()]).toEqual(['succeeded', '0', []])
  })

  test('a payout event with the id from the gateway’s own reply settles the withdrawal at once', async () => {
    await withdrawal({ transaction_uuid: uuid, reply_transaction_uuid: uuid })
    await unpinned(transferEvent({ uuid, kind: 'payout', merchant: 'anybody' }))
    expect([await withdrawalStatus(), await held()]).toEqual(['succeeded', '0'])
  })

  test('the feed has the gateway’s name for the merchant', async () => {
    const references = async () =>
      (await store.events.feedAfter(0, 9)).map(
        ({ data }) => (JSON.parse(data) as { merchant_reference?: string }).merchant_reference,
      )
    await send(transferEvent({ uuid, status: 'processing' }))
    await withdrawal()
    await send(transferEvent({ uuid: randomUUID(), kind: 'payout' }))
    const another = randomUUID()
    await unpinned(transferEvent({ uuid: another, status: 'processing', merchant: 'anybody' }))
    await list(record({ uuid: another, status: 'processing' }))
    await list(record({ uuid: another }))
    expect(await references()).toEqual(['ours', 'ours', 'anybody', 'anybody'])
    expect((await published()).some(({ data }) => data.includes('merchant_reference'))).toBe(false)
  })

  test('a payout event that fits no withdrawal is published at once, and only once', async () => {
    await unpinned(transferEvent({ uuid, kind: 'payout' }))
    expect(await told()).toBe(1)
    await list(record({ uuid, kind: 'payout' }))
    expect(await told()).toBe(1)
  })

  test.each<[string, object, string]>([
    ['of our session, by its key', { correlation_key: 'k1' }, '7'],
    ['of our session, by our reference', { session_reference: 'o1' }, '7'],
    ['of another user’s session', { correlation_key: 'k2' }, '0'],
    ['of another user’s session, by reference', { session_reference: 'o2' }, '0'],
    ['of no session of ours', { correlation_key: 'foreign', session_reference: 'foreign' }, '0'],
    ['without any session', {}, '0'],
    ['to a custom wallet, without a user', { session_reference: 'o1', user_reference: null }, '0'],
    ['to a custom wallet, with a user', { correlation_key: 'wallet:1' }, '0'],
  ])('an on-ramp %s', async (_name, more, credited) => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1' }))
    await store.onramps.insert(sampleOnramp({ id: 'o2', user_reference_id: 'user_2', correlation_key: 'k2' }))
    expect(await send(onrampEvent(uuid, more))).toEqual({ status: 200, duplicate: false })
    expect([await available(), await available('user_2'), await reasons()]).toEqual([credited, '0', []])
    expect((await store.transactions.find('onramp', uuid))?.status).toBe('succeeded')
    await send(transferEvent({ uuid: randomUUID(), hash: 'hash', amount: '6.9' }))
    expect(await available()).toBe('6.9')
  })

  const REFERENCE = 'o1'
  const ours = { correlation_key: `ours:${REFERENCE}`, session_reference: REFERENCE }
  const theirs = { correlation_key: `theirs:${REFERENCE}`, session_reference: REFERENCE }

  const processing = (more: object) => onrampEvent(uuid, more).replace('"succeeded"', '"processing"')

  test('another merchant’s on-ramp with our reference is refused, also after an event without a key', async () => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1', correlation_key: ours.correlation_key }))
    await send(processing(theirs))
    expect(await store.transactions.find('onramp', uuid)).toBeNull()
    await send(processing({ session_reference: REFERENCE }))
    expect((await store.transactions.find('onramp', uuid))?.onramp_session_id).toBe(REFERENCE)
    expect(await send(onrampEvent(uuid, theirs))).toEqual({ status: 200, duplicate: false })
    expect([await available(), await reasons(), await due()]).toEqual([
      '0',
      ['other_merchant', 'other_merchant'],
      ['user_1'],
    ])
    await send(onrampEvent(uuid, ours))
    expect(await available()).toBe('7')
  })

  test('a key in another format than the session’s is another’s: the purchase is recorded, and books nothing', async () => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1', correlation_key: ours.correlation_key }))
    await send(onrampEvent(uuid, { correlation_key: 'anything', session_reference: REFERENCE }))
    expect([await available(), await reasons()]).toEqual(['0', []])
    expect((await store.transactions.find('onramp', uuid))?.onramp_session_id).toBeNull()
  })

  test('no reference finds a session of the legacy on-ramp', async () => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1', correlation_key: null }))
    await send(onrampEvent(uuid, { session_reference: REFERENCE }))
    expect([await available(), (await store.transactions.find('onramp', uuid))?.onramp_session_id]).toEqual(['0', null])
  })

  test.each<[string, Transfer | Pick<Transfer, 'amount'>]>([
    ['amount', { amount: '1000' }],
    ['user', { uuid: '', user: 'user_2' }],
  ])('webhook first, list with another %s: one list_conflict, and nothing more is booked', async (field, change) => {
    const webhook = field === 'user' ? { uuid, user: 'user_2' } : { uuid }
    const records = [record({ uuid, amount: field === 'user' ? '10' : (change.amount ?? '') })]
    await send(transferEvent(webhook))
    await list(...records)
    await list(...records)
    await list({ ...records[0]!, record: '{"n":2}' })
    expect(await reasons()).toEqual(['list_conflict'])
    expect([await available(), await available('user_2')]).toEqual(field === 'user' ? ['0', '10'] : ['10', '0'])
    expect(await send(transferEvent(webhook))).toEqual({ status: 200, duplicate: true })
  })

  test('with no reference set, nothing is booked if the list differs', async () => {
    await unpinned(transferEvent({ uuid }))
    await list(record({ uuid, amount: '1000' }))
    await list(record({ uuid, amount: '10' }))
    expect([await available(), await reasons()]).toEqual(['0', ['list_conflict', 'list_conflict']])
  })

  test('list first, webhook with another amount: the booking stays, one list_conflict', async () => {
    await list(record({ uuid, amount: '1000' }))
    expect(await send(transferEvent({ uuid }))).toEqual({ status: 200, duplicate: false })
    expect(await send(transferEvent({ uuid }))).toEqual({ status: 200, duplicate: false })
    expect([await available(), await reasons(), await due()]).toEqual(['1000', ['list_conflict'], ['user_1']])
  })

  describe('a record in a user’s list that names another user', () => {
    const foreign = () => record({ uuid, user: 'user_2' })
    const state = async () => [await available(), await available('user_2'), await reasons()]

    test.each([true, false])(
      'after the webhook (reference pinned: %s): one list_conflict, one foreign_record, nobody else is credited',
      async (pinned) => {
        await send(transferEvent({ uuid }), { pinned })
        for (let at = 0; at < 2; at += 1) await list(foreign())
        expect(await state()).toEqual([pinned ? '10' : '0', '0', ['list_conflict', 'foreign_record']])
      },
    )

    test('before the webhook: nothing is credited, and no transaction is shown', async () => {
      for (let at = 0; at < 2; at += 1) await list(foreign())
      expect([await store.transactions.find('deposit', uuid), await state()]).toEqual([
        null,
        ['0', '0', ['foreign_record']],
      ])
      for (let at = 0; at < 2; at += 1) await send(transferEvent({ uuid }))
      expect([await state(), await told()]).toEqual([['0', '0', ['foreign_record', 'list_conflict']], 0])
    })

    test.each(['processing', 'succeeded'])('and later this user, %s at first: one list_conflict', async (status) => {
      await list(record({ uuid, user: 'user_2', status }))
      for (let at = 0; at < 2; at += 1) await list(record({ uuid }))
      expect(await state()).toEqual(['0', '0', ['foreign_record', 'list_conflict']])
    })

    test.each([
      ['webhook', () => send(transferEvent({ uuid, user: 'user_2' }))],
      ['own list', () => store.applyRecords('user_2', [foreign()], { ledgerMode, ledgerStartMs: 0 })],
    ])('the %s of the named user is applied normally', async (_name, come) => {
      await list(foreign())
      await come()
      await list(foreign())
      expect(await state()).toEqual(['0', '10', ['foreign_record']])
    })
  })

  test('an event with the id of a listed currency gets the list’s names', async () => {
    await send(transferEvent({ uuid }).replace('"USDT"}', '"EVIL"}'))
    const [feed] = await store.events.feedAfter(0, 9)
    for (const text of [feed?.data, (await published())[0]?.data])
      expect(text).toContain('"currency_code":"USDT","network":"Tron"')
    expect(await store.transactions.find('deposit', uuid)).toMatchObject({ currency_code: 'USDT', network: 'Tron' })
  })

  test('a quoted amount is not an amount', async () => {
    await send(transferEvent({ uuid }).replace('"amount":10', '"amount":"10"'))
    expect([await available(), await reasons()]).toEqual(['0', ['unreadable']])
  })

  test('a repeated event for an unknown user is in conflict', async () => {
    await send(transferEvent({ uuid }))
    await send(transferEvent({ uuid, user: 'nobody' }))
    expect([await available(), await reasons()]).toEqual(['10', ['conflict']])
  })

  test('hashes that are not hexadecimal ignore case too if the network does', async () => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1' }))
    await send(onrampEvent(uuid, { correlation_key: 'k1' }).replace('"hash"', '"0xHash-1"'))
    await send(transferEvent({ uuid: randomUUID(), hash: 'hash-1', amount: '6.9' }))
    expect(await available()).toBe('6.9')
  })

  test('a list_conflict has one open line; after its dismissal a webhook adds another, the list only by a change', async () => {
    const differs = record({ uuid, amount: '1000' })
    await list(differs)
    for (let at = 0; at < 2; at += 1) await send(transferEvent({ uuid }))
    const [line] = await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    await store.quarantine.settle(line?.id ?? 0, { by: 'merchant', now: NOW })
    await list({ ...differs, record: '{"n":2}' })
    expect(await reasons()).toEqual([])
    for (const record of ['{"n":3}', '{"n":4}'])
      await list({ ...differs, record, fact: { ...differs.fact!, amount: decimal('999') } })
    expect(await reasons()).toEqual(['contradiction'])
    await send(transferEvent({ uuid }))
    await send(transferEvent({ uuid, amount: '99' }))
    expect([await available(), await reasons()]).toEqual(['1000', ['contradiction', 'list_conflict']])
  })

  test('a copy of an on-ramp’s success that first names its session is a duplicate, and credits it', async () => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1' }))
    const named = onrampEvent(uuid, { session_reference: 'o1' })
    expect(await send(onrampEvent(uuid, {}))).toEqual({ status: 200, duplicate: false })
    expect(await available()).toBe('0')
    for (let at = 0; at < 2; at += 1) expect(await send(named)).toEqual({ status: 200, duplicate: true })
    expect([await available(), await reasons()]).toEqual(['7', []])
  })

  test('a copy of an on-ramp is a duplicate, even after changes of the currencies', async () => {
    const body = onrampEvent(uuid, {})
    await send(body)
    const other = { ...USDT, id: 'c2' }
    for (const currencies of [[USDT, { ...other, name: 'Other' }], [other]]) {
      await store.transaction((tx) => tx.currencies.replaceListed(currencies, tx.now))
      expect(await send(body)).toEqual({ status: 200, duplicate: true })
    }
    expect(await reasons()).toEqual([])
  })

  test('a purchase to the user’s own wallet credits nobody, whatever user its event names', async () => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1', wallet_address: ADDRESS }))
    expect(await send(onrampEvent(uuid, { session_reference: 'o1' }))).toEqual({ status: 200, duplicate: false })
    expect([await available(), await reasons()]).toEqual(['0', []])
    expect(await store.transactions.find('onramp', uuid)).toMatchObject({
      status: 'succeeded',
      user_reference_id: null,
      onramp_session_id: 'o1',
    })
  })

  test('if the merchant keeps the books, a success in conflict with the list is not published', async () => {
    ledgerMode = 'merchant'
    await unpinned(transferEvent({ uuid, status: 'processing', amount: '1000000' }))
    await list(record({ uuid, status: 'processing' }))
    await unpinned(transferEvent({ uuid, amount: '1000000' }))
    expect([await told(), await reasons()]).toEqual([1, ['list_conflict']])
  })

  test('a withdrawal follows its payout even if webhook and list differ in the amount', async () => {
    await withdrawal({ transaction_uuid: uuid })
    await list(record({ uuid, kind: 'payout', status: 'processing' }))
    await send(transferEvent({ uuid, kind: 'payout', status: 'processing', amount: '9.9' }))
    expect([await withdrawalStatus(), await reasons()]).toEqual(['processing', ['list_conflict']])
    await list(record({ uuid, kind: 'payout' }))
    expect([await withdrawalStatus(), await held(), await reasons()]).toEqual(['succeeded', '0', ['list_conflict']])
  })

  test('a payout in conflict settles no withdrawal', async () => {
    await send(transferEvent({ uuid, kind: 'payout', status: 'processing', amount: '9' }))
    await list(record({ uuid, kind: 'payout', status: 'processing' }))
    await withdrawal()
    await send(transferEvent({ uuid, kind: 'payout', amount: '10' }))
    await list(record({ uuid, kind: 'payout' }))
    const lines = ['unmatched_payout', 'list_conflict']
    expect([await withdrawalStatus(), await held(), await reasons()]).toEqual(['processing', '10', lines])
  })

  test.each([
    ['stale', transferEvent({ uuid: 'a' }), 3600],
    ['unknown_event', transferEvent({ uuid: 'a' }).replace('User Deposit', 'User Refund'), 0],
    ['unreadable', '{"event":"User Deposit","user_reference":"user_1"}', 0],
  ])('%s of a known user: the list is asked at once', async (reason, body, ageS) => {
    await send(body, { ageS })
    expect([await reasons(), await due()]).toEqual([[reason], ['user_1']])
  })

  test('an event of an unknown kind stays one, whatever merchant it names', async () => {
    await send(transferEvent({ uuid, kind: 'payout', merchant: 'theirs' }).replace('User Payout', 'User Withdrawal'))
    expect([await reasons(), await unread()]).toEqual([['unknown_event'], 1])
  })

  test('an unreadable payout that names another merchant is not ours: it bars no absence', async () => {
    const change = (event: string): string => event.replace(':10,', ':"10",')
    await send(change(transferEvent({ uuid, kind: 'payout', merchant: 'theirs' })))
    expect([await reasons(), await unread()]).toEqual([['other_merchant'], 0])
    await send(change(transferEvent({ uuid, kind: 'payout' })))
    expect(await unread()).toBe(1)
  })

  test('an empty key links no transfers', async () => {
    await store.onramps.insert(sampleOnramp({ user_reference_id: 'user_1', correlation_key: '' }))
    await send(onrampEvent(uuid, { correlation_key: '', session_reference: 'o1' }))
    await send(transferEvent({ uuid: randomUUID(), amount: '5' }))
    expect(await available()).toBe('12')
    expect((await store.transactions.find('onramp', uuid))?.correlation_key).toBeNull()
  })
})
