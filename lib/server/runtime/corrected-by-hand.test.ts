/** A person credits by hand an event that was not applied, and the deposit is credited later. */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { adjustmentRequest } from '#lib/contract/merchant-requests.ts'
import { createAdjustBalance } from '../merchant/adjust-balance.ts'
import { MERCHANT_BACKEND } from '../merchant/merchant-caller.ts'
import { createResolveQuarantine } from '../merchant/resolve-quarantine.ts'
import { parseWebhook } from '../gateway/parse-webhook.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import type { Fact, ListedRecord } from '../ledger/facts.ts'
import { reportOverdue, reportUnreadable } from '../ledger/overdue.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { QuarantineReason } from '../ledger/rows.ts'
import {
  sampleCurrency,
  sampleFact,
  sampleOnramp,
  sampleQuarantined,
  sampleWithdrawal,
} from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { loadForEvents } from '../webhooks/apply-webhook.ts'
import { applyGroup } from '../webhooks/receive-webhook.ts'
import { reapply, releaseUser } from '../webhooks/release-quarantine.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 10, 1)
const RULES = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'us' } as const

const { id, name, currency_code, symbol, network } = sampleCurrency
const eventOf = (status: 'processing' | 'succeeded', date: string | null = new Date(START).toISOString()): string =>
  JSON.stringify({
    event: 'User Deposit',
    transaction: {
      ...{ id: 't', status, date, amount: 5 },
      currency: { id, name, currency_code, symbol, network },
    },
    transaction_uuid: 't',
    user_reference: 'u',
    merchant_reference: 'us',
  })

const listed: ListedRecord = {
  ...{ transaction_uuid: 't', user_reference_id: 'u', type: 'Deposit', status: 'TXN_PROVIDER_SUCCEEDED', cursor: 't' },
  inserted_at: new Date(START).toISOString(),
  record: '{"transaction_uuid":"t"}',
  currency: sampleCurrency,
  fact: sampleFact({ transaction_uuid: 't', source: 'reconciliation', status: 'succeeded', amount: decimal('5') }),
}

const failed: ListedRecord = {
  ...listed,
  ...{ status: 'TXN_FAILED', record: '{"transaction_uuid":"t","status":"TXN_FAILED"}' },
  fact: sampleFact({ transaction_uuid: 't', source: 'reconciliation', status: 'failed', amount: decimal('5') }),
}

const deposit = { kind: 'deposit', transaction_uuid: 't' } as const

