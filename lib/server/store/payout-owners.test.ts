/** Whose each payout and deposit is, when the gateway spells, rounds, repeats, delays or renames. */
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { Fact, ListedRecord } from '../ledger/facts.ts'
import { attentionOf } from '../ledger/payouts/attention.ts'
import { matchOpenPayouts, setOwner } from '../ledger/payouts/payout-owners.ts'
import type { WithdrawalRow } from '../ledger/rows.ts'
import { completeWithdrawal, sampleFact, sampleWithdrawal } from './testing/sample-rows.ts'
import { applyOneFact, changeWithdrawal, seed } from './testing/seed.ts'
import { FLAVOURS } from './testing/test-databases.ts'
import { useStores } from './testing/use-stores.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 10, 20)
const NOW = START + DAY

const payout = (transaction_uuid: string, more: Partial<Fact> = {}): Fact =>
  sampleFact({
    ...{ kind: 'payout', transaction_uuid, status: 'succeeded', source: 'reconciliation' },
    ...{ amount: decimal('10'), to_address: 'TAddress', occurred_at: new Date(NOW).toISOString() },
    ...more,
  })
const deposit = (transaction_uuid: string, more: Partial<Fact> = {}): Fact =>
  payout(transaction_uuid, { kind: 'deposit', ...more })

