/** Merchants read by `updated_at` which of two states is newer (docs/guides/backend.md). */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleFact, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'

const NOW = Date.UTC(2026, 10, 20)
const DAY = 86_400_000

describe.each(FLAVOURS)('on %s', (flavour) => {
  let now = NOW
  const stores = useStores(flavour, { clock: () => now })
  beforeEach(async () => {
    now = NOW
    await stores.one.users.ensure('u', NOW)
  })

  const times = async () =>
    (await stores.one.events.feedAfter(0, 99)).map(
      ({ data }) => Date.parse((JSON.parse(data) as { readonly updated_at: string }).updated_at) - NOW,
    )

  test.each([
    ['a machine whose clock is three seconds behind', -3000, [0, 1, 2]],
    ['a machine whose clock is right, after one that was a year ahead', -365 * DAY, [0, -365 * DAY, 1 - 365 * DAY]],
  ])('each state of a deposit is later than the one before, on %s', async (_name, changedMs, expected) => {
    const about = { transaction_uuid: 'd', amount: decimal('0.1'), inexact: true } as const
    await applyOneFact(stores.one, sampleFact({ ...about, status: 'processing' }))
    now += changedMs
    await applyOneFact(stores.one, sampleFact({ ...about, status: 'succeeded' }))
    const { inexact: _inexact, ...listed } = about
    const more = decimal('0.10000000000000000001')
    await applyOneFact(
      stores.one,
      sampleFact({ ...listed, status: 'succeeded', source: 'reconciliation', amount: more }),
    )
    expect(await times()).toEqual(expected)
  })

  test('each state of a withdrawal is later than the one before', async () => {
    const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('7') }
    await seed(stores.one, {
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: 'hold:w1', ...owner },
      ],
      withdrawals: [sampleWithdrawal({ amount: owner.amount, called_ms: NOW, call_ended_ms: NOW, updated_ms: NOW })],
    })
    now -= 3000
    await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
      const row = unit.withdrawal('w1')
      if (row === null) throw new Error('there is no withdrawal')
      settleWithdrawal(unit, row, { evidence: { kind: 'uncertain' }, source: 'cashier' })
    })
    expect(await times()).toEqual([1])
  })
})