describe.each(FLAVOURS)('an event that was not applied, on %s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now })
  const release = () => ({ store: stores.one, ...RULES })

  const come = (reason: QuarantineReason, status: 'processing' | 'succeeded' = 'succeeded') =>
    seed(stores.one, {
      quarantine: [
        sampleQuarantined({
          ...{ reason, event_name: 'User Deposit', transaction_uuid: 't' },
          event: eventOf(status),
        }),
      ],
    })
  const lines = (settled = false) => stores.one.quarantine.list({ reason: null, settled, after: 0, limit: 99 })
  const told = async () => (await lines()).filter(({ reason }) => reason === 'contradiction')
  const resolve = async (action: 'apply' | 'dismiss') => {
    const applyAgain: Parameters<typeof createResolveQuarantine>[0]['applyAgain'] = (row, by) =>
      reapply(release(), row, by)
    for (const line of await lines())
      await createResolveQuarantine({ store: stores.one, clock: () => now, applyAgain })(
        String(line.id),
        { action },
        MERCHANT_BACKEND,
      )
  }
  const creditByHand = (amount = '5', currency_id: string = id) => {
    const input = adjustmentRequest.parse({ currency_id, amount, reference: 'the-lost-deposit' })
    return createAdjustBalance(stores.one, 'embedded', () => Promise.resolve())('u', input)
  }
  const list = (record = listed, ledgerMode: LedgerMode = 'embedded') =>
    stores.one.applyRecords('u', [record], { ledgerMode, ledgerStartMs: 0 })
  const available = async () => (await stores.one.ledger.balance('u', id)).available
  /** The list credits what a person has credited, and a line tells of it. */
  const expectToldByList = async () => {
    await list()
    expect(await available()).toBe('10')
    expect(await told()).toMatchObject([{ transaction_uuid: 't' }])
  }
  /** The user's first session credits it, too. */
  const expectToldByRelease = async () => {
    await stores.one.users.ensure('u', now)
    expect(await releaseUser(release(), 'u')).toBe(1)
    expect(await available()).toBe('10')
    expect(await told()).toMatchObject([{ transaction_uuid: 't' }])
  }

  beforeEach(async () => {
    now = START
    await stores.one.transaction((tx) => tx.currencies.replaceListed([sampleCurrency], now))
  })

  test('and that a person has dismissed is told of once the list has it: they may have credited it', async () => {
    await come('unknown_user')
    now += DAY
    await creditByHand()
    await resolve('dismiss')
    now += DAY
    await stores.one.users.ensure('u', now)
    await list()
    expect(await available()).toBe('10')
    expect(await told()).toMatchObject([{ event_name: 'User Deposit', user_reference_id: 'u', transaction_uuid: 't' }])
    await list()
    expect(await told()).toHaveLength(1)
  })

  test('and that a person has credited, but not dismissed, is told of once its user is known', async () => {
    await come('unknown_user')
    now += DAY
    await creditByHand()
    now += DAY
    await expectToldByRelease()
  })

  test.each([
    ['USDT', 1],
    ['usdt', 1],
    ['ETH', 0],
  ])('and that a person has credited under another id, of %s, makes %i line', async (code, count) => {
    await come('unknown_user')
    const other = { ...sampleCurrency, id: 'the-new-id', currency_code: code }
    await stores.one.transaction((tx) => tx.currencies.replaceListed([other], now))
    now += DAY
    await creditByHand('5', other.id)
    now += DAY
    await stores.one.users.ensure('u', now)
    expect(await releaseUser(release(), 'u')).toBe(1)
    expect(await told()).toHaveLength(count)
  })

  test('and that comes again with a new date, after a person has credited it, is told of', async () => {
    await stores.one.users.ensure('u', now)
    await come('stale')
    now += DAY
    await creditByHand()
    await resolve('dismiss')
    now += DAY
    const again = { transaction_uuid: 't', status: 'succeeded', amount: decimal('5') } as const
    await applyOneFact(stores.one, sampleFact({ ...again, occurred_at: new Date(now - 1000).toISOString() }))
    expect(await available()).toBe('10')
    expect(await told()).toMatchObject([{ transaction_uuid: 't' }])
  })

  test('and that has no date and that a person has credited is told of once its user is known', async () => {
    const about = { event_name: 'User Deposit', transaction_uuid: 't', event: eventOf('succeeded', null) }
    await seed(stores.one, { quarantine: [sampleQuarantined({ ...about, reason: 'unknown_user' })] })
    now += DAY
    await creditByHand()
    now += DAY
    await expectToldByRelease()
  })

  test('and that a person has credited is told of, although its line is open, once the list has it', async () => {
    await stores.one.users.ensure('u', now)
    await come('stale')
    now += DAY
    await creditByHand()
    await expectToldByList()
  })

  test('and that a person has credited is told of, although our clock is behind the gateway’s', async () => {
    now = START - DAY
    await stores.one.users.ensure('u', now)
    await come('stale')
    now += DAY / 2
    await creditByHand()
    await expectToldByList()
  })

  test.each(['other_merchant', 'conflict'] as const)(
    'as %s, and that a person has dismissed, is told of once the list has it',
    async (reason) => {
      await stores.one.users.ensure('u', now)
      await come(reason)
      now += DAY
      await creditByHand()
      await resolve('dismiss')
      now += DAY
      await expectToldByList()
    },
  )

  test('and that comes again and waits for the list is told of once it is booked, and not before', async () => {
    await stores.one.users.ensure('u', now)
    await come('stale')
    now += DAY
    await creditByHand()
    const unconfirmed = { transaction_uuid: 't', status: 'succeeded', amount: decimal('5'), unconfirmed: true } as const
    await applyOneFact(stores.one, sampleFact({ ...unconfirmed, occurred_at: new Date(START).toISOString() }))
    expect([await available(), await told()]).toEqual(['5', []])
    await resolve('dismiss')
    now += DAY
    await expectToldByList()
  })

  test.each(['dismissed', 'left open'] as const)(
    'and that a person has credited and %s is told of once the list says that its deposit failed',
    async (line) => {
      await stores.one.users.ensure('u', now)
      await come('stale')
      now += DAY
      await creditByHand()
      if (line === 'dismissed') await resolve('dismiss')
      now += DAY
      await list(failed)
      expect([await available(), await told()]).toMatchObject(['5', [{ transaction_uuid: 't' }]])
      await list(failed)
      expect(await told()).toHaveLength(1)
      await list()
      expect([await available(), await told()]).toMatchObject(['10', [{}, {}]])
    },
  )

  const underWay: ListedRecord = {
    ...listed,
    ...{ status: 'TXN_NEW', record: '{"transaction_uuid":"t","status":"TXN_NEW"}' },
    fact: sampleFact({ transaction_uuid: 't', source: 'reconciliation', status: 'processing', amount: decimal('5') }),
  }

  test.each([
    ['dismissed', 1],
    ['dismissed long ago', 1],
    ['left open', 2],
  ])('and that has failed, and that a person has credited and %s, is told of once it succeeds', async (line, count) => {
    await stores.one.users.ensure('u', now)
    await list(underWay)
    now += 2 * DAY
    await stores.one.unitOfWork({ users: ['u'], transactions: [deposit] }, (unit) => {
      reportOverdue(unit, { withdrawals: [], transactions: [deposit] }, DAY)
    })
    await resolve('dismiss')
    await list(failed)
    expect(await told()).toHaveLength(1)
    // The gateway has its coins after all.
    now += 1000
    await creditByHand()
    if (line !== 'left open') await resolve('dismiss')
    now += line === 'dismissed long ago' ? 365 * DAY : DAY
    await stores.one.transaction((tx) => tx.retention.deleteSettledQuarantine(now - 90 * DAY, 99))
    await list()
    expect([await available(), (await told()).length]).toEqual(['10', count])
    await list()
    expect(await told()).toHaveLength(count)
  })

  test('about an earlier state, and that a person has dismissed, tells nobody that its deposit failed', async () => {
    await stores.one.users.ensure('u', now)
    await come('stale', 'processing')
    await resolve('dismiss')
    now += DAY
    await list(failed)
    expect(await told()).toEqual([])
  })

  test.each([
    ['5', 1],
    ['6', 0],
  ])('about an earlier state, after which a person has credited %s, makes %i line', async (amount, count) => {
    await stores.one.users.ensure('u', now)
    await come('stale', 'processing')
    now += DAY
    await creditByHand(amount)
    await resolve('dismiss')
    now += DAY
    await list()
    expect(await told()).toHaveLength(count)
  })

  test('about a purchase that failed, and that a person has dismissed, tells nobody of that failure', async () => {
    await stores.one.users.ensure('u', now)
    await stores.one.onramps.insert(sampleOnramp())
    const event = eventOf('succeeded').replace('"succeeded"', '"failed"').replace('User Deposit', 'User Onramp')
    const line = { reason: 'stale', event_name: 'User Onramp', transaction_uuid: 't', event } as const
    await seed(stores.one, { quarantine: [sampleQuarantined(line)] })
    await resolve('dismiss')
    now += DAY
    const of = { kind: 'onramp', transaction_uuid: 't', status: 'failed', session_reference: 'o1' } as const
    await applyOneFact(stores.one, sampleFact({ ...of, occurred_at: new Date(START).toISOString() }))
    expect(await told()).toEqual([])
  })

  test('about a purchase is told of once an event names its user, and not before', async () => {
    await stores.one.users.ensure('u', now)
    await stores.one.onramps.insert(sampleOnramp())
    await come('stale')
    now += DAY
    await creditByHand()
    await resolve('dismiss')
    const of = { kind: 'onramp', transaction_uuid: 't', status: 'succeeded', amount: decimal('5') } as const
    const purchase = { ...of, session_reference: 'o1', occurred_at: new Date(START).toISOString() }
    await applyOneFact(stores.one, sampleFact({ ...purchase, user_reference_id: null }))
    expect([await available(), await told()]).toEqual(['5', []])
    await applyOneFact(stores.one, sampleFact(purchase))
    expect(await available()).toBe('10')
    expect(await told()).toMatchObject([{ event_name: 'User Onramp', user_reference_id: 'u', transaction_uuid: 't' }])
  })

  test.each([
    ['the same hash', 't', 'stale', '5', 1],
    ['the same hash', 't', 'implausible', '5.5', 1],
    ['the same hash', 't', 'implausible', null, 0],
    ['another hash', 'other', 'stale', '5', 0],
    ['no hash yet', null, 'stale', '5', 1],
    ['no hash yet', null, 'stale', '6', 0],
  ] as const)(
    'and is of a purchase, whose deposit comes with %s (%s, %s, credited by hand: %s)',
    async (_what, hash, reason, credited, count) => {
      await stores.one.users.ensure('u', now)
      const event = JSON.stringify({
        event: 'User Onramp',
        transaction: { id: 'p', status: 'succeeded', to_amount: 5.5, tx_hash: 't' },
      })
      const line = { event_name: 'User Onramp', transaction_uuid: 'p', event } as const
      await seed(stores.one, { quarantine: [sampleQuarantined({ ...line, reason })] })
      now += DAY
      if (credited !== null) await creditByHand(credited)
      await resolve('dismiss')
      now += DAY
      await list({ ...listed, fact: sampleFact({ ...listed.fact, tx_hash: hash }) })
      expect(await told()).toHaveLength(count)
    },
  )

  test('and was in a part of the list that nobody could read, is told of if a person has credited it since', async () => {
    await stores.one.users.ensure('u', now)
    await stores.one.unitOfWork({ users: ['u'] }, (unit) => {
      reportUnreadable(unit, 'u', START)
    })
    now += DAY
    await creditByHand()
    await resolve('dismiss')
    now += DAY
    await expectToldByList()
  })

  test('and came after a list was read again that nobody could read tells nobody', async () => {
    await stores.one.users.ensure('u', now)
    now -= 2 * DAY
    await stores.one.unitOfWork({ users: ['u'] }, (unit) => {
      reportUnreadable(unit, 'u', now)
    })
    await creditByHand()
    now += DAY
    await resolve('dismiss')
    now += 2 * DAY
    await list()
    expect([await available(), await told()]).toEqual(['10', []])
  })

  const restored = () => stores.one.transaction((tx) => tx.reconciliation.noteRestored())

  test('and that a restore has lost is told of if a person has credited it before the list was read', async () => {
    await stores.one.users.ensure('u', now)
    now += DAY
    await restored()
    now += 1000
    await creditByHand()
    now += 1000
    await expectToldByList()
    await list()
    expect(await told()).toHaveLength(1)
  })

  test.each<readonly [string, number, () => Promise<unknown>]>([
    ['is told of after a restore: the merchant may have booked its success', 1, () => restored()],
    ['tells nobody once the list was compared', 0, () => restored().then(() => stores.one.users.totalsChecked('u'))],
    ['tells nobody without a restore', 0, () => Promise.resolve()],
  ])('and ends as failed, while the merchant keeps the books, %s', async (_what, count, act) => {
    await stores.one.users.ensure('u', now)
    now += DAY
    await act()
    now += 1000
    await list(failed, 'merchant')
    await list(failed, 'merchant')
    expect(await told()).toHaveLength(count)
  })

  test('and fails after a restore, and succeeds after all, is told of if the merchant keeps the books', async () => {
    await stores.one.users.ensure('u', now)
    now += DAY
    await restored()
    now += 1000
    await list(failed, 'merchant')
    // A person may have taken it back.
    await resolve('dismiss')
    now += DAY
    for (let at = 0; at < 2; at += 1) await list(listed, 'merchant')
    expect(await told()).toMatchObject([{ transaction_uuid: 't', event_name: 'User Deposit' }])
  })

  test('and is a payout that fails after a restore is told of if the merchant keeps the books', async () => {
    const asked = { amount: decimal('5'), transaction_uuid: 't', called_ms: START } as const
    await stores.one.users.ensure('u', now)
    await seed(stores.one, { withdrawals: [sampleWithdrawal({ ...asked, funds: 'none', postings: 0 })] })
    await restored()
    now += 1000
    const fact = sampleFact({ ...failed.fact, kind: 'payout' })
    await list({ ...failed, type: 'Payout', fact }, 'merchant')
    expect(await told()).toMatchObject([{ transaction_uuid: 't', event_name: 'User Payout' }])
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'failed', failure: 'record' })
  })

  test.each([
    ['the books have what was corrected, which is told again', listed, '5', [{ transaction_uuid: 't' }]],
    ['nothing is booked that a correction would take back', null, '0', []],
  ] as const)(
    'and is corrected before a restore: the correction is not sent again, since %s',
    async (_what, backup, books, lines) => {
      await stores.one.users.ensure('u', now)
      if (backup !== null) await list(backup)
      now += DAY
      await restored()
      now += 1000
      await list(failed)
      expect([await available(), await told()]).toMatchObject([books, lines])
    },
  )

  test.each<readonly [string, () => Promise<unknown>]>([
    ['an adjustment of another amount', () => creditByHand('6')],
    [
      'an adjustment from days before',
      async () => {
        await creditByHand()
        now += 2 * DAY
        await restored()
      },
    ],
    ['a comparison of the list', () => creditByHand().then(() => stores.one.users.totalsChecked('u'))],
  ])('and that a restore has lost tells nobody after %s', async (_what, act) => {
    await stores.one.users.ensure('u', now)
    now += DAY
    await restored()
    now += 1000
    await act()
    now += 1000
    await list()
    expect(await told()).toEqual([])
  })

  test.each<readonly [string, () => Promise<unknown>]>([
    ['nobody has looked at', () => list()],
    ['a person applies', () => resolve('apply')],
    ['is applied after an adjustment of another amount', () => creditByHand('6').then(() => list())],
  ])('and that %s tells nobody', async (_what, act) => {
    await stores.one.users.ensure('u', now)
    await come('stale')
    now += DAY
    await act()
    expect(await available()).toMatch(/^(?:5|11)$/)
    expect(await told()).toEqual([])
  })

  test('of an unknown kind, and that a person has dismissed, tells nobody', async () => {
    await stores.one.users.ensure('u', now)
    const event = JSON.stringify({ ...(JSON.parse(eventOf('succeeded')) as object), event: 'User Gift' })
    await seed(stores.one, {
      quarantine: [
        sampleQuarantined({ reason: 'unknown_event', event_name: 'User Gift', transaction_uuid: 't', event }),
      ],
    })
    await resolve('dismiss')
    now += DAY
    await list()
    expect([await available(), await told()]).toEqual(['5', []])
  })

  test('about an earlier state, and that a person has applied, tells nobody of the end', async () => {
    await stores.one.users.ensure('u', now)
    await come('stale', 'processing')
    now += DAY
    await resolve('apply')
    await list()
    expect([await available(), await told()]).toEqual(['5', []])
  })
})

