/** What a person is told of control totals, on both databases. */
import { expect, describe, test } from 'vitest'
import { decimal, type Decimal } from '#lib/contract/money.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import { adjustmentKey } from '../ledger/adjustment-keys.ts'
import { sampleFact } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createCheckTotals } from './check-totals.ts'

const NOW = Date.UTC(2026, 10, 20)
const USER = 'user_1'

describe.each(FLAVOURS)('control totals on %s', (flavour) => {
  const stores = useStores(flavour, { clock: () => NOW })

  const check = () => {
    const rules = { statuses: STATUSES, ledgerMode: 'embedded', ledgerStartMs: 0, overdueMs: 1000 } as const
    const scan = { settledBeforeMs: NOW + 1, restoredMs: null, isListed: () => true }
    return createCheckTotals({ store: stores.one, ...rules, clock: () => NOW })(USER, scan)
  }
  const lines = () => stores.one.quarantine.list({ reason: 'totals_differ', settled: false, after: 0, limit: 99 })

  const dismiss = async (): Promise<void> => {
    for (const { id } of await lines()) await stores.one.quarantine.settle(id, { by: 'merchant', now: NOW })
  }
  const correct = (amount: Decimal): Promise<void> =>
    seed(stores.one, {
      bookings: [
        {
          ...{ booking: 'adjustment', posting_key: adjustmentKey(USER, amount) },
          ...{ user_reference_id: USER, currency_id: 'c', amount },
        },
      ],
    })

  /** An event has told of a deposit that the list lacks. */
  const differ = async () => {
    await stores.one.users.ensure(USER, NOW)
    const deposit = { transaction_uuid: 'd', user_reference_id: USER, amount: decimal('7') }
    await applyOneFact(stores.one, sampleFact({ ...deposit, currency_id: 'c', status: 'succeeded' }), {
      ledgerMode: 'embedded',
      evidence: '{}',
    })
    await check()
    expect((await lines()).length).toBe(1)
  }
  const agree = async () => {
    const node = sampleTransactionRecord({
      ...{ transaction_uuid: 'd', status: 'TXN_PROVIDER_SUCCEEDED', amount: decimal('7') },
      inserted_at: new Date(NOW).toISOString(),
    })
    const records = listedRecords([{ cursor: 'd', inserted_at: node.inserted_at, node }], STATUSES)
    await stores.one.applyRecords(USER, records, { ledgerMode: 'embedded', ledgerStartMs: 0 })
    await check()
  }

  test('a difference that goes settles its open line', async () => {
    await differ()
    await agree()
    expect(await lines()).toEqual([])
  })

  test.each([
    ['has dismissed its line', dismiss],
    ['has corrected a balance by it', () => correct(decimal('-7'))],
  ])('of a difference that goes after a person %s, a person is told once', async (_name, act) => {
    await differ()
    await act()
    await check()
    await agree()
    const [line] = await lines()
    expect(JSON.parse(line?.event ?? 'null')).toMatchObject({
      transactions: [],
      gone: [{ kind: 'deposit', transaction_uuid: 'd', ledger: '7', gateway: '0' }],
    })
    await dismiss()
    await check()
    expect(await lines()).toEqual([])
  })

  test('a difference that goes after an adjustment of another amount settles its open line', async () => {
    await differ()
    await correct(decimal('-6'))
    await agree()
    expect(await lines()).toEqual([])
  })
})
