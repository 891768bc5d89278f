import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import type { TransactionNode, TransactionsPage } from '#lib/contract/cashier.ts'
import { decimal } from '#lib/contract/money.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import type { TransactionRecord } from '../gateway/types.ts'
import type { RecordRow } from '../ledger/rows.ts'
import type { CashierSession } from '../store/types.ts'
import { sampleOnramp, sampleRecord, sampleTransaction, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createHistoryFile, type HistoryFileOptions } from './history-file.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const SESSION = { user_reference_id: 'u' } as CashierSession

const recordAt = (insertedMs: number, more: Partial<TransactionRecord> = {}): RecordRow => {
  const record = sampleTransactionRecord({
    transaction_uuid: `t-${insertedMs}`,
    inserted_at: new Date(insertedMs).toISOString(),
    user_ref_id: 'u',
    to_address: 'TTo',
    ...more,
  })
  return sampleRecord({
    transaction_uuid: record.transaction_uuid,
    type: record.type,
    inserted_ms: insertedMs,
    record: JSON.stringify(record),
  })
}

const page = (more: Partial<TransactionsPage['page_info']> = {}, rest: object = {}): TransactionsPage => ({
  edges: [],
  page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false, ...more },
  total_count: 0,
  ...rest,
})

describe.each(FLAVOURS)('the file on %s', (flavour) => {
  const stores = useStores(flavour)

  const fileOf = (options: Partial<HistoryFileOptions> = {}) =>
    createHistoryFile({
      store: stores.one,
      statuses: STATUSES,
      listTransactions: () => Promise.resolve(page()),
      clock: () => NOW,
      ...options,
    })

  const rowsOf = async (query = {}, options: Partial<HistoryFileOptions> = {}): Promise<readonly TransactionNode[]> => {
    const rows: TransactionNode[] = []
    for await (const nodes of await fileOf(options)(SESSION, query)) rows.push(...nodes)
    return rows
  }
  const names = async (query = {}): Promise<readonly (string | null)[]> =>
    (await rowsOf(query)).map((node) => node.transaction_uuid ?? node.withdrawal_id ?? node.session_reference ?? null)

  test('records and our own rows, newest first, each once', async () => {
    await stores.one.users.ensure('u', NOW)
    await stores.one.onramps.insert(sampleOnramp({ id: 'o-new', created_ms: NOW - 1000, updated_ms: NOW - 1000 }))
    await stores.one.onramps.insert(
      sampleOnramp({ id: 'o-done', correlation_key: 'k2', created_ms: 3000, updated_ms: 3000 }),
    )
    await seed(stores.one, {
      records: [
        recordAt(1000),
        recordAt(2000, { type: 'Payout', transaction_uuid: 'payout' }),
        recordAt(3500, { transaction_uuid: 'bought', correlation_key: 'k2' }),
        recordAt(5000),
      ],
      withdrawals: [
        sampleWithdrawal({
          id: 'w-listed',
          idempotency_key: 'a',
          transaction_uuid: 'payout',
          status: 'succeeded',
          step: 'ended',
          created_ms: 1990,
          call_ended_ms: 1995,
        }),
        sampleWithdrawal({ id: 'w-refused', idempotency_key: 'b', created_ms: 4000, ...REFUSED }),
      ],
      transactions: [
        sampleTransaction({
          kind: 'onramp',
          transaction_uuid: 'bought-onramp',
          correlation_key: 'k2',
          onramp_session_id: 'o-done',
          deposit_uuid: 'bought',
          tx_hash: null,
          tx_hash_key: null,
        }),
      ],
    })
    expect(await names()).toEqual(['o-new', 't-5000', 'w-refused', 'bought', 'payout', 't-1000'])
    expect(await names({ transaction_types: ['Payout'] })).toEqual(['w-refused', 'payout'])
    expect(await names({ time_range: 'today' })).toEqual(['o-new'])
    expect(await names({ time_range: 'last_month' })).toEqual([])
    const rows = await rowsOf()
    expect(rows.find((row) => row.transaction_uuid === 'payout')).toMatchObject({
      withdrawal_id: 'w-listed',
      cashier_status: 'succeeded',
    })
    expect(rows.find((row) => row.transaction_uuid === 'bought')?.session_reference).toBe('o-done')
  })

  test('any number of rows, also of one time, comes whole', async () => {
    await stores.one.users.ensure('u', NOW)
    const times = Array.from({ length: 700 }, (_item, index) => 10_000 - Math.floor(index / 3))
    await seed(stores.one, {
      records: times.map((ms, index) => recordAt(ms, { transaction_uuid: `t-${index}` })),
      withdrawals: times.map((ms, index) =>
        sampleWithdrawal({ id: `w-${index}`, idempotency_key: `k-${index}`, created_ms: ms, ...REFUSED }),
      ),
    })
    const rows = await rowsOf()
    expect(new Set(rows.map((row) => row.transaction_uuid ?? row.withdrawal_id)).size).toBe(1400)
    expect(rows).toHaveLength(1400)
    const inOrder = rows.map((row) => Date.parse(row.inserted_at))
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => b - a))
  })

  test('a list that was never read whole is read to its end first, or the file is refused', async () => {
    await stores.one.users.ensure('u', NOW)
    const pages = [
      page({ has_next_page: true, end_cursor: 'a' }),
      page({ has_next_page: true, end_cursor: 'b' }),
      page(),
    ]
    const listTransactions = vi.fn<HistoryFileOptions['listTransactions']>()
    for (const one of pages) listTransactions.mockResolvedValueOnce(one)
    await rowsOf({}, { listTransactions })
    expect(listTransactions.mock.calls.map(([, query]) => query.after)).toEqual([undefined, 'a', 'b'])

    let now = NOW
    const endless = vi.fn(() => {
      now += 8000
      return Promise.resolve(page({ has_next_page: true, end_cursor: 'x' }))
    })
    await expect(rowsOf({}, { listTransactions: endless, clock: () => now })).rejects.toMatchObject({
      code: 'gateway_unavailable',
    })
    // While the gateway is away, its cursors lead nowhere.
    const away = vi.fn(() => Promise.resolve(page({ has_next_page: true, end_cursor: 'x' }, { stale: true })))
    await rowsOf({}, { listTransactions: away })
    expect(away).toHaveBeenCalledOnce()
  })

  test('two files of a user are sent at once, and no more; an end or a failure makes room', async () => {
    await stores.one.users.ensure('u', NOW)
    await seed(stores.one, { records: [recordAt(1000)] })
    let failure: Error | null = null
    const file = fileOf({ listTransactions: () => (failure ? Promise.reject(failure) : Promise.resolve(page())) })
    const begin = async () => (await file(SESSION, {}))[Symbol.asyncIterator]()
    const [one, two] = [await begin(), await begin()]
    await expect(begin()).rejects.toMatchObject({ code: 'rate_limited' })
    await one.next()
    await one.return?.()
    failure = new Error('the disk is gone')
    await expect(begin()).rejects.toBe(failure)
    failure = null
    const three = await begin()
    await expect(begin()).rejects.toMatchObject({ code: 'rate_limited' })
    while ((await two.next()).done !== true);
    await three.next()
    await begin()
  })

  test('a list that was read whole costs one call', async () => {
    await stores.one.users.ensure('u', NOW)
    await stores.one.users.reconciled('u', NOW, null, { wholeMs: NOW, restoredMs: 0 })
    const listTransactions = vi.fn(() => Promise.resolve(page({ has_next_page: true, end_cursor: 'a' })))
    await rowsOf({}, { listTransactions })
    expect(listTransactions).toHaveBeenCalledOnce()
  })
})

