/** What a purchase may credit: one settled purchase a session, of about its amount, to the user whom an event names. */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import { applyRecords } from '../ledger/apply-records.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Store } from '../store/store.ts'
import { beforeSave } from '../store/testing/before-save.ts'
import { sampleCurrency, sampleOnramp } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createReceiveWebhook } from './receive-webhook.ts'
import { reapply, releasePage } from './release-quarantine.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const RULES = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'us' } as const

interface Purchase {
  readonly uuid: string
  readonly status?: string
  readonly user?: string | null
  readonly hash?: string | null
  readonly amount?: number
  readonly paid?: number | null
  readonly fiat?: string | null
  readonly session?: string | null
  readonly key?: string | null
}

function purchase({ uuid, status = 'succeeded', user = 'u', session = 'o1', key = null, ...more }: Purchase): object {
  const succeeded = status === 'succeeded'
  return {
    event: 'User Onramp',
    transaction: {
      id: uuid,
      status,
      to_amount: succeeded ? (more.amount ?? 7) : null,
      to_currency: { code: 'USDT', network: 'Tron' },
      tx_hash: succeeded ? (more.hash === undefined ? `0x${uuid}` : more.hash) : null,
      from_amount: more.paid ?? null,
      from_currency: more.fiat ?? null,
    },
    transaction_uuid: uuid,
    user_reference: user,
    correlation_key: key,
    session_reference: session,
  }
}

const deposit = (uuid: string, amount: number, hash: string | null): object => ({
  event: 'User Deposit',
  transaction: { id: uuid, status: 'succeeded', currency: sampleCurrency, amount, tx_hash: hash },
  transaction_uuid: uuid,
  user_reference: 'u',
  merchant_reference: 'us',
})

/** Every order of these items. */
const orders = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length <= 1
    ? [items]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

/** A cashier with a database of its own for each test. */
function cashierOn(flavour: (typeof FLAVOURS)[number]) {
  const stores = useStores(flavour)

  beforeEach(async () => {
    await stores.one.transaction((tx) => tx.currencies.replaceListed([sampleCurrency], tx.now))
    for (const user of ['u', 'v']) await stores.one.users.ensure(user, 0)
    await stores.one.onramps.insert(sampleOnramp({ amount: '10' as never }))
  })

  let ledgerMode: LedgerMode = 'embedded'
  beforeEach(() => {
    ledgerMode = 'embedded'
  })
  const merchantKeepsBooks = (): void => {
    ledgerMode = 'merchant'
  }

  async function send(event: object, store: Store = stores.one, ageS = 0): Promise<void> {
    const receive = createReceiveWebhook({ store, publicKey, clock: Date.now, toleranceS: 300, ...RULES, ledgerMode })
    const rawBody = Buffer.from(JSON.stringify(event))
    const timestamp = String(Math.floor(Date.now() / 1000) - ageS)
    const signature = createSign('RSA-SHA256').update(rawBody).update(timestamp).sign(privateKey, 'base64')
    expect(await receive({ rawBody, signature, timestamp })).toMatchObject({ status: 200 })
  }

  /** As the gateway repeats it an hour late. */
  const sendLate = (event: object): Promise<void> => send(event, stores.one, 3600)
  const sendAll = async (events: readonly object[]): Promise<void> => {
    for (const event of events) await send(event)
  }

  const available = async (): Promise<string> => {
    expect((await stores.one.snapshot(checkLedger)).faults).toEqual([])
    return (await stores.one.ledger.balance('u', sampleCurrency.id)).available
  }

  const lines = () => stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
  const reasons = async () => (await lines()).map(({ reason }) => reason)
  const statusOf = async (uuid: string) => (await stores.one.transactions.find('onramp', uuid))?.status

  const resolve = async (by: 'merchant' | 'system') => {
    const [line] = await lines()
    const options = { store: stores.one, ...RULES }
    return by === 'merchant' ? reapply(options, line!, { by }) : releasePage(options, [line!])
  }

  /** What the merchant was told of successes, oldest first. */
  const told = async (name: 'user_reference_id' | 'tx_hash') =>
    (await stores.one.events.feedAfter(0, 99))
      .map(({ data }) => JSON.parse(data) as Readonly<Record<string, string | null>>)
      .flatMap((event) => (event['status'] === 'succeeded' ? [event[name]] : []))

  return {
    stores,
    send,
    sendLate,
    sendAll,
    available,
    lines,
    reasons,
    statusOf,
    resolve,
    merchantKeepsBooks,
    told,
  }
}

