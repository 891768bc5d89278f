import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { checkLedger } from '../store/commands/check-ledger.ts'
import { openStore, type Store } from '../store/store.ts'
import { allRows } from '../store/testing/all-rows.ts'
import { sampleOnramp, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createReceiveWebhook, type IncomingWebhook } from './receive-webhook.ts'
import { createReleaseJob } from './release-job.ts'
import { reapply, releasePage, releaseUser } from './release-quarantine.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const USDT = {
  id: '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11',
  name: 'Tether USD',
  symbol: 'USDT',
  network: 'Ethereum',
  currency_code: 'USDT',
}
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

const RULES = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'm' } as const

type Fields = Record<string, unknown>

/** A deposit's body. `amount` is inserted as text, so that every digit is sent. */
function deposit(change: Fields = {}, inner: Fields = {}, amount = '12.5'): string {
  const uuid = (change['transaction_uuid'] as string | undefined) ?? randomUUID()
  const body = {
    event: 'User Deposit',
    transaction: {
      id: uuid,
      status: 'succeeded',
      date: '2026-01-02T03:04:05Z',
      currency: USDT,
      amount: 'AMOUNT',
      to_address: ADDRESS,
      from_address: ADDRESS,
      tx_hash: `0x${'ab'.repeat(32)}`,
      transaction_type: 'Deposit',
      ...inner,
    },
    transaction_uuid: uuid,
    user_reference: 'user_1',
    merchant_reference: 'm',
    payment_method: 'Deposit',
    ...change,
  }
  return JSON.stringify(body).replace('"AMOUNT"', amount)
}

function onramp(change: Fields = {}, inner: Fields = {}): string {
  const uuid = randomUUID()
  return JSON.stringify({
    event: 'User Onramp',
    transaction: {
      id: uuid,
      status: 'succeeded',
      transaction_type: 'onramp',
      date: '2026-01-02T03:04:05Z',
      provider_transaction_id: 'p',
      tx_hash: `0x${'cd'.repeat(32)}`,
      to_amount: 7,
      to_currency: { code: 'USDT', name: 'Tether USD', network: 'Ethereum' },
      from_amount: 8,
      from_currency: 'EUR',
      ...inner,
    },
    transaction_uuid: uuid,
    user_reference: 'user_1',
    payment_method: 'card',
    correlation_key: 'm:1',
    session_reference: null,
    ...change,
  })
}

/** An on-ramp for which no session of ours gives the currency. */
const foreignOnramp = (): string => onramp({ correlation_key: 'foreign:1' })

const sessionOf = (id: string, correlation_key: string) =>
  sampleOnramp({ id, correlation_key, user_reference_id: 'user_1', currency_id: USDT.id, network: USDT.network })

