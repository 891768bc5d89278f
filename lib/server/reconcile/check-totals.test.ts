/** What a person is told of control totals, on both databases. */
import { beforeEach, expect, describe, test } from 'vitest'
import { decimal, type Decimal } from '#lib/contract/money.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import type { TransactionRecord } from '../gateway/types.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import { adjustmentKey } from '../ledger/adjustment-keys.ts'
import { sampleFact } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createCheckTotals } from './check-totals.ts'

const NOW = Date.UTC(2026, 10, 20)
const USER = 'user_1'

describe.each(FLAVOURS)('control totals on %s', (flavour) => {
  let now = NOW
  beforeEach(() => {
    now = NOW
  })
  const stores = useStores(flavour, { clock: () => now })

  const check = (ledgerMode: LedgerMode = 'embedded') => {
    const rules = { statuses: STATUSES, ledgerMode, ledgerStartMs: 0, overdueMs: 1000 } as const
    const scan = { settledBeforeMs: now + 1, restoredMs: null, isListed: () => true }
    return createCheckTotals({ store: stores.one, ...rules, clock: () => now })(USER, scan)
  }
  const lines = () => stores.one.quarantine.list({ reason: 'totals_differ', settled: false, after: 0, limit: 99 })

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
  /** The list has the deposit, and says so for long. */
  const list = async (more: Partial<TransactionRecord>, ledgerMode: LedgerMode = 'embedded') => {
    const node = sampleTransactionRecord({
      ...{ transaction_uuid: 'd', status: 'TXN_PROVIDER_SUCCEEDED', amount: decimal('7'), ...more },
      inserted_at: new Date(NOW).toISOString(),
    })
    const records = listedRecords([{ cursor: 'd', inserted_at: node.inserted_at, node }], STATUSES)
    await stores.one.applyRecords(USER, records, { ledgerMode, ledgerStartMs: 0 })
    now += 2000
    await check(ledgerMode)
  }
  const agree = () => list({})
  const dismissAll = async () => {
    for (const { id } of await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 }))
      await stores.one.quarantine.settle(id, { by: 'merchant', now })
  }

  test('a difference that goes settles its open line', async () => {
    await differ()
    await agree()
    expect(await lines()).toEqual([])
  })

  test.each([
    ['has dismissed its line', () => dismissAll()],
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
    await dismissAll()
    await check()
    expect(await lines()).toEqual([])
  })

  test('a difference that goes after an adjustment of another amount settles its open line', async () => {
    await differ()
    await correct(decimal('-6'))
    await agree()
    expect(await lines()).toEqual([])
  })
  test('the merchant keeps the books since: of a difference that goes a person is told, and of no new one', async () => {
    await differ()
    await dismissAll()
    await list({}, 'merchant')
    expect((await lines()).map(({ event }) => JSON.parse(event) as object)).toMatchObject([
      { transactions: [], gone: [{ transaction_uuid: 'd' }] },
    ])
    await dismissAll()
    await list({ status: 'TXN_NEW' }, 'merchant')
    expect(await lines()).toEqual([])
  })

  test.each<[string, readonly Partial<TransactionRecord>[]]>([
    ['is under way again', [{ amount: decimal('9') }, { amount: decimal('9'), status: 'TXN_NEW' }]],
    ['failed', [{ amount: decimal('9') }, { status: 'TXN_FAILED' }, { amount: decimal('9') }]],
    ['has an unknown type', [{ amount: decimal('9') }, { type: 'Refund' }]],
  ])(
    'the merchant keeps the books: each change is told of a deposit whose amount the list has changed, and that %s',
    async (_what, changes) => {
      await stores.one.users.ensure(USER, NOW)
      await list({}, 'merchant')
      expect(await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })).toEqual([])
      const told: boolean[] = []
      for (const change of [...changes, {}]) {
        for (let times = 0; times < 2; times += 1) await list(change, 'merchant')
        const open = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
        told.push(open.some(({ transaction_uuid }) => transaction_uuid === 'd'))
        await dismissAll()
      }
      expect(told).toEqual([...changes, {}].map(() => true))
    },
  )
})