describe.each(FLAVOURS)('purchases on %s', (flavour) => {
  const { stores, send, sendLate, sendAll, available, lines, reasons, statusOf, resolve } = cashierOn(flavour)

  describe.each<[string, Purchase]>([
    ['paid far more', { uuid: 't', amount: 1_000_000, paid: 900_000, fiat: 'EUR' }],
    ['paid far more, by our own key', { uuid: 't', amount: 1_000_000, paid: 900_000, key: 'k1', session: null }],
    ['paid in another fiat currency', { uuid: 't', paid: 10, fiat: 'JPY' }],
  ])('a purchase that %s', (_name, one) => {
    test('waits in quarantine, asks for the list, and is applied only by a person', async () => {
      await send(purchase({ ...one, status: 'processing' }))
      expect([await statusOf('t'), await reasons()]).toEqual(['processing', []])
      await send(purchase(one))
      expect([await available(), await statusOf('t'), await reasons()]).toEqual(['0', 'processing', ['implausible']])
      // An open transaction asks for the list in 15 s, an event in quarantine at once.
      expect(await stores.one.reconcileQueue.claimDue('open', 9, 1)).toMatchObject([{ user_reference_id: 'u' }])
      expect(await resolve('system')).toMatchObject({ applied: 0 })
      expect([await available(), await reasons()]).toEqual(['0', ['implausible']])
      expect(await resolve('merchant')).toBe('applied')
      expect([await available(), await reasons()]).toEqual([String(one.amount ?? 7), []])
      await send(purchase({ ...one, status: 'pending' }))
      await send(purchase(one))
      expect([await available(), await reasons()]).toEqual([String(one.amount ?? 7), []])
    })

    test('is credited by its deposit, which the purchase does not double later', async () => {
      await send(purchase(one))
      await send(deposit('d', 6, '0xT'))
      expect([await available(), await reasons()]).toEqual(['6', ['implausible']])
      expect(await resolve('merchant')).toBe('applied')
      expect([await available(), await reasons()]).toEqual(['6', []])
    })
  })

  test('a second settled purchase of a session waits; a failed or pending one does not', async () => {
    await sendAll(['pending', 'failed'].map((status) => purchase({ uuid: 't1', status })))
    await sendAll(['pending', 'succeeded'].map((status) => purchase({ uuid: 't2', status, paid: 10, fiat: 'EUR' })))
    await sendAll(['pending', 'processing', 'succeeded'].map((status) => purchase({ uuid: 't3', status })))
    expect([await available(), await statusOf('t3'), await reasons()]).toEqual(['7', 'processing', ['implausible']])
    expect(await resolve('merchant')).toBe('applied')
    expect(await available()).toBe('14')
    await send(purchase({ uuid: 't4' }))
    expect([await available(), await reasons()]).toEqual(['14', ['implausible']])
  })

  test('an amount that only an earlier state tells counts', async () => {
    await send(purchase({ uuid: 't', status: 'processing', paid: 900, fiat: 'EUR' }))
    await send(purchase({ uuid: 't' }))
    expect([await available(), await reasons()]).toEqual(['0', ['implausible']])
  })

  test('if the earlier state comes later, it waits, and the credit stays for a person to decide', async () => {
    await send(purchase({ uuid: 't' }))
    await send(purchase({ uuid: 't', status: 'processing', paid: 900, fiat: 'EUR' }))
    expect([await available(), await reasons()]).toEqual(['7', ['implausible']])
    expect(await resolve('merchant')).toBe('applied')
    expect([await available(), await reasons()]).toEqual(['7', []])
  })

  test.each([
    ['in time', () => send],
    ['late', () => sendLate],
  ])('a repetition %s tells first what was paid, and no other one changes that', async (_name, how) => {
    const repeat = how()
    const paidIn = async () => {
      const row = await stores.one.transactions.find('onramp', 't')
      return [row?.status, row?.from_amount, row?.from_currency]
    }
    await sendAll(['succeeded', 'processing'].map((status) => purchase({ uuid: 't', status })))
    expect(await paidIn()).toEqual(['succeeded', null, null])
    await repeat(purchase({ uuid: 't', status: 'processing', paid: 10 }))
    await repeat(purchase({ uuid: 't', status: 'succeeded', fiat: 'EUR' }))
    expect([await paidIn(), await reasons()]).toEqual([['succeeded', '10', 'EUR'], []])
    await repeat(purchase({ uuid: 't', status: 'processing', paid: 11 }))
    await repeat(purchase({ uuid: 't', status: 'succeeded', fiat: 'USD' }))
    expect([await paidIn(), await reasons()]).toEqual([
      ['succeeded', '10', 'EUR'],
      ['conflict', 'conflict'],
    ])
    expect(await available()).toBe('7')
  })

  test('a repetition that first tells of far more paid waits, and the credit stays for a person to decide', async () => {
    await send(purchase({ uuid: 't' }))
    await send(purchase({ uuid: 't', paid: 900, fiat: 'EUR' }))
    expect([await available(), await reasons()]).toEqual(['7', ['implausible']])
    expect(await resolve('merchant')).toBe('seen')
    expect([await available(), await reasons()]).toEqual(['7', []])
    expect((await stores.one.transactions.find('onramp', 't'))?.from_amount).toBe('900')
  })

  test('two instances settle two purchases of a session at once: one is credited', async () => {
    const two = await stores.another()
    await sendAll(['t1', 't2'].map((uuid) => purchase({ uuid, status: 'processing' })))
    const others: Promise<void>[] = []
    const slow = beforeSave(stores.one, () => {
      others.push(send(purchase({ uuid: 't2' }), two))
      return new Promise((resolved) => setTimeout(resolved, 100))
    })
    await send(purchase({ uuid: 't1' }), slow)
    await Promise.all(others)
    expect([await available(), await reasons()]).toEqual(['7', ['implausible']])
    expect((await lines())[0]?.transaction_uuid).toBe('t2')
  })

  test.each<[string, Partial<Purchase>]>([
    ['a key of no known form', { key: 'theirs' }],
    ['the key of another session', { key: 'us:o2' }],
  ])('our reference with %s is another’s: recorded, and nothing is booked', async (_name, more) => {
    await send(purchase({ uuid: 't', amount: 1_000_000, ...more }))
    expect([await available(), await statusOf('t'), await reasons()]).toEqual(['0', 'succeeded', []])
    await send(purchase({ uuid: 'ours', key: 'k1' }))
    expect(await available()).toBe('7')
    await send(deposit('d', 6, '0xT'))
    expect(await available()).toBe('13')
  })

  test.each<[string, string, readonly object[], string]>([
    ['a little less came', '-7', [deposit('d', 6.9, '0xT')], '-0.1'],
    ['its deposit had no hash at first', '-14', [deposit('d', 7, null), deposit('d', 7, '0xT')], '-7'],
  ])('a person is told of a purchase that was spent before: %s', async (_name, amount, events, owed) => {
    const spent = { user_reference_id: 'u', currency_id: sampleCurrency.id, amount: decimal(amount) }
    await send(purchase({ uuid: 't' }))
    await sendAll(events.slice(0, -1))
    await seed(stores.one, { bookings: [{ booking: 'adjustment', posting_key: 'spent', ...spent }] })
    await sendAll(events.slice(-1))
    expect([await available(), await reasons()]).toEqual([owed, ['contradiction']])
    expect((await lines())[0]).toMatchObject({
      transaction_uuid: 't',
      event: expect.stringContaining(`"available":"${owed}"`) as string,
    })
    await sendAll(events)
    expect(await reasons()).toEqual(['contradiction'])
  })

  test('the list’s record of an implausible purchase’s deposit is credited', async () => {
    await send(purchase({ uuid: 't', paid: 900, fiat: 'EUR' }))
    const { id, currency_code, network } = sampleCurrency
    const listed: ListedRecord = {
      transaction_uuid: 'd',
      user_reference_id: 'u',
      type: 'Deposit',
      status: 'TXN_PROVIDER_SUCCEEDED',
      inserted_at: '2026-01-01T00:00:00Z',
      cursor: 'a',
      record: '{}',
      currency: sampleCurrency,
      fact: {
        kind: 'deposit',
        transaction_uuid: 'd',
        status: 'succeeded',
        source: 'reconciliation',
        user_reference_id: 'u',
        currency_id: id,
        currency_code,
        network,
        amount: '6.5' as never,
        amount_usd: null,
        to_address: null,
        from_address: null,
        tx_hash: '0xT',
        payment_method: null,
        provider_transaction_id: null,
        from_amount: null,
        from_currency: null,
        correlation_key: null,
        session_reference: null,
        occurred_at: '2026-01-01T00:00:00Z',
      },
    }
    await stores.one.transaction(async (tx) => {
      const unit = await tx.load({ users: ['u'], transactions: [listed.fact!] })
      await tx.loadRelated(unit, [listed.fact!])
      applyRecords(unit, [listed], () => unit.now, { ledgerMode: 'embedded' } as never)
      await tx.save(unit)
    })
    expect(await resolve('merchant')).toBe('applied')
    expect([await available(), await reasons()]).toEqual(['6.5', []])
  })
})