describe.each(FLAVOURS)('webhooks on %s', (flavour) => {
  let database: TestDatabase
  let store: Store
  let receive: (webhook: IncomingWebhook) => ReturnType<ReturnType<typeof createReceiveWebhook>>
  let nowMs: number

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    nowMs = Date.parse('2026-11-20T12:00:00Z')
    store = await openStore({ url: database.url, clock: () => nowMs, deliver: false })
    await store.users.ensure('user_1', nowMs)
    await store.users.ensure('user_2', nowMs)
    await store.onramps.insert(sessionOf('o1', 'm:1'))
    receive = receiver('m')
  })

  afterEach(async () => {
    await store.close()
    await database.remove()
  })

  const receiver = (merchantReference: string | null) =>
    createReceiveWebhook({
      store,
      publicKey,
      clock: () => nowMs,
      toleranceS: 300,
      ledgerMode: 'embedded',
      ledgerStartMs: 0,
      merchantReference,
    })

  const signed = (
    body: string | Buffer,
    at = Math.floor(nowMs / 1000).toString(),
    key = privateKey,
  ): IncomingWebhook => {
    const rawBody = Buffer.from(body)
    const signature = createSign('RSA-SHA256').update(rawBody).update(at).sign(key, 'base64')
    return { rawBody, signature, timestamp: at }
  }

  const available = async (user = 'user_1'): Promise<string> => (await store.ledger.balance(user, USDT.id)).available
  const reasons = async (): Promise<string[]> =>
    (await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 100 })).map(({ reason }) => reason)

  /** One round of the job. Returns the number of applied events. */
  const release = (): Promise<number> =>
    createReleaseJob({
      store,
      release: (rows) => releasePage({ store, ...RULES }, rows),
      clock: () => nowMs,
      holder: 'one',
      onFault: (error) => {
        throw error
      },
    }).runOnce()

  test('a new deposit is credited with every digit, a repetition is a duplicate', async () => {
    const body = deposit({}, {}, '123456789012345678.123456789012345678')
    expect(await receive(signed(body))).toEqual({ status: 200, duplicate: false })
    expect(await receive(signed(body))).toEqual({ status: 200, duplicate: true })
    expect(await available()).toBe('123456789012345678.123456789012345678')
    expect(await receive(signed(deposit({}, {}, '1e-18')))).toEqual({ status: 200, duplicate: false })
    expect(await available()).toBe('123456789012345678.123456789012345679')
    expect((await store.snapshot(checkLedger)).faults).toEqual([])
  })

  test('a signature in another format, by another key or of other bytes is refused', async () => {
    const good = signed(deposit())
    const bad: Partial<IncomingWebhook>[] = [
      { signature: good.signature.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') },
      { signature: signed(deposit(), undefined, stranger).signature },
      { rawBody: Buffer.from('{}') },
    ]
    for (const change of bad) expect((await receive({ ...good, ...change })).status).toBe(401)
    expect(await available()).toBe('0')
  })

  test('a signed body that is no JSON object is 400', async () => {
    const bodies = [
      'not json',
      '[]',
      'null',
      '5',
      `${'['.repeat(70)}${']'.repeat(70)}`,
      `{"a":${'['.repeat(70)}`,
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.from('{"a":"\0"}'),
      deposit().replace('"event"', '"event":"x","event"'),
    ]
    for (const body of bodies) expect((await receive(signed(body))).status).toBe(400)
    expect(await reasons()).toEqual([])
  })

  const LONG = randomUUID().repeat(2000)
  test.each<[string, string]>([
    ['no field', '{}'],
    ['a missing field', '{"event":"User Deposit","user_reference":"user_1"}'],
    ['a transaction.id that differs from transaction_uuid', deposit({}, { id: randomUUID() })],
    ['a negative amount', deposit({}, {}, '-5')],
    ['an amount above the limit', deposit({}, {}, '1e9999')],
    ['an amount with a huge exponent', deposit({}, {}, '1e99999999')],
    ['an amount with a tiny exponent', deposit({}, {}, '1e-0099999999')],
    ['an amount that is no number', deposit({}, { amount: true })],
    ['a currency without its id', deposit({}, { currency: { code: 'USDT' } })],
    ['a transaction of another type', deposit({ transaction: 'x' })],
    ['a user that is a number', deposit({ user_reference: 5 })],
    ['a deposit without a user', deposit({ user_reference: undefined })],
    ['an event that is a number', deposit({ event: 5 })],
    ['an on-ramp that names no currency', onramp({}, { to_currency: null })],
    ['a NUL in an id', deposit({ transaction_uuid: 'a\0b' })],
    ['a NUL in the user of an unknown event', '{"user_reference":"user_1\\u0000"}'],
    ['a NUL in the user', deposit({ user_reference: 'user_1\0' })],
    ['half a surrogate pair in the user', deposit({ user_reference: 'user_1\ud800' })],
    ['a NUL in the merchant', deposit({ merchant_reference: 'm\0' })],
    ['a NUL in a key', onramp({ correlation_key: 'm:1\0' })],
    ['a NUL in a hash', deposit({}, { tx_hash: 'a\0b' })],
    ['a user too long for an index', deposit({ user_reference: LONG })],
    ['a hash too long for an index', deposit({}, { tx_hash: LONG })],
    ['a key too long for an index', onramp({ correlation_key: LONG })],
    ['the success of a purchase without an amount', onramp({}, { to_amount: null })],
    ['too deep nesting', `{"event":"User Deposit","transaction":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['lists nested a hundred thousand deep', deposit({}, {}, `${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['objects nested as deep', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
  ])('signed, but with a wrong envelope (%s): stored as unreadable, each time', async (_name, body) => {
    expect(await receive(signed(body))).toEqual({ status: 200, duplicate: false })
    expect(await receive(signed(body))).toEqual({ status: 200, duplicate: false })
    expect(await reasons()).toEqual(['unreadable', 'unreadable'])
    expect((await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 1 }))[0]?.event).toBe(body)
    expect(await available()).toBe('0')
    expect(await release()).toBe(0)
  })

  test.each(['1.25e0001', '125E-00000001', '0.000125e+5'])('an amount written as %s is credited', async (amount) => {
    expect(await receive(signed(deposit({}, {}, amount)))).toEqual({ status: 200, duplicate: false })
    expect([await available(), await reasons()]).toEqual(['12.5', []])
  })

  test('old events and events from the future wait, and a fresh repetition is applied', async () => {
    const body = deposit()
    const seconds = Math.floor(nowMs / 1000)
    expect(await receive(signed(body, String(seconds - 301)))).toEqual({ status: 200, duplicate: false })
    expect(await receive(signed(deposit(), String(seconds + 61)))).toEqual({ status: 200, duplicate: false })
    expect(await reasons()).toEqual(['stale', 'stale'])
    expect(await available()).toBe('0')
    expect(await receive(signed(body, String(seconds - 300)))).toEqual({ status: 200, duplicate: false })
    expect(await available()).toBe('12.5')
    expect(await receive(signed(body, String(seconds - 301)))).toEqual({ status: 200, duplicate: true })
  })

  test.each([
    ['unknown_event', deposit({ event: 'User Refund' })],
    ['unknown_status', deposit({}, { status: 'rejected' })],
    ['unknown_user', deposit({ user_reference: 'stranger' })],
    ['unknown_user', deposit({ user_reference: null })],
    ['unknown_currency', foreignOnramp()],
  ])('%s is stored and not applied', async (reason, body) => {
    expect(await receive(signed(body))).toEqual({ status: 200, duplicate: false })
    expect(await reasons()).toEqual([reason])
    expect(await available()).toBe('0')
  })

  describe.each([
    ['null', null],
    ['missing', undefined],
  ])('a user that is %s in one event and named in another', (_name, user_reference) => {
    const transaction_uuid = randomUUID()
    const processing = deposit({ transaction_uuid }, { status: 'processing' })
    const named = deposit({ transaction_uuid })
    const unnamed = deposit({ transaction_uuid, user_reference })

    test('a repetition is a duplicate', async () => {
      await receive(signed(named))
      expect(await receive(signed(unnamed))).toEqual({ status: 200, duplicate: true })
      expect([await available(), await reasons()]).toEqual(['12.5', []])
    })

    test('a repetition with another amount is a conflict', async () => {
      await receive(signed(named))
      await receive(signed(deposit({ transaction_uuid, user_reference }, {}, '13')))
      expect([await available(), await reasons()]).toEqual(['12.5', ['conflict']])
    })

    test('a later state is applied for the user', async () => {
      await receive(signed(processing))
      expect(await receive(signed(unnamed))).toEqual({ status: 200, duplicate: false })
      expect(await receive(signed(named))).toEqual({ status: 200, duplicate: true })
      expect([await available(), await reasons()]).toEqual(['12.5', []])
    })

    test('a repeated payout is a duplicate', async () => {
      const payout = { event: 'User Payout', payment_method: 'Payout', transaction_uuid }
      await receive(signed(deposit(payout)))
      expect(await receive(signed(deposit({ ...payout, user_reference })))).toEqual({ status: 200, duplicate: true })
    })

    test('a purchase is credited', async () => {
      const id = randomUUID()
      const change = { transaction_uuid: id, user_reference }
      await receive(signed(onramp(change, { id, status: 'pending', to_amount: null, tx_hash: null })))
      const own = { id, status: 'processing', to_amount: null, tx_hash: null }
      await receive(signed(onramp({ transaction_uuid: id }, own)))
      expect(await receive(signed(onramp(change, { id })))).toEqual({ status: 200, duplicate: false })
      expect([await available(), await reasons()]).toEqual(['7', []])
    })
  })

  test('an event whose user is null is applied once another event has named the user', async () => {
    const transaction_uuid = randomUUID()
    await receive(signed(deposit({ transaction_uuid, user_reference: null })))
    expect(await release()).toBe(0)
    await receive(signed(deposit({ transaction_uuid }, { status: 'processing' })))
    nowMs += 86_400_000
    expect(await release()).toBe(1)
    expect([await available(), await reasons()]).toEqual(['12.5', []])
  })

  test.each(['before', 'after'] as const)(
    'a success without its user, under a new id of its currency, is credited if it comes %s the event that names the user',
    async (order) => {
      const transaction_uuid = randomUUID()
      const renewed = { ...USDT, id: randomUUID() }
      const bodies = [
        deposit({ transaction_uuid }, { status: 'processing' }),
        deposit({ transaction_uuid, user_reference: null }, { currency: renewed }),
      ]
      for (const body of order === 'after' ? bodies : bodies.toReversed()) await receive(signed(body))
      nowMs += 86_400_000
      await release()
      expect([(await store.ledger.balance('user_1', renewed.id)).available, await reasons()]).toEqual(['12.5', []])
    },
  )

  test('an event that waits for a user or a currency is applied once the reason has gone', async () => {
    await receive(signed(deposit({ user_reference: 'late' })))
    await receive(signed(foreignOnramp()))
    await receive(signed(onramp({ correlation_key: 'm:2' })))
    expect(await reasons()).toEqual(['unknown_user', 'unknown_currency', 'unknown_currency'])
    await store.onramps.insert(sessionOf('o2', 'm:2'))
    await store.users.ensure('late', nowMs)
    expect(await releaseUser({ store, ...RULES }, 'late')).toBe(1)
    await store.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    expect(await release()).toBe(2)
    expect(await reasons()).toEqual([])
    const settled = await store.quarantine.list({ reason: null, settled: true, after: 0, limit: 9 })
    expect(settled.map((row) => [row.reason, row.settled_by, row.settled_ms])).toEqual([
      ['unknown_user', 'system', nowMs],
      ['unknown_currency', 'system', nowMs],
      ['unknown_currency', 'system', nowMs],
    ])
    expect(await available('late')).toBe('12.5')
    expect(await available()).toBe('7')
  })

  test('an event whose currency only an earlier one in the commit gives is one credit with its deposit', async () => {
    await store.transaction((tx) =>
      tx.currencies.replaceListed([USDT, { ...USDT, id: randomUUID(), network: 'Tron' }], tx.now),
    )
    const tx_hash = `0x${'cd'.repeat(32)}`
    await receive(signed(deposit({}, { tx_hash }, '7')))
    const id = randomUUID()
    const group = [
      onramp({ transaction_uuid: id }, { id, status: 'pending', to_amount: null, tx_hash: null }),
      onramp({ transaction_uuid: id, correlation_key: null }, { id, to_currency: { code: 'USDT' }, tx_hash }),
    ]
    await Promise.all(group.map((body) => receive(signed(body))))
    expect(await reasons()).toEqual([])
    expect(await store.transactions.find('onramp', id)).toMatchObject({ status: 'succeeded', onramp_session_id: 'o1' })
    expect(await available()).toBe('7')
  })

  describe('an event that is applied again on request', () => {
    const options = () => ({ store, ...RULES })
    const long = (): string => String(Math.floor(nowMs / 1000) - 1000)
    const only = async () => {
      const [row] = await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
      return row!
    }
    const again = async () => reapply(options(), await only(), { by: 'merchant', note: 'checked' })

    test('a stale event is credited once, and settled with the note', async () => {
      await receive(signed(deposit(), long()))
      const row = await only()
      expect(await again()).toBe('applied')
      expect(await available()).toBe('12.5')
      expect(await store.quarantine.find(row.id)).toMatchObject({
        reason: 'stale',
        settled_by: 'merchant',
        settled_ms: nowMs,
        note: 'checked',
      })
      expect(await reapply(options(), row, { by: 'merchant' })).toBeNull()
      expect(await available()).toBe('12.5')
    })

    test('two at the same time credit once', async () => {
      await receive(signed(deposit(), long()))
      const row = await only()
      const both = [1, 2].map(() => reapply(options(), row, { by: 'merchant' }))
      expect((await Promise.all(both)).toSorted()).toEqual(['applied', null])
      expect(await available()).toBe('12.5')
    })

    test('an event that was received again meanwhile is `seen`', async () => {
      const body = deposit()
      await receive(signed(body, long()))
      await receive(signed(body))
      expect(await again()).toBe('seen')
      expect(await reasons()).toEqual([])
      expect(await available()).toBe('12.5')
    })

    test.each([
      ['unknown_event', deposit({ event: 'User Refund' })],
      ['unknown_status', deposit({}, { status: 'rejected' })],
      ['unknown_user', deposit({ user_reference: 'stranger' })],
      ['unknown_currency', foreignOnramp()],
    ])('%s stays open if its reason remains, and a stale event takes that reason', async (reason, body) => {
      await receive(signed(body))
      const { id } = await only()
      expect(await again()).toBe(reason)
      expect(await only()).toMatchObject({ id, reason, note: null })
      await store.quarantine.settle(id, { by: 'merchant', now: nowMs })
      await receive(signed(body, long()))
      expect(await reasons()).toEqual(['stale'])
      const stale = await only()
      expect(await again()).toBe(reason)
      expect(await only()).toMatchObject({ id: stale.id, reason })
      expect(await available()).toBe('0')
    })
  })

  test('an event whose reason remains keeps its place', async () => {
    await receive(signed(foreignOnramp()))
    await receive(signed(foreignOnramp()))
    expect(await release()).toBe(0)
    expect(await reasons()).toEqual(['unknown_currency', 'unknown_currency'])
  })

  const OTHER_CONTENT: readonly [string, Fields, Fields, string][] = [
    ['amount', {}, {}, '12.6'],
    ['user', { user_reference: 'user_2' }, {}, '12.5'],
    ['address', {}, { to_address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }, '12.5'],
    ['hash', {}, { tx_hash: `0x${'ff'.repeat(32)}` }, '12.5'],
    ['currency', {}, { currency: { ...USDT, id: randomUUID(), currency_code: 'DAI' } }, '12.5'],
  ]

  test.each(OTHER_CONTENT)(
    'another %s with the same status is a conflict, and the first stays',
    async (_name, change, inner, amount) => {
      const transaction_uuid = randomUUID()
      await receive(signed(deposit({ transaction_uuid })))
      expect(await receive(signed(deposit({ transaction_uuid, ...change }, inner, amount)))).toEqual({
        status: 200,
        duplicate: false,
      })
      expect(await reasons()).toEqual(['conflict'])
      expect(await available()).toBe('12.5')
      expect(await available('user_2')).toBe('0')
    },
  )

  test.each([...OTHER_CONTENT, ['unknown user', { user_reference: 'stranger' }, {}, '12.5'] as const])(
    'another %s in an old copy of an applied event is a conflict, too',
    async (_name, change, inner, amount) => {
      const transaction_uuid = randomUUID()
      const first = deposit({ transaction_uuid })
      await receive(signed(first))
      nowMs += 600_000
      const old = String(Math.floor(nowMs / 1000) - 301)
      const other = deposit({ transaction_uuid, ...change }, inner, amount)
      expect(await receive(signed(other, old))).toEqual({ status: 200, duplicate: false })
      expect(await reasons()).toEqual(['conflict'])
      const again = deposit({ transaction_uuid }, { date: '2026-01-02T04:04:05+01:00' }, '12.50')
      for (const same of [first, again])
        expect(await receive(signed(same, old))).toEqual({ status: 200, duplicate: true })
      expect(await reasons()).toEqual(['conflict'])
      expect(await available()).toBe('12.5')
    },
  )

  test('an old copy of an applied event adds what that lacked', async () => {
    const transaction_uuid = randomUUID()
    const hash = `0x${'cd'.repeat(32)}`
    await receive(signed(onramp({ transaction_uuid }, { id: transaction_uuid, tx_hash: null })))
    await receive(signed(deposit({}, { tx_hash: hash }, '6.9')))
    expect(await available()).toBe('13.9')
    nowMs += 600_000
    const old = String(Math.floor(nowMs / 1000) - 301)
    const more = onramp({ transaction_uuid }, { id: transaction_uuid })
    expect(await receive(signed(more, old))).toEqual({ status: 200, duplicate: true })
    expect([await available(), await reasons()]).toEqual(['6.9', []])
    const other = onramp({ transaction_uuid }, { id: transaction_uuid, tx_hash: `0x${'ef'.repeat(32)}` })
    expect(await receive(signed(other, old))).toEqual({ status: 200, duplicate: false })
    expect([await available(), await reasons()]).toEqual(['6.9', ['conflict']])
  })

  test('the same event with other spelling, date or spacing is a duplicate', async () => {
    const transaction_uuid = randomUUID()
    await receive(signed(deposit({ transaction_uuid })))
    const again = deposit(
      { transaction_uuid },
      { date: '2026-02-02T00:00:00Z', to_address: ADDRESS.toLowerCase() },
      '12.50',
    )
    expect(await receive(signed(` ${again}\n`))).toEqual({ status: 200, duplicate: true })
  })

  test('another user with a later status is a conflict; another amount replaces the first', async () => {
    const transaction_uuid = randomUUID()
    await receive(signed(deposit({ transaction_uuid }, { status: 'processing' }, '10')))
    await receive(signed(deposit({ transaction_uuid, user_reference: 'user_2' })))
    expect(await reasons()).toEqual(['conflict'])
    await receive(signed(deposit({ transaction_uuid }, {}, '9.5')))
    expect(await available()).toBe('9.5')
  })

  test('an earlier state after a later one is stored and changes nothing', async () => {
    const transaction_uuid = randomUUID()
    await receive(signed(deposit({ transaction_uuid })))
    const late = deposit({ transaction_uuid }, { status: 'processing' })
    expect(await receive(signed(late))).toEqual({ status: 200, duplicate: false })
    expect((await store.transactions.find('deposit', transaction_uuid))?.status).toBe('succeeded')
    expect(await receive(signed(late))).toEqual({ status: 200, duplicate: true })
    expect(await available()).toBe('12.5')
  })

  test('an on-ramp and its deposit are one credit, of the deposit, in either order; two deposits are two', async () => {
    await store.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    const tx_hash = `0x${'cd'.repeat(32)}`
    await receive(signed(onramp()))
    expect(await available()).toBe('7')
    await receive(signed(deposit({}, { tx_hash: tx_hash.toUpperCase().replace('X', 'x') }, '6.9')))
    expect(await available()).toBe('6.9')
    await receive(signed(onramp()))
    expect(await available()).toBe('6.9')
    await receive(signed(deposit({}, { tx_hash }, '1')))
    expect(await available()).toBe('7.9')
    expect((await store.snapshot(checkLedger)).faults).toEqual([])
  })

  test('an on-ramp without a user is followed and credits nobody', async () => {
    await store.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    expect(await receive(signed(onramp({ user_reference: null })))).toEqual({ status: 200, duplicate: false })
    expect(await reasons()).toEqual([])
    expect(await store.snapshot((ledger) => allRows(ledger.balances()))).toEqual([])
  })

  test('an on-ramp whose currency is ambiguous waits', async () => {
    await store.transaction((tx) => tx.currencies.replaceListed([USDT, { ...USDT, id: randomUUID() }], tx.now))
    await receive(signed(foreignOnramp()))
    expect(await reasons()).toEqual(['unknown_currency'])
  })

  test('an on-ramp of our session keeps its currency if the list changes the id between two events', async () => {
    await store.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    const transaction_uuid = randomUUID()
    await receive(signed(onramp({ transaction_uuid }, { id: transaction_uuid, status: 'processing' })))
    await store.transaction((tx) => tx.currencies.replaceListed([{ ...USDT, id: randomUUID() }], tx.now))
    await receive(signed(onramp({ transaction_uuid }, { id: transaction_uuid })))
    expect(await reasons()).toEqual([])
    expect(await available()).toBe('7')
  })

  describe('the currency of an on-ramp of our session', () => {
    const TRON = { ...USDT, id: randomUUID(), network: 'Tron' }
    const ETH = { ...USDT, id: randomUUID(), name: 'Ether', symbol: 'ETH', currency_code: 'ETH' }
    const list = (...currencies: (typeof USDT)[]) =>
      store.transaction((tx) => tx.currencies.replaceListed(currencies, tx.now))
    const balances = async () =>
      (await store.snapshot((ledger) => allRows(ledger.balances()))).map(({ currency_id, available }) => [
        currency_id,
        available,
      ])

    test.each([
      ['by its name at that time', { code: 'usdt', name: null, network: 'ethereum' }, [ETH]],
      ['without its network', { code: 'USDT', name: null, network: null }, [USDT, TRON]],
      [
        'by its present name in the list',
        { code: 'USDT0', name: null, network: null },
        [{ ...USDT, currency_code: 'USDT0' }],
      ],
      [
        'by a present name that it shares with another',
        { code: 'USDT0', name: null, network: null },
        [
          { ...USDT, currency_code: 'USDT0' },
          { ...TRON, currency_code: 'USDT0' },
        ],
      ],
    ])('is the session’s if the event names it %s', async (_name, to_currency, listed) => {
      await list(...listed)
      await receive(signed(onramp({}, { to_currency })))
      expect(await reasons()).toEqual([])
      expect(await balances()).toEqual([[USDT.id, '7']])
    })

    test('is another listed currency if the event names that', async () => {
      await list(USDT, TRON, ETH)
      await receive(signed(onramp({}, { to_currency: { code: 'ETH', name: 'Ether', network: null } })))
      expect(await reasons()).toEqual([])
      expect(await balances()).toEqual([[ETH.id, '7']])
    })

    test('is unknown if several listed currencies, but not the session’s, have that code', async () => {
      await list(USDT, ETH, { ...ETH, id: randomUUID(), network: 'Base' })
      await receive(signed(onramp({}, { to_currency: { code: 'ETH', name: null, network: null } })))
      expect(await reasons()).toEqual(['unknown_currency'])
      expect(await balances()).toEqual([])
    })

    test('is looked up again when the list changes, if no currency has that code', async () => {
      await list(USDT)
      await receive(signed(onramp({}, { to_currency: { code: 'ETH', name: null, network: 'Ethereum' } })))
      expect(await reasons()).toEqual(['unknown_currency'])
      expect(await balances()).toEqual([])
      expect(await release()).toBe(0)
      await list(USDT, ETH)
      expect(await release()).toBe(1)
      expect(await balances()).toEqual([[ETH.id, '7']])
      expect((await store.snapshot(checkLedger)).faults).toEqual([])
    })

    test('is looked up if its network is not the session’s', async () => {
      await list(USDT)
      await receive(signed(onramp({}, { to_currency: { code: 'USDT', name: null, network: 'Tron' } })))
      expect(await reasons()).toEqual(['unknown_currency'])
    })
  })

  test('a webhook adds an unknown currency, and never renames a listed one', async () => {
    await store.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    const other = { ...USDT, id: randomUUID(), name: 'Other' }
    await receive(signed(deposit({}, { currency: { ...USDT, name: 'Renamed' } })))
    await receive(signed(deposit({}, { currency: other })))
    expect((await store.currencies.byId(USDT.id))?.name).toBe('Tether USD')
    expect(await store.currencies.byId(other.id)).toMatchObject({ name: 'Other', listed: false })
  })

  test('a webhook does not rename a currency that the list of currencies has not shown yet', async () => {
    const uuid = randomUUID()
    await receive(signed(deposit({}, { currency: USDT })))
    await receive(signed(deposit({ transaction_uuid: uuid }, { currency: { ...USDT, network: 'Renamed-20' } })))
    expect(await store.transactions.find('deposit', uuid)).toMatchObject({ network: USDT.network })
  })

  test('text that a database cannot store causes no failure', async () => {
    const body = deposit({}, { from_address: 'a\0b' })
    expect(await receive(signed(body))).toEqual({ status: 200, duplicate: false })
    expect(await available()).toBe('12.5')
  })

  test('concurrent webhooks share commits; a bad one affects no other', async () => {
    const bodies = Array.from({ length: 60 }, (_item, index) =>
      index % 7 === 0 ? deposit({ event: 'User Refund' }) : deposit({}, { tx_hash: null }),
    )
    const twice = [...bodies, ...bodies]
    const answers = await Promise.all(twice.map((body) => receive(signed(body))))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers.filter((answer) => 'duplicate' in answer && answer.duplicate)).toHaveLength(51)
    expect(await available()).toBe('637.5')
    expect((await store.snapshot(checkLedger)).faults).toEqual([])
  })

  test('an event that breaks an invariant is 503 and not stored; the other events of its commit are', async () => {
    const uuid = randomUUID()
    const withdrawal = { id: 'w1', user_reference_id: 'user_1', currency_id: USDT.id, transaction_uuid: uuid }
    // Its hold was never posted: paying it would make the held balance negative.
    await seed(store, { withdrawals: [sampleWithdrawal(withdrawal)] })
    const payout = deposit(
      { event: 'User Payout', transaction_uuid: uuid, payment_method: 'Payout' },
      { transaction_type: 'Payout' },
      '1.5',
    )
    const [paid, ...credited] = await Promise.allSettled(
      [payout, deposit(), deposit({ user_reference: 'user_2' })].map((body) => receive(signed(body))),
    )
    expect(paid).toMatchObject({
      reason: { code: 'store_unavailable', cause: { invariant: 'held_not_negative', about: 'payout:w1' } },
    })
    expect(credited.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await store.transactions.find('payout', uuid)).toBeNull()
    expect(await store.ledger.balance('user_1', USDT.id)).toMatchObject({ available: '12.5', held: '0' })
    expect((await store.withdrawals.find('w1'))?.status).toBe('processing')
  })

  test('a store that cannot commit is 503, and nothing changes', async () => {
    const broken: Store = { ...store, transaction: () => Promise.reject(new Error('disk full')) }
    const failing = createReceiveWebhook({
      store: broken,
      publicKey,
      clock: () => nowMs,
      toleranceS: 300,
      ...RULES,
    })
    await expect(failing(signed(deposit()))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await available()).toBe('0')
  })
})