const REFUSED = {
  status: 'failed',
  step: 'ended',
  failure: 'refused',
  call_ended_ms: 5000,
  transaction_uuid: null,
} as const

describe('a long file', () => {
  const stores = useStores('sqlite')
  const ROWS = 20_000

  test('is read in constant memory, and no further than its reader goes', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const heap = (): number => {
      collect()
      return process.memoryUsage().heapUsed / 1e6
    }
    await stores.one.users.ensure('u', NOW)
    for (let from = 0; from < ROWS; from += 5000)
      await seed(stores.one, {
        records: Array.from({ length: 5000 }, (_item, index) =>
          recordAt(from + index, { amount: decimal(`${index}.5`), tx_hash: `0x${'a'.repeat(64)}` }),
        ),
      })
    let reads = 0
    const { users, history, exports } = stores.one
    const file = createHistoryFile({
      store: {
        users,
        history,
        exports: {
          ...exports,
          recordsBefore: (...args) => {
            reads += 1
            return exports.recordsBefore(...args)
          },
        },
      },
      statuses: STATUSES,
      listTransactions: () => Promise.resolve(page()),
      clock: () => NOW,
    })
    let rows = 0
    const sizes: number[] = []
    for await (const nodes of await file(SESSION, {})) {
      rows += nodes.length
      if (rows % 5000 < nodes.length) sizes.push(heap())
    }
    expect(rows).toBe(ROWS)
    const [first = 0] = sizes
    expect(Math.max(...sizes) - first).toBeLessThan(8)

    reads = 0
    for await (const nodes of await file(SESSION, {})) if (nodes.length > 0) break
    expect(reads).toBeLessThan(3)
  })
})