describe.each(FLAVOURS)('a balance that a person has corrected by a line, on %s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now })
  const HASH = `0x${'a1'.repeat(32)}`
  const tell = (fact: Partial<Fact>) =>
    applyOneFact(stores.one, sampleFact({ occurred_at: new Date(now).toISOString(), amount: decimal('5'), ...fact }))
  const contradictions = async () => {
    const lines = await stores.one.quarantine.list({ reason: 'contradiction', settled: false, after: 0, limit: 99 })
    return lines.map(({ transaction_uuid }) => transaction_uuid)
  }
  const dismissAll = async () => {
    for (const { id: line } of await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 }))
      await createResolveQuarantine({
        store: stores.one,
        clock: () => now,
        applyAgain: () => Promise.reject(new Error()),
      })(String(line), { action: 'dismiss' }, MERCHANT_BACKEND)
  }
  const correct = (amount: string) =>
    createAdjustBalance(stores.one, 'embedded', () => Promise.resolve())(
      'u',
      adjustmentRequest.parse({ currency_id: id, amount, reference: `by-hand-${amount}` }),
    )
  const available = async () => (await stores.one.ledger.balance('u', id)).available

  beforeEach(async () => {
    now = START
    await stores.one.transaction((tx) => tx.currencies.replaceListed([sampleCurrency], now))
    await stores.one.users.ensure('u', now)
  })

  const purchase = { kind: 'onramp', transaction_uuid: 'p', session_reference: 'o1', tx_hash: HASH } as const

  test.each([
    ['-5', ['d']],
    ['-4', []],
  ])('is told of when the deposit comes of a purchase that was taken back: %s', async (by, lines) => {
    await stores.one.onramps.insert(sampleOnramp({ amount: decimal('5') }))
    await tell({ ...purchase, status: 'succeeded' })
    now += 1000
    await tell({ ...purchase, status: 'failed' })
    expect(await contradictions()).toEqual(['p'])
    await correct(by)
    await dismissAll()
    now += DAY
    await tell({ transaction_uuid: 'd', status: 'succeeded', tx_hash: HASH })
    expect(await available()).toBe(by === '-5' ? '0' : '1')
    expect(await contradictions()).toEqual(lines)
  })

  test('is told of although the clock of the machine that had told of its line was ahead', async () => {
    await stores.one.onramps.insert(sampleOnramp({ amount: decimal('5') }))
    await tell({ ...purchase, status: 'succeeded' })
    now += 2 * 3_600_000
    await tell({ ...purchase, status: 'failed' })
    now -= 3_600_000
    await correct('-5')
    await dismissAll()
    await tell({ transaction_uuid: 'd', status: 'succeeded', tx_hash: HASH })
    expect([await available(), await contradictions()]).toEqual(['0', ['d']])
  })

  test('is told of although another event of it in the same commit is not applied', async () => {
    await stores.one.onramps.insert(sampleOnramp({ amount: decimal('5') }))
    await tell({ ...purchase, status: 'succeeded' })
    now += 1000
    await tell({ ...purchase, status: 'failed' })
    await correct('-5')
    await dismissAll()
    now += 2 * DAY
    const bodies = [HASH, `0x${'b2'.repeat(32)}`].map((tx_hash) => {
      const event = JSON.parse(eventOf('succeeded').replaceAll('"t"', '"d"')) as { readonly transaction: object }
      return JSON.stringify({ ...event, transaction: { ...event.transaction, tx_hash } })
    })
    const items = bodies.map((body) => {
      const parsed = parseWebhook(Buffer.from(body))
      if (parsed.outcome !== 'event') throw new Error(parsed.outcome)
      return { parsed, body, sentS: now / 1000, fresh: true }
    })
    const outcomes = await stores.one.transaction(async (tx) => {
      const events = items.map(({ parsed }) => parsed.event)
      const unit = await loadForEvents(tx, events, ['u'], RULES)
      const applied = applyGroup(unit, items, RULES)
      await tx.save(unit)
      return applied
    })
    expect([outcomes, await available()]).toEqual([['applied', 'conflict'], '0'])
    expect(await contradictions()).toEqual(['d'])
  })

  test.each([
    ['succeeded', '-2', ['x']],
    ['failed', '-2', ['x']],
    ['succeeded', '-3', []],
  ] as const)('by the reply to a withdrawal is told of when it has %s: %s', async (status, by, lines) => {
    const asked = {
      user_reference_id: 'u',
      currency_id: id,
      amount: decimal('10'),
      reply_amount: decimal('12'),
    } as const
    const sent = sampleWithdrawal({ ...asked, ...{ status: 'processing', step: 'ended', transaction_uuid: null } })
    const line = sampleQuarantined({
      reason: 'contradiction',
      event_name: 'User Payout',
      transaction_uuid: 'w1',
      event: '{"replied":{}}',
    })
    const moved = { user_reference_id: 'u', currency_id: id } as const
    await seed(stores.one, {
      withdrawals: [sent],
      quarantine: [line],
      bookings: [
        { ...moved, booking: 'adjustment', posting_key: 'funds', amount: decimal('100') },
        { ...moved, booking: 'hold', posting_key: 'hold:w1', amount: decimal('10') },
      ],
    })
    now += 1000
    await correct(by)
    await dismissAll()
    now += DAY
    await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'], balances: [['u', id]] }, (unit) => {
      const row = unit.withdrawal('w1')
      if (row === null) throw new Error('it is gone')
      const evidence = { kind: 'payout', transaction_uuid: 'x', status } as const
      settleWithdrawal(unit, row, { evidence, source: 'reconciliation' })
    })
    expect(await contradictions()).toEqual(lines)
  })
})
