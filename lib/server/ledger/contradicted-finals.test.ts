/** What takes back a final state, on both databases: the state stays, nothing is booked, and a person is told once. */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleCurrency, sampleFact, sampleOnramp, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import { adjustmentKey } from './adjustment-keys.ts'
import type { Fact, ListedRecord } from './facts.ts'
import { reportOverdue } from './overdue.ts'
import { setOwner } from './payouts/payout-owners.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { possibleTransactions, reportVanished } from './vanished-records.ts'

const NOW = Date.UTC(2026, 10, 20)
const DAY = 86_400_000
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const MODES = ['embedded', 'merchant'] as const

describe.each(FLAVOURS)('contradictions on %s', (flavour) => {
  let now = NOW
  const stores = useStores(flavour, { clock: () => now })
  beforeEach(() => {
    now = NOW
    return stores.one.users.ensure('u', NOW)
  })

  /** Each record differs from the one before it, so that its fact is applied again. */
  let reads = 0
  const list = (more: Partial<Fact>, ledgerMode: (typeof MODES)[number] = 'embedded') => {
    const fact = sampleFact({ source: 'reconciliation', amount: decimal('7'), ...more })
    reads += 1
    const user = fact.user_reference_id ?? 'u'
    const listed: ListedRecord = {
      transaction_uuid: fact.transaction_uuid,
      user_reference_id: user,
      type: fact.kind,
      status: fact.status,
      inserted_at: new Date(NOW).toISOString(),
      cursor: String(reads),
      record: JSON.stringify({
        ...{ reads, type: fact.kind, status: fact.status, amount: fact.amount },
        currency: { id: fact.currency_id, code: fact.currency_code, network: fact.network },
      }),
      currency: sampleCurrency,
      fact,
    }
    return stores.one.applyRecords(user, [listed], { ledgerMode, ledgerStartMs: 0 })
  }

  const webhook = (more: Partial<Fact>, ledgerMode: (typeof MODES)[number] = 'embedded') =>
    applyOneFact(stores.one, sampleFact({ amount: decimal('7'), ...more }), {
      ledgerMode,
      evidence: `{"webhook":"${more.status ?? ''}"}`,
    })

  const reported = async () => {
    const all = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 })
    return all.map(({ reason, transaction_uuid }) => `${reason} ${transaction_uuid ?? ''}`)
  }
  const onlyEvent = async () => {
    const [line] = await stores.one.quarantine.list({ reason: 'contradiction', settled: false, after: 0, limit: 99 })
    return JSON.parse(line?.event ?? 'null') as unknown
  }
  const dismissAll = async () => {
    for (const { id } of await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 }))
      await stores.one.quarantine.settle(id, { by: 'merchant', now: NOW })
  }
  const correct = (amount: string): Promise<void> => {
    const adjusted = { user_reference_id: 'u', currency_id: 'c1', amount: decimal(amount) }
    return seed(stores.one, {
      bookings: [{ booking: 'adjustment', posting_key: adjustmentKey('u', 'r1'), ...adjusted }],
    })
  }
  const balance = async () => {
    const { available, held } = await stores.one.ledger.balance('u', 'c1')
    return [available, held]
  }

  /** Once over repeated messages, and not again after the dismissal. */
  async function isReportedOnce(line: string, again: () => Promise<unknown>): Promise<void> {
    const before = await balance()
    for (let at = 0; at < 2; at += 1) await again()
    expect(await reported()).toEqual([line])
    await dismissAll()
    for (let at = 0; at < 2; at += 1) await again()
    expect([await reported(), await balance()]).toEqual([[], before])
    expect((await stores.one.snapshot(checkLedger)).faults).toEqual([])
  }

  /** There is one line, and none after the dismissal while the list says the same. */
  async function isDisputedOnce(again: () => Promise<unknown>): Promise<void> {
    expect((await reported()).length).toBe(1)
    await dismissAll()
    await again()
    expect([await reported(), await balance()]).toEqual([[], ['0', '0']])
  }

  describe('a deposit that succeeded, then failed', () => {
    const failed = { transaction_uuid: 'd', status: 'failed' } as const
    const succeeded = { transaction_uuid: 'd', status: 'succeeded' } as const

    test.each([
      ['by a webhook, then in the list', () => webhook(succeeded)],
      ['in the list, then in the list', () => list(succeeded)],
    ])('%s', async (_name, succeed) => {
      await succeed()
      await list(failed)
      expect(await reported()).toEqual(['contradiction d'])
      expect(await onlyEvent()).toMatchObject({ stands: { status: 'succeeded' }, message: { status: 'failed' } })
      expect(await balance()).toEqual(['7', '0'])
      expect(await stores.one.transactions.find('deposit', 'd')).toMatchObject({ status: 'succeeded', credited: '7' })
      await isReportedOnce('contradiction d', () => list(failed))
    })

    test.each(MODES)('by a word that nobody knows, told for each change: %s keeps the books', async (mode) => {
      const other = { transaction_uuid: 'd', status: 'other' } as const
      await list(other, mode)
      await list(succeeded, mode)
      expect(await reported()).toEqual([])
      for (const change of [other, succeeded, other, succeeded]) {
        await list(change, mode)
        await isReportedOnce('contradiction d', () => list(change, mode))
      }
      await list({ ...failed, status: 'processing' }, mode)
      expect([await reported(), await balance()]).toEqual([[], [mode === 'embedded' ? '7' : '0', '0']])
    })

    test.each(MODES)('a failure, then a word that nobody knows, which may be a success: %s books', async (mode) => {
      const other = { transaction_uuid: 'd', status: 'other' } as const
      await list(other, mode)
      await list(failed, mode)
      expect(await reported()).toEqual([])
      await list(other, mode)
      expect(await onlyEvent()).toMatchObject({ stands: { status: 'failed' }, message: { status: 'other' } })
      await isReportedOnce('contradiction d', () => list(other, mode))
      for (const again of [failed, other]) {
        await list(again, mode)
        await isReportedOnce('contradiction d', () => list(again, mode))
      }
      // A person may have credited it by an adjustment.
      await list(succeeded, mode)
      expect(await balance()).toEqual([mode === 'embedded' ? '7' : '0', '0'])
      await isReportedOnce('contradiction d', () => list(succeeded, mode))
    })

    test.each(MODES)(
      'while its record was reported as missing: a line of its own, %s keeps the books',
      async (mode) => {
        await list(succeeded, mode)
        const transactions = possibleTransactions('d')
        await stores.one.unitOfWork({ users: ['u'], transactions }, (unit) => {
          reportVanished(unit, 'u', ['d'])
        })
        await list(failed, mode)
        expect(await reported()).toEqual(['contradiction d', 'contradiction d'])
        await list(failed, mode)
        expect((await reported()).length).toBe(2)
      },
    )

    test.each(MODES)(
      'and succeeded again, after a person has settled the failure: %s keeps the books',
      async (mode) => {
        const again = () => list(succeeded, mode)
        await webhook(succeeded, mode)
        await list(failed, mode)
        await dismissAll()
        await again()
        expect(await onlyEvent()).toMatchObject({ stands: { status: 'failed' }, message: { status: 'succeeded' } })
        await isReportedOnce('contradiction d', again)
        await list(failed, mode)
        await isReportedOnce('contradiction d', () => list(failed, mode))
        await again()
        await isReportedOnce('contradiction d', again)
      },
    )

    test('a failure before the success contradicts nothing: the success is credited', async () => {
      await list(failed)
      await list(succeeded)
      expect([await balance(), await reported()]).toEqual([['7', '0'], []])
    })
  })

  describe('a payout that succeeded, then failed', () => {
    const occurred_at = new Date(NOW).toISOString()
    const failed = {
      kind: 'payout',
      transaction_uuid: 'p',
      status: 'failed',
      to_address: ADDRESS,
      occurred_at,
    } as const
    const succeeded = { ...failed, status: 'succeeded' } as const

    beforeEach(async () => {
      const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('7') }
      await seed(stores.one, {
        bookings: [
          { booking: 'adjustment', posting_key: 'funds', ...owner },
          { booking: 'hold', posting_key: 'hold:w1', ...owner },
        ],
        withdrawals: [
          sampleWithdrawal({ amount: owner.amount, wallet_address: ADDRESS, called_ms: NOW, call_ended_ms: NOW }),
        ],
      })
    })

    test.each([
      ['by a webhook, then in the list', () => webhook(succeeded)],
      ['in the list, then in the list', () => list(succeeded)],
    ])('%s', async (_name, succeed) => {
      await succeed()
      await list(failed)
      expect(await reported()).toEqual(['contradiction p'])
      expect(await balance()).toEqual(['0', '0'])
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', funds: 'paid' })
      await isReportedOnce('contradiction p', () => list(failed))
    })

    test.each([
      ['by a webhook, then in the list', () => webhook(succeeded)],
      ['in the list, then in the list', () => list(succeeded)],
    ])('and was paid again, after a person has settled the failure: %s', async (_name, succeed) => {
      await succeed()
      await list(failed)
      await dismissAll()
      await list(succeeded)
      await isReportedOnce('contradiction p', () => list(succeeded))
    })

    test.each(
      (['succeeded', 'failed'] as const).flatMap((status) =>
        (['left open', 'dismissed'] as const).flatMap((was) =>
          [null, '7', '6'].map((credited) => ({ status, was, credited })),
        ),
      ),
    )(
      'after it was overdue, credited by hand with $credited, its line $was: $status',
      async ({ status, was, credited }) => {
        now += 1000
        await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
          reportOverdue(unit, { withdrawals: ['w1'], transactions: [] }, 0)
        })
        expect(await reported()).toEqual(['overdue w1'])
        if (credited !== null) await correct(credited)
        if (was === 'dismissed') await dismissAll()
        await list({ ...succeeded, status })
        expect(await reported()).toEqual(credited === '7' ? ['contradiction p'] : [])
      },
    )

    test.each([
      ['has debited the user', '-7', ['contradiction p']],
      ['has adjusted the balance for other reasons', '-6', []],
    ])('that fits only since the list tells its address, after a person %s', async (_name, amount, told) => {
      await seed(stores.one, {
        bookings: [
          {
            ...{ booking: 'adjustment', posting_key: 'more', user_reference_id: 'u', currency_id: 'c1' },
            amount: decimal('10'),
          },
        ],
      })
      await list({ ...succeeded, to_address: null })
      expect(await reported()).toEqual(['unmatched_payout p'])
      await correct(amount)
      await list(succeeded)
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', funds: 'paid' })
      expect(await reported()).toEqual(told)
    })

    test.each([
      ['and now has a hash', succeeded, { ...succeeded, tx_hash: '0xa' }],
      ['and has now succeeded', { ...failed, status: 'processing' }, succeeded],
    ] as const)('a currency that the list takes back after a correction, %s', async (_name, first, later) => {
      const renamed = { ...first, currency_id: 'c2', currency_code: 'ETH', network: 'Ethereum' }
      await list({ ...first, tx_hash: null })
      await list(renamed)
      await isReportedOnce('contradiction p', () => list(renamed))
      await list(later)
      expect(await reported()).toEqual(['contradiction p'])
      await isReportedOnce('contradiction p', () => list(later))
    })

    test('by a word that nobody knows', async () => {
      await list(succeeded)
      await list({ ...succeeded, status: 'other' })
      await isReportedOnce('contradiction p', () => list({ ...succeeded, status: 'other' }))
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', funds: 'paid' })
    })

    test('a failure that gave the hold back, then a word that nobody knows', async () => {
      await list(failed)
      await list({ ...failed, status: 'other' })
      await isReportedOnce('contradiction p', () => list({ ...failed, status: 'other' }))
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'failed', funds: 'released' })
    })

    describe.each(['processing', 'awaiting_approval'] as const)(
      'a failure that gave the hold back, then under way again: %s',
      (status) => {
        const again = () => list({ ...failed, status })
        beforeEach(async () => {
          await again()
          await list(failed)
          expect([await balance(), await reported()]).toEqual([['7', '0'], []])
          await again()
        })

        test('is told at once, and once', async () => {
          await isReportedOnce('contradiction p', again)
          expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'failed', funds: 'released' })
        })

        test('needs nobody once it has failed again: a replica of the gateway may lag behind', async () => {
          await list(failed)
          expect(await reported()).toEqual([])
          await again()
          await isReportedOnce('contradiction p', again)
        })

        test('is a late payout once it has succeeded', async () => {
          await list(succeeded)
          expect([await balance(), await reported()]).toEqual([['0', '0'], ['late_payout p']])
        })
      },
    )

    test('a person’s word that it was not sent, then a word that nobody knows', async () => {
      await list({ ...failed, status: 'processing' })
      await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
        const row = unit.withdrawal('w1')
        if (row === null) throw new Error('there is no withdrawal')
        settleWithdrawal(unit, row, { evidence: { kind: 'not_sent' }, source: 'cashier' })
      })
      expect(await balance()).toEqual(['7', '0'])
      await list({ ...failed, status: 'processing' })
      expect(await reported()).toEqual([])
      await list({ ...failed, status: 'other' })
      await isReportedOnce('contradiction p', () => list({ ...failed, status: 'other' }))
      await list(succeeded)
      expect([await balance(), await reported()]).toEqual([['0', '0'], ['late_payout p']])
    })

    test('a person’s word that it was sent, then a failure, and then a success', async () => {
      await list({ ...failed, status: 'processing' })
      await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
        const evidence = { kind: 'payout', transaction_uuid: 'p', status: 'succeeded' } as const
        settleWithdrawal(unit, unit.withdrawal('w1')!, { evidence, source: 'cashier' })
      })
      for (const status of ['failed', 'succeeded', 'failed', 'succeeded'] as const) {
        await list({ ...failed, status })
        await isReportedOnce('contradiction p', () => list({ ...failed, status }))
      }
    })

    test('a success after the failure is followed, and reported as late', async () => {
      await list(failed)
      expect(await balance()).toEqual(['7', '0'])
      await webhook(succeeded)
      expect([await balance(), await reported()]).toEqual([['0', '0'], ['late_payout p']])
    })
  })

  describe.each(MODES)('a disputed transaction whose line was dismissed: %s keeps the books', (mode) => {
    const named = { currency_id: 'c2', network: 'Tron (TRC20)' } as const

    test('is told again for each change of its amount or status', async () => {
      const processing = { transaction_uuid: 'd', status: 'processing' } as const
      const succeeded = { transaction_uuid: 'd', status: 'succeeded' } as const
      await webhook(processing, mode)
      await list({ ...processing, amount: decimal('8') }, mode)
      await isDisputedOnce(() => list({ ...processing, amount: decimal('8') }, mode))
      await list({ ...processing, amount: decimal('9') }, mode)
      await isDisputedOnce(() => list({ ...processing, amount: decimal('9') }, mode))
      await list({ ...succeeded, amount: decimal('9') }, mode)
      await isDisputedOnce(() => list({ ...succeeded, amount: decimal('9') }, mode))
      await list({ ...succeeded, amount: decimal('10') }, mode)
      expect((await reported()).length).toBe(1)
    })

    test('is told of what the list changes while the line is open, in a line of its own', async () => {
      const succeeded = { transaction_uuid: 'd', status: 'succeeded' } as const
      const listed = (amount: string) => list({ ...succeeded, amount: decimal(amount) }, mode)
      const amounts = async () => {
        const all = await stores.one.quarantine.list({ reason: 'list_conflict', settled: false, after: 0, limit: 99 })
        return all.map(({ event }) => /"status":"succeeded","amount":"(\d)"/.exec(event)?.[1])
      }
      await webhook({ ...succeeded, status: 'processing' }, mode)
      await webhook(succeeded, mode)
      for (const amount of ['6', '6', '5', '5', '6', '5']) await listed(amount)
      expect([(await reported()).length, await amounts()]).toEqual([3, ['6', '5', '6']])
      await dismissAll()
      await listed('5')
      expect(await reported()).toEqual([])
    })

    test('is told again when the list says again what it had said first, perhaps after a correction', async () => {
      const succeeded = { transaction_uuid: 'd', status: 'succeeded' } as const
      const processing = { ...succeeded, status: 'processing' } as const
      await list(processing, mode)
      await webhook(succeeded, mode)
      await list(succeeded, mode)
      const before = await balance()
      for (const amount of ['9', '7', '9', '7'].map(decimal)) {
        await list({ ...succeeded, amount }, mode)
        expect((await reported()).length).toBe(1)
        await dismissAll()
        // A replica may lag behind.
        await list(processing, mode)
        await list({ ...succeeded, amount }, mode)
        expect([await reported(), await balance()]).toEqual([[], before])
      }
    })

    test('is told of each currency that the list gives to it, also while the line is open', async () => {
      const succeeded = { transaction_uuid: 'd', status: 'succeeded' } as const
      await list(succeeded, mode)
      for (const currency_id of ['c2', 'c3', 'c3'])
        await list({ ...succeeded, currency_id, currency_code: 'ETH', network: currency_id }, mode)
      expect((await reported()).length).toBe(2)
    })

    test('a payout is followed all the same, after a person has said that it was not sent', async () => {
      const listed = { kind: 'payout', transaction_uuid: 'p', to_address: ADDRESS } as const
      const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('7') }
      const funds = mode === 'embedded' ? 'held' : 'none'
      await seed(stores.one, {
        bookings: [
          { booking: 'adjustment', posting_key: 'funds', ...owner },
          { booking: 'hold', posting_key: 'hold:w1', ...owner },
        ].slice(0, mode === 'embedded' ? 2 : 0) as never,
        withdrawals: [
          sampleWithdrawal({
            ...{ amount: owner.amount, wallet_address: ADDRESS, called_ms: NOW, call_ended_ms: NOW, funds },
          }),
        ],
      })
      await list({ ...listed, status: 'processing' }, mode)
      await list({ ...listed, ...named, status: 'processing' }, mode)
      expect(await reported()).toEqual(['contradiction p'])
      await dismissAll()
      await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
        settleWithdrawal(unit, unit.withdrawal('w1')!, { evidence: { kind: 'not_sent' }, source: 'cashier' })
      })
      await list({ ...listed, ...named, status: 'processing' }, mode)
      expect([await reported(), await stores.one.withdrawals.find('w1')]).toMatchObject([[], { status: 'failed' }])
      for (let at = 0; at < 2; at += 1) await list({ ...listed, ...named, status: 'succeeded' }, mode)
      expect((await reported()).toSorted()).toEqual(['contradiction p', 'late_payout p'])
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p' })
      expect(await balance()).toEqual(['0', '0'])
      expect((await stores.one.snapshot(checkLedger)).faults).toEqual([])
    })
  })

  test.each(
    (['refund', 'payout'] as const).flatMap((type) =>
      MODES.flatMap((mode) => (['kept', 'deleted'] as const).map((lines) => [type, mode, lines] as const)),
    ),
  )(
    'a booked deposit that the list calls a %s, and a deposit again: %s, settled lines are %s',
    async (type, mode, lines) => {
      const deposit = { kind: 'deposit', transaction_uuid: 'd', status: 'succeeded' } as const
      const listAs = async (kind: 'deposit' | 'refund' | 'payout') => {
        if (kind !== 'refund') return list({ ...deposit, kind }, mode)
        const fact = sampleFact({ ...deposit, source: 'reconciliation', amount: decimal('7') })
        const record = { type: kind, status: 'succeeded', amount: '7' }
        return stores.one.applyRecords(
          'u',
          [
            {
              ...{ transaction_uuid: 'd', user_reference_id: 'u', type: kind, status: 'succeeded', cursor: '1' },
              ...{ inserted_at: new Date(NOW).toISOString(), record: JSON.stringify(record), currency: sampleCurrency },
              ...{ fact: null, readings: [fact, { ...fact, kind: 'payout' }] },
            },
          ],
          { ledgerMode: mode, ledgerStartMs: 0 },
        )
      }
      await listAs('deposit')
      for (const kind of [type, 'deposit', type, 'deposit'] as const) {
        await listAs(kind)
        expect((await reported()).filter((line) => line === 'contradiction d')).toHaveLength(1)
        await dismissAll()
        // After their retention.
        if (lines === 'deleted') await stores.one.transaction((tx) => tx.retention.deleteSettledQuarantine(NOW + 1, 99))
        expect(await balance()).toEqual([mode === 'embedded' ? '7' : '0', '0'])
      }
      await listAs('deposit')
      expect(await reported()).toEqual([])
    },
  )

  test('a deposit that vanishes, is told in another currency while the list is incomplete, and vanishes again', async () => {
    const succeeded = { transaction_uuid: 'd', status: 'succeeded' } as const
    const vanish = (): Promise<void> =>
      stores.one.unitOfWork({ users: ['u'], transactions: possibleTransactions('d') }, (unit) => {
        reportVanished(unit, 'u', ['d'])
      })
    await list(succeeded)
    for (let at = 0; at < 2; at += 1) {
      await vanish()
      await isReportedOnce('contradiction d', vanish)
      const renamed = { ...succeeded, currency_id: `c${String(at + 2)}`, currency_code: 'ETH', network: 'Ethereum' }
      await list(renamed)
      await isReportedOnce('contradiction d', () => list(renamed))
    }
  })

  test.each([
    ['its amount', '7', ['contradiction d']],
    ['its amount as it was told before', '7.1', ['contradiction d']],
    ['another amount', '8', []],
  ])('a deposit that succeeds after it was overdue, and a person has credited %s', async (_name, amount, lines) => {
    const deposit = { kind: 'deposit', transaction_uuid: 'd' } as const
    await list({ ...deposit, status: 'processing', amount: decimal('7.1') })
    await stores.one.unitOfWork({ users: ['u'], transactions: [deposit] }, (unit) => {
      reportOverdue(unit, { withdrawals: [], transactions: [deposit] }, 0)
    })
    // Its line is not dismissed yet.
    await correct(amount)
    await list({ ...deposit, status: 'succeeded' })
    expect(await reported()).toEqual(lines)
    await dismissAll()
    await list({ ...deposit, status: 'succeeded' })
    expect(await reported()).toEqual([])
  })

  test.each([
    ['left open', () => Promise.resolve(), [[], []]],
    ['dismissed, perhaps after a correction', dismissAll, [['contradiction d'], []]],
    ['corrected, and left open', () => correct('7'), [['contradiction d'], ['contradiction d']]],
  ])('a deposit that fails after it was overdue, and then succeeds; its line was %s', async (_name, act, told) => {
    const deposit = { kind: 'deposit', transaction_uuid: 'd' } as const
    await list({ ...deposit, status: 'processing' })
    await stores.one.unitOfWork({ users: ['u'], transactions: [deposit] }, (unit) => {
      reportOverdue(unit, { withdrawals: [], transactions: [deposit] }, 0)
    })
    await act()
    for (const [at, status] of (['failed', 'succeeded'] as const).entries()) {
      await list({ ...deposit, status })
      expect(await reported()).toEqual(told[at])
      await dismissAll()
    }
  })

  test('a purchase that fails after it was overdue, and a person has dismissed that line', async () => {
    const purchase = { kind: 'onramp', transaction_uuid: 'o', session_reference: 'o1' } as const
    await stores.one.onramps.insert(sampleOnramp({ correlation_key: null, link: null }))
    await webhook({ ...purchase, status: 'processing', amount: null })
    await stores.one.unitOfWork({ users: ['u'], transactions: [purchase] }, (unit) => {
      reportOverdue(unit, { withdrawals: [], transactions: [purchase] }, 0)
    })
    expect(await reported()).toEqual(['overdue o'])
    await dismissAll()
    await webhook({ ...purchase, status: 'failed', amount: null })
    expect(await reported()).toEqual(['contradiction o'])
  })

  test('a deposit that the list confirms with more digits than an event, by whose amount a person has credited it', async () => {
    const deposit = { kind: 'deposit', transaction_uuid: 'd', status: 'succeeded' } as const
    await webhook({ ...deposit, amount: decimal('0.12345678901234568'), inexact: true, unconfirmed: true })
    await stores.one.unitOfWork({ users: ['u'], transactions: [deposit] }, (unit) => {
      reportOverdue(unit, { withdrawals: [], transactions: [deposit] }, 0)
    })
    expect(await reported()).toEqual(['overdue d'])
    await correct('0.12345678901234568')
    await list({ ...deposit, amount: decimal('0.123456789012345678') })
    expect(await reported()).toEqual(['contradiction d'])
  })

  test.each([
    ['two hours', DAY / 12],
    ['a year', 365 * DAY],
  ])('the same after an instance had told of it whose clock was %s ahead', async (_name, aheadMs) => {
    const deposit = { kind: 'deposit', transaction_uuid: 'd' } as const
    await list({ ...deposit, status: 'processing' })
    now += aheadMs
    await stores.one.unitOfWork({ users: ['u'], transactions: [deposit] }, (unit) => {
      reportOverdue(unit, { withdrawals: [], transactions: [deposit] }, 0)
    })
    now = NOW
    await correct('7')
    await list({ ...deposit, status: 'succeeded' })
    expect([await reported(), await balance()]).toEqual([['contradiction d'], ['14', '0']])
  })

  test.each([
    ['left open', false, []],
    ['dismissed, perhaps after a correction', true, ['contradiction d']],
  ])('a deposit that succeeds after it was overdue, and that line was %s', async (_name, isDismissed, lines) => {
    const deposit = { kind: 'deposit', transaction_uuid: 'd' } as const
    await list({ ...deposit, status: 'processing' })
    await stores.one.unitOfWork({ users: ['u'], transactions: [deposit] }, (unit) => {
      reportOverdue(unit, { withdrawals: [], transactions: [deposit] }, 0)
    })
    expect(await reported()).toEqual(['overdue d'])
    if (isDismissed) await dismissAll()
    await list({ ...deposit, status: 'succeeded' })
    expect([await reported(), await balance()]).toEqual([lines, ['7', '0']])
    await dismissAll()
    await list({ ...deposit, status: 'succeeded' })
    expect(await reported()).toEqual([])
  })

  test('a payout that a person called none of ours while it was under way, and that fails', async () => {
    const payout = { kind: 'payout', transaction_uuid: 'p', to_address: ADDRESS } as const
    await list({ ...payout, status: 'processing' })
    await stores.one.unitOfWork({ users: ['u'], transactions: [payout] }, (unit) => {
      setOwner(unit, unit.payout('p')!, 'acknowledged', { note: 'debited by an adjustment' })
    })
    await list({ ...payout, status: 'processing' })
    expect(await reported()).toEqual([])
    await list({ ...payout, status: 'failed' })
    expect(await onlyEvent()).toMatchObject({ stands: { status: 'processing' }, message: { status: 'failed' } })
    await isReportedOnce('contradiction p', () => list({ ...payout, status: 'failed' }))
    expect(await stores.one.payouts.find('p')).toMatchObject({ owner: 'acknowledged', status: 'failed' })
  })

  test('a payout that an event gave to another user is open as the list shows it', async () => {
    await stores.one.users.ensure('v', NOW)
    const paid = { kind: 'payout', transaction_uuid: 'p', to_address: ADDRESS } as const
    await webhook({ ...paid, status: 'succeeded', user_reference_id: 'v' })
    const shown: unknown[] = []
    for (const status of ['processing', 'succeeded', 'processing'] as const) {
      await list({ ...paid, status })
      shown.push((await stores.one.payouts.openOf(['u', 'v'])).map((one) => [one.user_reference_id, one.status]))
    }
    // The last is a replica that lags behind.
    expect(shown).toEqual([[['u', 'processing']], [['u', 'succeeded']], [['u', 'succeeded']]])
    expect((await reported()).toSorted()).toEqual(['list_conflict p', 'unmatched_payout p'])
  })

  test('a failed payout in two lists stays with the withdrawal for which a reply named it', async () => {
    await stores.one.users.ensure('v', NOW)
    const named = { transaction_uuid: 'p', reply_transaction_uuid: 'p' }
    const called = { called_ms: NOW, call_ended_ms: NOW, step: 'ended', funds: 'none', ...named } as const
    await seed(stores.one, { withdrawals: [sampleWithdrawal({ amount: decimal('7'), ...called })] })
    const failed = { kind: 'payout', transaction_uuid: 'p', status: 'failed', to_address: ADDRESS } as const
    await list({ ...failed, user_reference_id: 'v' })
    await list(failed)
    const owned = [{ user_reference_id: 'u', owner: 'withdrawal', withdrawal_id: 'w1', status: 'failed' }]
    expect([await stores.one.payouts.find('p')]).toMatchObject(owned)
    const other = { ...failed, status: 'other', user_reference_id: 'v' } as const
    for (const again of [other, { ...failed, user_reference_id: 'v' }]) await list(again)
    expect([await stores.one.payouts.find('p')]).toMatchObject(owned)
    expect(await reported()).toEqual(['contradiction p', 'contradiction p'])
  })

  test('that such a payout is none of ours was said of the other user alone', async () => {
    await stores.one.users.ensure('v', NOW)
    const paid = { kind: 'payout', transaction_uuid: 'p', to_address: ADDRESS, status: 'succeeded' } as const
    await webhook({ ...paid, user_reference_id: 'v' })
    const acknowledge = (user: string) =>
      stores.one.unitOfWork({ users: [user], attemptsOf: [user] }, (unit) => {
        setOwner(unit, unit.payout('p')!, 'acknowledged', { note: 'by hand' })
      })
    await acknowledge('v')
    await list(paid)
    expect(await stores.one.payouts.openOf(['u', 'v'])).toMatchObject([{ user_reference_id: 'u' }])
    await acknowledge('u')
    await list(paid)
    expect(await stores.one.payouts.openOf(['u', 'v'])).toEqual([])
  })

  describe.each(MODES)('one id for money in and money out: %s keeps the books', (mode) => {
    const deposit = { kind: 'deposit', transaction_uuid: 'p', status: 'succeeded', to_address: ADDRESS } as const
    const payout = { ...deposit, kind: 'payout' } as const
    const held = mode === 'embedded' ? '7' : '0'
    const feed = async () =>
      (await stores.one.events.feedAfter(0, 9)).map(({ entity, data }) => [
        entity,
        (JSON.parse(data) as { status: string }).status,
      ])

    const withdraw = (more: object = {}) => {
      const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('7') }
      const isOurs = mode === 'embedded'
      return seed(stores.one, {
        bookings: isOurs
          ? [
              { booking: 'adjustment', posting_key: 'funds', ...owner },
              { booking: 'hold', posting_key: 'hold:w1', ...owner },
            ]
          : [],
        withdrawals: [
          sampleWithdrawal({
            ...{ amount: owner.amount, wallet_address: ADDRESS, called_ms: NOW, call_ended_ms: NOW, ...more },
            ...(isOurs ? {} : { funds: 'none', postings: 0 }),
          }),
        ],
      })
    }

    test.each([
      ['the list', () => list(deposit, mode)],
      ['an event', () => webhook(deposit, mode)],
    ])('a payout that %s calls a deposit is credited to nobody', async (_name, again) => {
      await withdraw()
      await list(payout, mode)
      for (let at = 0; at < 2; at += 1) await again()
      expect(await reported()).toEqual(['contradiction p'])
      expect([await balance(), await feed()]).toEqual([['0', '0'], [['withdrawal:w1', 'succeeded']]])
      expect(await stores.one.transactions.find('deposit', 'p')).toBeNull()
    })

    test('so is the transaction that a reply named as the payout', async () => {
      await withdraw({ transaction_uuid: 'p', reply_transaction_uuid: 'p', reply_amount: decimal('7') })
      await list(deposit, mode)
      expect([await reported(), await balance()]).toEqual([['contradiction p'], ['0', held]])
      await list(payout, mode)
      expect([await balance(), await feed()]).toEqual([['0', '0'], [['withdrawal:w1', 'succeeded']]])
    })

    test('a deposit that the list calls a payout settles no withdrawal, and has no owner', async () => {
      await withdraw()
      await list(deposit, mode)
      for (let at = 0; at < 2; at += 1) await list(payout, mode)
      expect((await reported()).toSorted()).toEqual(['contradiction p', 'unmatched_payout p'])
      expect([await balance(), await feed()]).toEqual([[held, held], [['deposit:p', 'succeeded']]])
      expect(await stores.one.payouts.openOf(['u'])).toMatchObject([{ transaction_uuid: 'p', status: 'succeeded' }])
    })

    test('an event that may be another merchant’s says nothing against the list', async () => {
      await webhook({ ...payout, status: 'processing', unconfirmed: true }, mode)
      await list(deposit, mode)
      expect((await reported()).toSorted()).toEqual(['unmatched_payout p'])
      expect(await balance()).toEqual([held, '0'])
    })
  })

  test.each(MODES)('a deposit of less than nothing is told to a person alone: %s keeps the books', async (mode) => {
    const negative = { transaction_uuid: 'd', status: 'succeeded', amount: decimal('-7') } as const
    await list({ ...negative, status: 'processing' }, mode)
    await list(negative, mode)
    expect([await reported(), await balance()]).toEqual([['list_conflict d'], ['0', '0']])
    const feed = await stores.one.events.feedAfter(0, 9)
    expect(feed.map(({ data }) => (JSON.parse(data) as { status: string }).status)).toEqual(['processing'])
  })

  describe('a purchase whose deposit failed', () => {
    const bought = {
      kind: 'onramp',
      transaction_uuid: 'o',
      status: 'succeeded',
      tx_hash: '0xab',
      session_reference: 'o1',
    } as const
    const failed = { transaction_uuid: 'd', status: 'failed', tx_hash: 'AB', network: 'Ethereum' } as const
    const network = 'Ethereum'
    const line = 'contradiction o'
    beforeEach(() => stores.one.onramps.insert(sampleOnramp({ network, correlation_key: null, link: null })))

    test.each(MODES)('is reported, and stays credited: %s keeps the books', async (mode) => {
      await webhook({ ...bought, network }, mode)
      await list(failed, mode)
      expect(await onlyEvent()).toMatchObject({
        stands: { kind: 'onramp', transaction_uuid: 'o' },
        message: { status: 'failed' },
      })
      expect(await balance()).toEqual([mode === 'embedded' ? '7' : '0', '0'])
      await isReportedOnce(line, () => list(failed, mode))
    })

    test.each(MODES)('the failure first: %s keeps the books', async (mode) => {
      await list(failed, mode)
      expect(await reported()).toEqual([])
      await webhook({ ...bought, network }, mode)
      expect(await onlyEvent()).toMatchObject({
        stands: { kind: 'deposit', transaction_uuid: 'd' },
        message: { webhook: 'succeeded' },
      })
      expect(await balance()).toEqual([mode === 'embedded' ? '7' : '0', '0'])
      await isReportedOnce(line, async () => {
        await webhook({ ...bought, network }, mode)
        await list(failed, mode)
      })
    })

    test.each(MODES.flatMap((mode) => [true, false].map((isFirst) => [mode, isFirst] as const)))(
      'is told if the deposit succeeds after all: %s keeps the books, the purchase came first: %s',
      async (mode, isFirst) => {
        if (isFirst) await webhook({ ...bought, network }, mode)
        await list(failed, mode)
        if (!isFirst) await webhook({ ...bought, network }, mode)
        expect(await reported()).toEqual([line])
        // A person may have taken the coins back.
        await dismissAll()
        await list({ ...failed, status: 'succeeded' }, mode)
        expect(await onlyEvent()).toMatchObject({ stands: { status: 'failed' }, message: { status: 'succeeded' } })
        await isReportedOnce(line, () => list({ ...failed, status: 'succeeded' }, mode))
      },
    )

    describe.each(MODES)('is told if another deposit brings its coins after all: %s keeps the books', (mode) => {
      const other = { ...failed, transaction_uuid: 'e' } as const
      const stands = { transaction_uuid: 'd', status: 'failed' }

      test('it succeeds', async () => {
        await webhook({ ...bought, network }, mode)
        await list(failed, mode)
        expect(await reported()).toEqual([line])
        // A person may have taken the coins back.
        await dismissAll()
        await list({ ...other, status: 'processing' }, mode)
        expect(await reported()).toEqual([])
        await list({ ...other, status: 'succeeded' }, mode)
        expect(await onlyEvent()).toMatchObject({ stands, message: { status: 'succeeded' } })
        await isReportedOnce(line, () => list({ ...other, status: 'succeeded' }, mode))
      })

      test('it has succeeded, and its hash comes later', async () => {
        await webhook({ ...bought, network }, mode)
        await list(failed, mode)
        await list({ ...other, status: 'succeeded', tx_hash: null }, mode)
        await dismissAll()
        await list({ ...other, status: 'succeeded' }, mode)
        expect(await onlyEvent()).toMatchObject({ stands, message: { status: 'succeeded' } })
        await isReportedOnce(line, () => list({ ...other, status: 'succeeded' }, mode))
      })

      test('it has succeeded, and the hash of the purchase comes later', async () => {
        const keyed = { ...bought, network, correlation_key: 'key' } as const
        await webhook({ ...keyed, tx_hash: null }, mode)
        await list({ ...failed, tx_hash: null, correlation_key: 'key' }, mode)
        await list({ ...other, status: 'succeeded' }, mode)
        await dismissAll()
        await webhook(keyed, mode)
        expect(await onlyEvent()).toMatchObject({ stands, message: { webhook: 'succeeded' } })
        await isReportedOnce(line, () => webhook(keyed, mode))
      })
    })

    test('a purchase that another deposit brought is not concerned', async () => {
      await webhook({ ...bought, network })
      await list({ ...failed, transaction_uuid: 'e', status: 'succeeded' })
      await list(failed)
      expect([await balance(), await reported()]).toEqual([['7', '0'], []])
    })
  })

  describe('a purchase and a deposit', () => {
    const bought = (uuid: string, session: string, amount: string, hash: string | null = 'h') =>
      webhook({
        ...{ kind: 'onramp', transaction_uuid: uuid, status: 'succeeded', amount: decimal(amount), tx_hash: hash },
        ...{ correlation_key: `key-${session}`, session_reference: session },
      })
    const arrived = (amount: string, key: string | null = null) =>
      list({
        ...{ transaction_uuid: 'd', status: 'succeeded', amount: decimal(amount), tx_hash: 'h' },
        correlation_key: key,
      })
    beforeEach(async () => {
      for (const id of ['s1', 's2'])
        await stores.one.onramps.insert(sampleOnramp({ id, correlation_key: `key-${id}`, settled_uuid: null }))
    })

    test.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 0, 1]], [[2, 1, 0]]])(
      'the key of another session decides, not the hash: order %j',
      async (order) => {
        const messages = [
          () => bought('o1', 's1', '5.25', null),
          () => bought('o2', 's2', '7'),
          () => arrived('5.25', 'key-s1'),
        ]
        for (const at of order) await messages[at]?.()
        expect([await balance(), await reported()]).toEqual([['12.25', '0'], []])
        expect(await stores.one.transactions.find('onramp', 'o1')).toMatchObject({ deposit_uuid: 'd', credited: '0' })
        expect(await stores.one.transactions.find('onramp', 'o2')).toMatchObject({ deposit_uuid: null, credited: '7' })
      },
    )

    test('a deposit found by its hash is another purchase’s once the list tells its key', async () => {
      await bought('o2', 's2', '7')
      await arrived('6.9')
      expect(await balance()).toEqual(['6.9', '0'])
      await arrived('6.9', 'key-s1')
      expect([await balance(), await reported()]).toEqual([['13.9', '0'], []])
    })

    test.each<[string, string, readonly string[]]>([
      ['6.65', '6.65', []],
      ['6.64', '6.64', ['contradiction o1']],
      ['0.01', '0.01', ['contradiction o1']],
      ['70', '70', []],
    ])('of 7 bought, %s arrived', async (amount, due, lines) => {
      await bought('o1', 's1', '7')
      await arrived(amount)
      expect([await balance(), await reported()]).toEqual([[due, '0'], lines])
      await dismissAll()
      await arrived(amount)
      await bought('o1', 's1', '7')
      expect([await balance(), await reported()]).toEqual([[due, '0'], []])
    })

    test('much less arrived, and was told first', async () => {
      await arrived('0.01', 'key-s1')
      await bought('o1', 's1', '7')
      expect([await balance(), await reported()]).toEqual([['0.01', '0'], ['contradiction o1']])
      expect(await onlyEvent()).toMatchObject({ stands: { kind: 'deposit', amount: '0.01' } })
    })

    test('what was missing comes: another line about the purchase stays', async () => {
      await bought('o1', 's1', '7')
      await webhook({
        ...{ kind: 'onramp', transaction_uuid: 'o1', status: 'failed', tx_hash: 'h' },
        ...{ correlation_key: 'key-s1', session_reference: 's1' },
      })
      await arrived('3')
      expect(await reported()).toEqual(['contradiction o1', 'contradiction o1'])
      await list({ transaction_uuid: 'd2', status: 'succeeded', amount: decimal('4'), tx_hash: 'h' })
      expect([await balance(), await reported()]).toEqual([['7', '0'], ['contradiction o1']])
      expect(await onlyEvent()).toMatchObject({ message: { webhook: 'failed' } })
    })

    test.each([
      ['its line was dismissed: a person may have credited it', '4', '7', dismissAll],
      ['a person has credited it', '4', '11', () => correct('4')],
      ['a person has credited it, less a fee,', '3.9', '10.9', () => correct('4')],
      ['a person has credited what comes, less a fee,', '3.9', '10.8', () => correct('3.9')],
    ])('what was missing comes after %s: %s', async (_name, comes, due, act) => {
      await bought('o1', 's1', '7')
      await arrived('3')
      expect(await reported()).toEqual(['contradiction o1'])
      await act()
      const rest = { transaction_uuid: 'd2', status: 'succeeded', amount: decimal(comes), tx_hash: 'h' } as const
      await list(rest)
      expect([await balance(), await reported()]).toEqual([[due, '0'], ['contradiction o1']])
      await isReportedOnce('contradiction o1', () => list(rest))
    })

    test.each<[string, Partial<Fact>, () => Promise<unknown>, readonly string[]]>([
      ['left open, by hash', { tx_hash: 'h' }, () => Promise.resolve(), []],
      ['dismissed, by hash', { tx_hash: 'h' }, dismissAll, ['contradiction o1']],
      ['dismissed, by key', { tx_hash: null }, dismissAll, ['contradiction o1']],
      ['corrected, by hash', { tx_hash: 'h' }, () => correct('7'), ['contradiction o1']],
      ['dismissed, of another transfer', { tx_hash: 'other', correlation_key: null }, dismissAll, []],
    ])(
      'the deposit of a purchase whose events name no user, after its overdue line was %s',
      async (_w, by, act, told) => {
        const purchase = { kind: 'onramp', transaction_uuid: 'o1' } as const
        await webhook({
          ...{ ...purchase, status: 'succeeded', user_reference_id: null, tx_hash: 'h' },
          ...{ correlation_key: 'key-s1', session_reference: 's1' },
        })
        await stores.one.unitOfWork({ users: ['u'], transactions: [purchase] }, (unit) => {
          reportOverdue(unit, { withdrawals: [], transactions: [purchase] }, 0)
        })
        expect(await reported()).toEqual(['overdue o1'])
        await act()
        const deposit = { transaction_uuid: 'd', status: 'succeeded', correlation_key: 'key-s1', ...by } as const
        await list(deposit)
        expect(await reported()).toEqual(told)
        await dismissAll()
        await list({ ...deposit, amount_usd: decimal('1') })
        expect(await reported()).toEqual([])
      },
    )

    test.each([
      ['no deposit has come', 0, '7'],
      ['its deposit has come and was told', 1, '6.9'],
    ])('an event names the user of a purchase whose overdue line was dismissed: %s', async (_what, deposits, due) => {
      const purchase = { kind: 'onramp', transaction_uuid: 'o1' } as const
      const facts = { correlation_key: 'key-s1', session_reference: 's1', tx_hash: 'h', status: 'succeeded' } as const
      await webhook({ ...purchase, ...facts, user_reference_id: null })
      now += 1000
      await stores.one.unitOfWork({ users: ['u'], transactions: [purchase] }, (unit) => {
        reportOverdue(unit, { withdrawals: [], transactions: [purchase] }, 0)
      })
      await dismissAll()
      now += 1000
      if (deposits === 1) await arrived('6.9')
      await dismissAll()
      await webhook({ ...purchase, ...facts })
      expect([await balance(), await reported()]).toEqual([[due, '0'], deposits === 0 ? ['contradiction o1'] : []])
    })

    test('one deposit of several purchases is compared with their sum', async () => {
      await bought('o1', 's1', '5')
      await bought('o2', 's2', '7')
      await arrived('11.9')
      expect([await balance(), await reported()]).toEqual([['11.9', '0'], []])
    })
  })
})