describe.each(FLAVOURS)('on %s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, clock: () => NOW })

  /** A withdrawal of 10 that was called at `NOW`, with its hold. */
  async function withdrawal(more: Partial<WithdrawalRow> = {}): Promise<void> {
    const amount = decimal('10')
    const times = { created_ms: NOW, called_ms: NOW, call_ended_ms: NOW, updated_ms: NOW, clock_offset_ms: 0 }
    const row = sampleWithdrawal({ amount, ...times, ...more })
    const booking = { user_reference_id: 'u', currency_id: 'c1', amount }
    await stores.one.users.ensure('u', 0)
    const bookings = [
      { ...booking, booking: 'adjustment', posting_key: `funds:${row.id}` },
      { ...booking, booking: 'hold', posting_key: `hold:${row.id}` },
      ...(row.funds === 'released'
        ? [{ ...booking, booking: 'release', posting_key: `release:${row.id}` } as const]
        : []),
    ] as const
    await seed(stores.one, { bookings, withdrawals: [row] })
  }

  const list = (insertedMs: number, ...facts: readonly Fact[]): Promise<number> =>
    stores.one.applyRecords(
      'u',
      facts.map((fact): ListedRecord => {
        const { transaction_uuid, status, kind, currency_id, currency_code, network } = fact
        const inserted_at = new Date(insertedMs).toISOString()
        const currency = { id: currency_id, name: 'Tether', currency_code, symbol: '₮', network }
        const record = JSON.stringify({ fact, inserted_at })
        const type = kind === 'payout' ? 'Payout' : 'Deposit'
        return {
          transaction_uuid,
          user_reference_id: 'u',
          type,
          status,
          inserted_at,
          cursor: 'c',
          record,
          currency,
          fact,
        }
      }),
      { ledgerMode: 'embedded', ledgerStartMs: START, clockOffset: 0 },
    )

  const balance = async (currency = 'c1') => {
    const { available, held } = await stores.one.ledger.balance('u', currency)
    return [available, held]
  }
  const ownerOf = async (uuid: string) => (await stores.one.payouts.find(uuid))?.owner
  const lines = async () =>
    (await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })).map(
      ({ reason, transaction_uuid }) => [reason, transaction_uuid],
    )
  const found = async () => {
    const row = await stores.one.withdrawals.find('w1')
    if (row === null) throw new Error('no such withdrawal')
    return { status: row.status, attention: attentionOf(row, await stores.one.payouts.openOf(['u']), NOW) }
  }

  test('a deposit and a payout from before the start are booked nowhere, and owned by nobody of ours', async () => {
    await stores.one.users.ensure('u', 0)
    await list(START - 10 * DAY, deposit('d', { amount: decimal('100') }), payout('p', { amount: decimal('90') }))
    expect([await balance(), await ownerOf('p'), await lines()]).toEqual([['0', '0'], 'before', []])
    const [stored] = await stores.one.records.byUuids('u', ['d'])
    expect(stored).toBeDefined()
    // Its webhook comes again.
    const again = deposit('d', { source: 'webhook', amount: decimal('100') })
    expect(await applyOneFact(stores.one, again, { ledgerStartMs: START })).toBe('applied')
    expect(await balance()).toEqual(['0', '0'])
    await list(START, deposit('new', { amount: decimal('5') }))
    expect(await balance()).toEqual(['5', '0'])
  })

  test('a payout event from before the start, of which no record is known, is from before us until its record says else', async () => {
    await stores.one.users.ensure('u', 0)
    const old = payout('p', { source: 'webhook', occurred_at: new Date(START - 1).toISOString() })
    await applyOneFact(stores.one, old, { ledgerStartMs: START })
    expect([await ownerOf('p'), await lines()]).toEqual(['before', []])
    await list(START + 1, payout('p'))
    expect([await ownerOf('p'), await lines()]).toEqual([null, [['unmatched_payout', 'p']]])
  })

  test.each([
    ['hours before the call', NOW - 2 * HOUR, null],
    ['before the start', START - 1, 'before'],
  ] as const)('an event that dates a payout %s settles no withdrawal that fits', async (_name, made, owner) => {
    for (const status of ['processing', 'unknown'] as const) {
      const uuid = `p ${status}`
      await withdrawal({ id: status, idempotency_key: status, status })
      const told = payout(uuid, { source: 'webhook', occurred_at: new Date(made).toISOString() })
      await applyOneFact(stores.one, told, { ledgerStartMs: START, clockOffset: 0 })
      await stores.one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
        matchOpenPayouts(unit, 'u', 0)
      })
      expect(await stores.one.withdrawals.find(status)).toMatchObject({ status, transaction_uuid: null })
      expect([await ownerOf(uuid), await lines()]).toEqual([null, [['unmatched_payout', uuid]]])
      // Its record says the same.
      await list(made, payout(uuid))
      expect(await ownerOf(uuid)).toBe(owner)
      await stores.one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
        for (const open of unit.openPayouts('u')) setOwner(unit, open, 'acknowledged', { note: 'made before' })
      })
      await changeWithdrawal(stores.one, status, { status: 'failed', failure: 'declined' })
    }
  })

  test.each<[string, Partial<Fact>]>([
    ['net of a fee', { amount: decimal('9.5') }],
    ['to a respelled address', { to_address: 'taddress' }],
    ['in a currency with a new id and another name of its network', { currency_id: 'c9', network: 'TRC20' }],
    ['in a status that nobody knows', { amount: decimal('9.5'), status: 'other' }],
  ])('a payout %s is seen, whatever the phase of the withdrawal', async (_name, more) => {
    for (const phase of [
      { status: 'processing' },
      { status: 'unknown' },
      { status: 'failed', failure: 'absent', funds: 'released', postings: 2 },
    ] as const) {
      const id = phase.status
      await withdrawal({ id: 'w1', ...phase })
      await list(NOW, payout(id, more))
      expect([await ownerOf(id), await lines()]).toEqual([null, [['unmatched_payout', id]]])
      expect(await found()).toEqual({ status: phase.status, attention: 'unmatched_payout' })
      await stores.one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
        for (const open of unit.openPayouts('u')) unit.putPayout({ ...open, owner: 'acknowledged' })
        unit.settleReport('unmatched_payout', id)
      })
      await stores.one.database.db.deleteFrom('withdrawals').execute()
      await stores.one.database.db.deleteFrom('balances').execute()
      await stores.one.database.db.deleteFrom('postings').execute()
    }
  })

  test('a payout that a reply named to another user’s withdrawal belongs to nobody, although it fits one of this user', async () => {
    await withdrawal()
    await seed(stores.one, {
      withdrawals: [
        sampleWithdrawal({ id: 'w2', user_reference_id: 'v', transaction_uuid: 'p', reply_amount: decimal('10') }),
      ],
    })
    await list(NOW, payout('p'))
    expect([await ownerOf('p'), await lines()]).toEqual([null, [['unmatched_payout', 'p']]])
    await stores.one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
      matchOpenPayouts(unit, 'u', 0)
    })
    expect([await ownerOf('p'), await found()]).toEqual([null, { status: 'processing', attention: 'unmatched_payout' }])
  })

  test('one withdrawal that is paid twice: the second payout belongs to nobody', async () => {
    await withdrawal()
    await list(NOW, payout('first'), payout('second'))
    expect(await found()).toEqual({ status: 'succeeded', attention: null })
    const owners = [await ownerOf('first'), await ownerOf('second')].sort()
    expect(owners).toEqual([null, 'withdrawal'].sort())
    expect(await lines()).toHaveLength(1)
  })

  test('a payout that failed and then succeeded, after another has paid its withdrawal, belongs to nobody', async () => {
    await withdrawal()
    await list(NOW, payout('first', { status: 'failed' }))
    await list(NOW, payout('second'))
    expect([await found(), await ownerOf('second')]).toEqual([{ status: 'succeeded', attention: null }, 'withdrawal'])
    await list(NOW, payout('first'))
    expect([await ownerOf('first'), await balance()]).toEqual([null, ['0', '0']])
    expect(await lines()).toContainEqual(['unmatched_payout', 'first'])
  })

  test.each([
    ['has fewer digits', '0.123456789012345678', '0.12345678901234568', '0.246913578024691356'],
    ['has as many digits', '9007199254740993', '9007199254740992', '18014398509481986'],
  ])(
    'a webhook whose amount passed through a double and %s agrees with the list',
    async (_what, exact, double, sum) => {
      await stores.one.users.ensure('u', 0)
      const rounded = decimal(double)
      for (const [uuid, listFirst] of [
        ['a', true],
        ['b', false],
      ] as const) {
        const told = (): Promise<unknown> =>
          applyOneFact(stores.one, deposit(uuid, { source: 'webhook', amount: rounded, inexact: true }))
        if (!listFirst) await told()
        await list(NOW, deposit(uuid, { amount: decimal(exact) }))
        if (listFirst) await told()
      }
      expect([await balance(), await lines()]).toEqual([[sum, '0'], []])
      expect((await stores.one.ledger.userEntries('u', null, 9)).length).toBeGreaterThanOrEqual(2)
    },
  )

  test.each(['embedded', 'merchant'] as const)(
    'books of %s: an amount that was told rounded is told exactly, once',
    async (ledgerMode) => {
      await stores.one.users.ensure('u', 0)
      const told = deposit('a', { source: 'webhook', amount: decimal('0.12345678901234568'), inexact: true })
      const listed = deposit('a', { amount: decimal('0.123456789012345678') })
      for (const fact of [told, told, listed, listed, told]) await applyOneFact(stores.one, fact, { ledgerMode })
      const feed = await stores.one.events.feedAfter(0, 9)
      const seen = feed.map(({ data }) => JSON.parse(data) as Record<string, unknown>)
      expect(seen.map(({ status, amount }) => [status, amount])).toEqual([
        ['succeeded', '0.12345678901234568'],
        ['succeeded', '0.123456789012345678'],
      ])
    },
  )

  test('a payout event whose amount passed through a double settles its withdrawal', async () => {
    const amount = decimal('1.000000000000000001')
    await withdrawal({ amount })
    const told = payout('p', { source: 'webhook', amount: decimal('1'), inexact: true })
    await applyOneFact(stores.one, told)
    expect(await found()).toEqual({ status: 'succeeded', attention: null })
  })

  test('a currency id that changes between two states of a deposit: it is credited once, in the present id', async () => {
    await stores.one.users.ensure('u', 0)
    await applyOneFact(stores.one, deposit('d', { source: 'webhook', status: 'processing' }))
    await applyOneFact(stores.one, deposit('d', { source: 'webhook', currency_id: 'c2' }))
    await list(NOW, deposit('d', { currency_id: 'c2' }))
    expect([await balance('c1'), await balance('c2'), await lines()]).toEqual([['0', '0'], ['10', '0'], []])
  })

  test.each(['unknown', 'processing'] as const)(
    'a reply that tells the amount finds the payout that was open before: %s',
    async (status) => {
      await withdrawal({ status, step: 'ended' })
      await list(NOW, payout('p', { amount: decimal('9.5') }))
      expect(await ownerOf('p')).toBeNull()
      await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
        const row = unit.withdrawal('w1')
        if (row !== null) unit.putWithdrawal(completeWithdrawal({ ...row, reply_amount: decimal('9.5') }))
      })
      await list(NOW + 1, payout('p', { amount: decimal('9.5') }))
      expect([await ownerOf('p'), await found(), await lines()]).toEqual([
        'withdrawal',
        { status: 'succeeded', attention: null },
        [],
      ])
    },
  )
})
