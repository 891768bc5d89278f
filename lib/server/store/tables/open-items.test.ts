/** What keeps a user from being erased: nothing is lost without a word. */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { Fact } from '../../ledger/facts.ts'
import { asFactsOfSession, reportOverdue } from '../../ledger/overdue.ts'
import { givePayout, setOwner } from '../../ledger/payouts/payout-owners.ts'
import type { QuarantineReason } from '../../ledger/rows.ts'
import { eraseUser } from '../commands/erase-user.ts'
import {
  sampleFact,
  sampleOnramp,
  samplePayout,
  sampleQuarantined,
  sampleRecord,
  sampleWithdrawal,
} from '../testing/sample-rows.ts'
import { applyOneFact, seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const NOW = Date.UTC(2026, 10, 20)
const HOUR = 3_600_000
let now = NOW
beforeEach(() => {
  now = NOW
})

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now })
  beforeEach(() => stores.one.users.ensure('u', now))

  const apply = (fact: Partial<Fact>) => applyOneFact(stores.one, sampleFact({ status: 'succeeded', ...fact }))
  const buy = (more: Partial<Parameters<typeof sampleOnramp>[0]> = {}) =>
    stores.one.onramps.insert(sampleOnramp({ id: 'o1', created_ms: now, updated_ms: now, ...more }))
  const purchase = { kind: 'onramp', session_reference: 'o1', correlation_key: 'k1' } as const
  /** What is open; empty if the user is erased. */
  const erase = async (pseudonym = 'erased_1'): Promise<readonly string[]> => {
    const result = await eraseUser(stores.one, 'u', pseudonym, () => now)
    return result.outcome === 'open' ? result.open.map(({ what, id, status }) => `${what} ${id} ${status}`) : []
  }
  const dismissAll = async (): Promise<void> => {
    for (const { id } of await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 }))
      await stores.one.quarantine.settle(id, { by: 'merchant', now })
  }
  /** A line with this reason forbids the erasure, until a person has settled it. */
  const expectRefusedFor = async (reason: QuarantineReason): Promise<void> => {
    expect(await erase()).toEqual([expect.stringMatching(new RegExp(`^quarantine \\d+ ${reason}$`))])
    await dismissAll()
    expect(await erase()).toEqual([])
  }

  test('a payout that nobody owns', async () => {
    await apply({ kind: 'payout', transaction_uuid: 'p1', source: 'reconciliation' })
    const [line, ...rest] = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    expect(rest).toEqual([])
    expect(await erase()).toEqual(['payout p1 succeeded', `quarantine ${String(line?.id)} unmatched_payout`])
    await stores.one.transaction(async (tx) => {
      const unit = await tx.load({ users: ['u'], attemptsOf: ['u'] })
      const open = unit.payout('p1')
      if (open === null) throw new Error('there is no such payout')
      setOwner(unit, open, 'acknowledged', { note: 'by hand' })
      await tx.save(unit)
    })
    expect(await erase()).toEqual([])
  })

  test.each([
    ['was refused', { failure: 'refused' }, true],
    ['could not be sent', { failure: 'unreachable' }, true],
    ['was absent from the list', { failure: 'absent' }, true],
    ['failed at the gateway', { failure: 'record', transaction_uuid: 'p1', record_status: 'failed' }, true],
    ['was declined', { failure: 'declined', called_ms: null, call_ended_ms: null }, false],
  ] as const)('a withdrawal that %s: its payout may show up for a week', async (_name, how, isOpen) => {
    const ended = { status: 'failed', step: 'ended', funds: 'released', updated_ms: now } as const
    await seed(stores.one, {
      withdrawals: [sampleWithdrawal({ ...ended, user_reference_id: 'u', called_ms: now, call_ended_ms: now, ...how })],
    })
    now += 7 * 24 * HOUR
    expect(await erase('erased_1')).toEqual(isOpen ? ['withdrawal w1 failed'] : [])
    now += 1
    if (isOpen) expect(await erase('erased_1')).toEqual([])
  })

  test('a purchase that may still be paid, for a day', async () => {
    await buy()
    expect(await erase()).toEqual(['purchase o1 pending'])
    now += 24 * HOUR
    expect(await erase()).toEqual([])
  })

  test('a purchase under way, until it has ended', async () => {
    await buy()
    await apply({ ...purchase, status: 'processing' })
    now += 72 * HOUR
    expect(await erase()).toEqual(['purchase t1 processing'])
    await apply({ ...purchase, status: 'failed' })
    expect(await erase()).toEqual([])
  })

  test('a settled purchase that names no user, until its deposit was found', async () => {
    await buy()
    await apply({ ...purchase, user_reference_id: null, tx_hash: '0xaa' })
    expect(await erase()).toEqual(['purchase t1 succeeded'])
    await apply({ transaction_uuid: 't2', tx_hash: '0xaa', correlation_key: 'k1' })
    now += 24 * HOUR
    await stores.one.transaction(async (tx) => {
      const due = { users: ['u'], withdrawals: [], transactions: [{ kind: 'onramp', transaction_uuid: 't1' }] } as const
      const unit = await tx.load(due)
      await tx.loadRelated(unit, asFactsOfSession(unit, due.transactions))
      expect(reportOverdue(unit, due, 24 * HOUR)).toBe(1)
      await tx.save(unit)
    })
    expect(await erase()).toEqual([])
  })

  test('a credited purchase, until its deposit came, or the control totals have told that it is missing', async () => {
    await buy()
    await apply({ ...purchase, tx_hash: '0xaa' })
    now += 7 * 24 * HOUR
    expect(await erase()).toEqual(['purchase t1 succeeded'])
    await apply({ transaction_uuid: 't2', tx_hash: '0xaa' })
    expect(await erase()).toEqual([])
    await stores.one.users.ensure('u', now)
    await buy({ correlation_key: 'k2' })
    await apply({ ...purchase, transaction_uuid: 't3', correlation_key: 'k2', tx_hash: '0xbb' })
    expect(await erase()).toEqual(['purchase t3 succeeded'])
    now += 8 * 24 * HOUR
    expect(await erase('erased_2')).toEqual([])
  })

  test('a purchase to a wallet of the user’s own is nobody’s', async () => {
    await buy({ wallet_address: 'TOwn' })
    expect(await erase()).toEqual([])
  })

  test('a deposit that the list has not confirmed', async () => {
    await apply({ unconfirmed: true })
    expect(await erase()).toEqual(['deposit t1 succeeded'])
    await apply({ source: 'reconciliation' })
    expect(await erase()).toEqual([])
  })

  test.each(['totals_differ', 'late_payout', 'contradiction', 'list_conflict', 'overdue', 'implausible'] as const)(
    'a line with the reason %s, until a person has settled it',
    async (reason) => {
      await seed(stores.one, { quarantine: [sampleQuarantined({ reason })] })
      await expectRefusedFor(reason)
    },
  )

  test('a line about another user that names a transaction of this one', async () => {
    await apply({ source: 'reconciliation' })
    const line = { reason: 'list_conflict', user_reference_id: 'v' } as const
    await seed(stores.one, { quarantine: [sampleQuarantined({ ...line, transaction_uuid: 't1' })] })
    await expectRefusedFor('list_conflict')
  })

  test('a line about another user’s payout that a reply had named for a withdrawal of this one', async () => {
    const { one } = stores
    const old = now - 8 * 24 * HOUR
    const failed = { status: 'failed', failure: 'absent', funds: 'none', updated_ms: old, called_ms: old } as const
    await seed(one, { withdrawals: [sampleWithdrawal({ ...failed, transaction_uuid: 't1' })] })
    await one.users.ensure('v', now)
    await apply({ kind: 'payout', source: 'reconciliation', user_reference_id: 'v' })
    expect(await erase()).toEqual([expect.stringMatching(/^quarantine \d+ unmatched_payout$/)])
  })

  test('a line about another user’s payout that stands under this one', async () => {
    const payout = samplePayout({ transaction_uuid: 't1', owner: 'acknowledged', note: 'by hand' })
    await stores.one.unitOfWork({ users: ['u'] }, (unit) => {
      unit.putPayout(payout)
    })
    const line = { reason: 'list_conflict', user_reference_id: 'v' } as const
    await seed(stores.one, { quarantine: [sampleQuarantined({ ...line, transaction_uuid: 't1' })] })
    await expectRefusedFor('list_conflict')
  })

  test('a line about another user’s transaction does not, and stays, although the list of this one has shown it', async () => {
    const { one } = stores
    await one.users.ensure('v', now)
    await apply({ source: 'reconciliation', user_reference_id: 'v' })
    await apply({ source: 'reconciliation', user_reference_id: 'u' })
    await seed(one, { records: [sampleRecord()] })
    await dismissAll()
    expect(await apply({ source: 'reconciliation', user_reference_id: 'v', status: 'failed' })).toBe('contradiction')
    expect(await erase()).toEqual([])
    const lines = await one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    expect(lines).toMatchObject([{ reason: 'contradiction', user_reference_id: 'v', transaction_uuid: 't1' }])
  })

  test('an event about another user’s withdrawal does not, and stays, although an event gave its payout to this one', async () => {
    const { one } = stores
    await one.users.ensure('v', now)
    await apply({ kind: 'payout', source: 'webhook', user_reference_id: 'u' })
    await apply({ kind: 'payout', source: 'reconciliation', user_reference_id: 'v' })
    const row = sampleWithdrawal({ user_reference_id: 'v', called_ms: now, funds: 'none' })
    await seed(one, { withdrawals: [row] })
    await one.unitOfWork(
      { users: ['v'], withdrawals: ['w1'], transactions: [{ kind: 'payout', transaction_uuid: 't1' }] },
      (unit) => {
        const payout = unit.payout('t1')
        if (payout === null) throw new Error('there is no such payout')
        givePayout(unit, payout, row, '{}')
      },
    )
    await dismissAll()
    expect(await erase()).toEqual([])
    const [event] = (await one.events.feedAfter(0, 9)).filter(({ entity }) => entity === 'withdrawal:w1')
    expect(JSON.parse(event?.data ?? '{}')).toMatchObject({ user_reference_id: 'v', status: 'succeeded' })
  })

  test('a purchase’s event that was not applied; not that of a deposit, which the list tells', async () => {
    const of = (event_name: string) => sampleQuarantined({ event_name, transaction_uuid: event_name })
    await seed(stores.one, { quarantine: [of('User Deposit'), of('User Onramp')] })
    expect(await erase()).toEqual([expect.stringMatching(/^quarantine \d+ stale$/)])
    await dismissAll()
    expect(await erase()).toEqual([])
  })

  test('a list that was not compared with the books since a restore', async () => {
    await stores.one.transaction((tx) => tx.reconciliation.noteRestored())
    now += 1000
    expect(await erase()).toEqual(['list u not compared with the books since a restore'])
    await stores.one.users.totalsChecked('u')
    expect(await erase()).toEqual([])
  })

  test('an amount that is left does not', async () => {
    await apply({ amount: decimal('5'), source: 'reconciliation' })
    expect(await erase()).toEqual([])
    expect(await stores.one.ledger.balance('erased_1', 'c1')).toMatchObject({ available: '5' })
  })
})

describe.each(FLAVOURS)('%s, with a webhook of the merchant', (flavour) => {
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now, deliver: true })
  beforeEach(() => stores.one.users.ensure('u', now))

  test('an event that the merchant has not got: under another name nobody could book it', async () => {
    const { one } = stores
    const erase = () => eraseUser(one, 'u', 'erased_1', () => now)
    const open = { outcome: 'open', open: [{ what: 'event', id: 'deposit:t1', status: 'not delivered' }] }
    await applyOneFact(one, sampleFact({ status: 'succeeded', source: 'reconciliation' }), { ledgerMode: 'merchant' })
    expect(await erase()).toEqual(open)
    await one.events.number()
    expect(await erase()).toEqual(open)
    await one.deliveries.claim([1], 'claim', 1000)
    await one.transaction((tx) => tx.deliveries.delivered({ cursor: 1, entity: 'deposit:t1', claim: 'claim' }))
    expect(await erase()).toMatchObject({ outcome: 'erased' })
  })
})