describe('the user of a purchase', () => {
  const { send, sendLate, sendAll, available, reasons, statusOf, merchantKeepsBooks, told } = cashierOn('sqlite')

  const steps = (users: readonly (string | null)[]): readonly object[] =>
    ['pending', 'processing', 'succeeded'].map((status, at) => purchase({ uuid: 't', status, user: users[at] ?? null }))

  test.each(
    [
      ['u', null, null],
      [null, 'u', null],
      [null, null, 'u'],
    ].flatMap((users) => orders(steps(users)).map((events, at) => [users.join(), at, events] as const)),
  )('may be named by one event only: %s, order %i', async (_users, _at, events) => {
    await sendAll(events)
    expect([await available(), await reasons()]).toEqual(['7', []])
    await send(deposit('d', 6, '0xT'))
    expect(await available()).toBe('6')
  })

  test.each(orders(steps([null, 'u', null])).map((events, at) => [at, events] as const))(
    'may be named by one event only: the merchant who keeps the books is told of them, order %i',
    async (_at, events) => {
      merchantKeepsBooks()
      await sendAll([...events, ...events])
      expect((await told('user_reference_id')).filter((user) => user !== null)).toEqual(['u'])
    },
  )

  test('the merchant who keeps the books is told the hash by which a purchase and its deposit are one', async () => {
    merchantKeepsBooks()
    await sendAll([deposit('d', 6, null), purchase({ uuid: 't', hash: null })])
    expect(await told('tx_hash')).toEqual([null, null])
    const known = [deposit('d', 6, '0xT'), purchase({ uuid: 't' })]
    await sendAll([...known, ...known])
    expect(await told('tx_hash')).toEqual([null, null, '0xT', '0xt'])
  })

  test('a success without a user, whose deposit came before', async () => {
    await send(deposit('d', 6, '0xT'))
    await sendAll(steps(['u', null, null]))
    expect(await available()).toBe('6')
  })

  test('a repetition that first names the user credits it', async () => {
    await send(purchase({ uuid: 't', user: null }))
    expect(await available()).toBe('0')
    await send(purchase({ uuid: 't' }))
    expect([await available(), await reasons()]).toEqual(['7', []])
  })

  test('so does one that comes late; the state does not go back', async () => {
    await sendAll(['processing', 'succeeded'].map((status) => purchase({ uuid: 't', status, user: null })))
    await sendLate(purchase({ uuid: 't', status: 'processing' }))
    expect([await available(), await statusOf('t'), await reasons()]).toEqual(['7', 'succeeded', []])
    await sendLate(purchase({ uuid: 't', status: 'processing', user: 'v' }))
    expect([await available(), await reasons()]).toEqual(['7', ['conflict']])
  })

  test.each(['in time', 'late'])(
    'a repetition %s that names another user than another event is a conflict',
    async (at) => {
      await send(purchase({ uuid: 't', status: 'processing', user: 'v' }))
      await send(purchase({ uuid: 't', user: null }))
      await (at === 'late' ? sendLate : send)(purchase({ uuid: 't' }))
      expect([await available(), await reasons()]).toEqual(['0', ['conflict']])
    },
  )

  test('another user in another event is a conflict', async () => {
    await send(purchase({ uuid: 't', status: 'pending', user: 'v' }))
    await send(purchase({ uuid: 't', status: 'processing', user: null }))
    await send(purchase({ uuid: 't' }))
    expect([await available(), await reasons()]).toEqual(['0', ['conflict']])
  })

  test('events of a session that all name nobody use it up for nobody', async () => {
    await sendAll(steps([null, null, null]))
    expect([await available(), await statusOf('t'), await reasons()]).toEqual(['0', 'succeeded', []])
    await send(purchase({ uuid: 't2' }))
    expect([await available(), await reasons()]).toEqual(['7', []])
    await send(purchase({ uuid: 't', status: 'failed' }))
    expect([await available(), await reasons()]).toEqual(['7', ['contradiction']])
  })
})

describe('two purchases in one transaction', () => {
  const { stores, sendAll, available, reasons } = cashierOn('sqlite')

  const two = [
    purchase({ uuid: 't1', amount: 5, hash: '0xAA' }),
    purchase({ uuid: 't2', amount: 7, hash: '0xaa', session: 'o2' }),
  ]
  beforeEach(() => stores.one.onramps.insert(sampleOnramp({ id: 'o2', correlation_key: 'k2' })))

  test.each(
    [
      ['one deposit of both', [deposit('d', 12, 'AA')]],
      ['the deposit of the first', [deposit('d', 5, 'AA')]],
      ['the deposit of the second', [deposit('d', 7, 'AA')]],
      ['a deposit for each', [deposit('d1', 5, 'AA'), deposit('d2', 7, 'AA')]],
    ].flatMap(([name, deposits]) =>
      orders([...two, ...(deposits as object[])]).map((events, at) => [name as string, at, events] as const),
    ),
  )('%s are 12, order %i', async (_name, _at, events) => {
    await sendAll(events)
    expect([await available(), await reasons()]).toEqual(['12', []])
    await sendAll(events)
    expect(await available()).toBe('12')
  })
})
