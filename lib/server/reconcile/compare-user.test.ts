import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact, sampleTransaction } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import type { TransactionsList } from '../gateway/types.ts'
import { createCheckTotals } from './check-totals.ts'
import { createCompareUser } from './compare-user.ts'
import { createFindOverdue } from './find-overdue.ts'
import type { Edge, ReadLists } from './scan-user-list.ts'
import { depositEdge, EMPTY_LIST, pagedGateway } from './testing/user-list.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 1_000 * DAY
const USER = 'user_1'

let now = NOW
let store: Store
beforeEach(async () => {
  now = NOW
  store = await openStore({ url: 'file::memory:', clock: () => now, deliver: false })
  await store.users.ensure(USER, now)
})
afterEach(() => store.close())

/** Compares as the queue does: it claims the due user, with the time of the last read of the list. */
async function compare(lists: ReadLists): Promise<void> {
  const compareUser = createCompareUser({
    store,
    gateway: { ...lists, clockOffsetMs: () => 0, statuses: STATUSES },
    ledgerMode: 'embedded',
    ledgerStartMs: 0,
    clock: () => now,
    checkTotals: createCheckTotals({
      ...{ store, statuses: STATUSES, ledgerMode: 'embedded', ledgerStartMs: 0, overdueMs: DAY },
      clock: () => now,
    }),
  })
  const claims = await Promise.all(
    (['open', 'quarantined', 'sweep'] as const).map((priority) => store.reconcileQueue.claimDue(priority, 1, 30_000)),
  )
  const [claimed] = claims.flat()
  if (claimed !== undefined) await compareUser(claimed)
}

const balance = async (user = USER): Promise<string> => (await store.ledger.balance(user, 'c')).available

const open = (transaction_uuid: string, openForMs: number) =>
  seed(store, {
    transactions: [
      sampleTransaction({
        transaction_uuid,
        user_reference_id: USER,
        status: 'processing',
        created_ms: NOW - openForMs,
      }),
    ],
  })

async function nextInMs(): Promise<number | null> {
  await store.users.scheduleReconciliation(USER, now)
  await compare(pagedGateway([]))
  return store.reconcileQueue.nextDueMs()
}

test('a purchase abandoned a hundred days ago does not delay a transaction that opened today', async () => {
  await open('abandoned', 100 * DAY)
  expect(await nextInMs()).toBe(DAY)
  await open('today', 0)
  expect(await nextInMs()).toBe(15_000)
})

describe('a deposit whose webhooks were both lost', () => {
  const LENGTH = 60
  const list = Array.from({ length: LENGTH }, (_item, index) =>
    depositEdge(`d${index}`, NOW - (5 + index) * HOUR, 'TXN_PROVIDER_SUCCEEDED'),
  )

  test.each<[string, (page: TransactionsList, number: number) => TransactionsList]>([
    ['an empty page that claims a next one', (page, number) => (number === 2 ? { ...page, edges: [] } : page)],
    [
      'a page without the cursor of the next',
      (page, number) =>
        number === 2 ? { ...EMPTY_LIST, page_info: { ...EMPTY_LIST.page_info, has_next_page: true } } : page,
    ],
    ['fewer records than counted', (page, number) => (number === 2 ? { ...page, edges: page.edges.slice(5) } : page)],
  ])('is found by the next sweep after a broken scan: %s', async (_name, spoil) => {
    const lists = pagedGateway(list, { most: 20, spoil })
    await compare(lists)
    expect(await balance()).not.toBe(String(LENGTH))
    now += DAY
    await compare(lists)
    expect(await balance()).toBe(String(LENGTH))
  })

  test('is found even if the list shows it late, after a page of newer records', async () => {
    const newer = Array.from({ length: 25 }, (_item, index) =>
      depositEdge(`n${index}`, NOW - 10 * HOUR + (25 - index) * 60_000),
    )
    const lists = (status: string) =>
      pagedGateway([...newer, depositEdge('late', NOW - 12 * HOUR, status)], { most: 20 })
    await compare(lists('TXN_NEW'))
    now += HOUR
    await compare(lists('TXN_PROVIDER_SUCCEEDED'))
    expect(await balance()).toBe('1')
  })
})

describe('behind a page of newer records, with its webhooks lost', () => {
  const newer = Array.from({ length: 25 }, (_item, index) =>
    depositEdge(`n${index}`, NOW - 10 * HOUR - index * 60_000, 'TXN_PROVIDER_SUCCEEDED'),
  )
  const late = (status: string) => depositEdge('late', NOW - 12 * HOUR, status)

  test.each([
    ['a deposit that failed, then succeeded', [late('TXN_FAILED')]],
    ['a deposit that the list shows late, with an old time', []],
  ])('%s is credited within a day', async (_name, old) => {
    const lists = (...last: readonly Edge[]) => pagedGateway([...newer, ...last], { most: 20 })
    await compare(lists(...old))
    expect(await balance()).toBe('25')
    now += DAY - HOUR
    await store.users.scheduleReconciliation(USER, now)
    await compare(lists(late('TXN_PROVIDER_SUCCEEDED')))
    expect(await balance()).toBe('25')
    now += HOUR
    await store.users.scheduleReconciliation(USER, now)
    await compare(lists(late('TXN_PROVIDER_SUCCEEDED')))
    expect(await balance()).toBe('26')
  })
})

describe('a list of more pages than a round', () => {
  const LENGTH = 450
  const list = Array.from({ length: LENGTH }, (_item, index) =>
    depositEdge(`d${index}`, NOW - (5 + index) * HOUR, 'TXN_PROVIDER_SUCCEEDED'),
  )

  test('is read in rounds that follow soon, and then once a day', async () => {
    const lists = pagedGateway(list, { most: 1 })
    for (const read of ['200', '400']) {
      await compare(lists)
      expect([await balance(), await store.reconcileQueue.nextDueMs()]).toEqual([read, 1000])
      now += 1000
    }
    await compare(lists)
    expect([await balance(), await store.reconcileQueue.nextDueMs()]).toEqual([String(LENGTH), DAY])
  })
})

describe('a list with a record of another user in the place of the user’s own', () => {
  const list = Array.from({ length: 25 }, (_item, index) =>
    depositEdge(`d${index}`, NOW - (5 + index) * HOUR, 'TXN_PROVIDER_SUCCEEDED'),
  )
  const last = depositEdge('foreign', NOW - 29 * HOUR, 'TXN_PROVIDER_SUCCEEDED')
  const mixed = [...list.slice(0, -1), { ...last, node: { ...last.node, user_ref_id: 'user_2' } }]

  test('is read again equally far back, and the missing deposit is credited', async () => {
    await compare(pagedGateway(mixed, { most: 20 }))
    expect(await balance()).toBe('24')
    now += DAY
    await compare(pagedGateway(list, { most: 20 }))
    expect(await balance()).toBe('25')
  })

  test('is read no more often than other lists, however long this lasts', async () => {
    for (let day = 0; day < 3; day += 1) {
      await compare(pagedGateway(mixed, { most: 20 }))
      expect(await store.reconcileQueue.nextDueMs()).toBe(DAY)
      now += DAY
    }
  })
})

test('a user who is erased while the list is read stays erased', async () => {
  const paged = pagedGateway([depositEdge('d', NOW, 'TXN_PROVIDER_SUCCEEDED')])
  await compare({
    async listUserTransactions(...query) {
      expect(await eraseUser(store, USER, 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
      return paged.listUserTransactions(...query)
    },
  })
  expect([await balance(), await balance('erased_1')]).toEqual(['0', '0'])
  expect(await eraseUser(store, USER, 'erased_2', () => now)).toEqual({ outcome: 'unknown' })
})

describe('a deposit of which only an unconfirmed event told, and whose line was dismissed before the erasure', () => {
  const told = sampleFact({
    ...{ kind: 'deposit', transaction_uuid: 'd', user_reference_id: USER, status: 'succeeded', source: 'webhook' },
    ...{ amount: decimal('1'), currency_id: 'c', unconfirmed: true },
  })
  const lines = async () =>
    (await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })).map(
      ({ id, reason, user_reference_id, transaction_uuid }) => ({ id, reason, user_reference_id, transaction_uuid }),
    )

  beforeEach(async () => {
    await applyOneFact(store, told)
    now += 2 * DAY
    const onFault = (error: unknown) => {
      throw error
    }
    await createFindOverdue({ store, clock: () => now, overdueMs: DAY, onFault })(() => true)
    const [line] = await lines()
    expect(line).toMatchObject({ reason: 'overdue', transaction_uuid: 'd' })
    await store.quarantine.settle(line?.id ?? 0, { by: 'merchant', now })
    expect(await eraseUser(store, USER, 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
    await store.users.ensure(USER, now)
  })

  test('a person is told once if the list confirms it to the user who came back', async () => {
    const confirm = async (): Promise<void> => {
      await compare(pagedGateway([depositEdge('d', NOW, 'TXN_PROVIDER_SUCCEEDED')]))
      expect([await balance(), await balance('erased_1')]).toEqual(['0', '0'])
      expect(await lines()).toMatchObject([{ reason: 'contradiction', user_reference_id: USER, transaction_uuid: 'd' }])
    }
    await confirm()
    now += DAY
    await store.users.scheduleReconciliation(USER, now)
    await confirm()
  })

  test('nobody is told while the list has it under way', async () => {
    await compare(pagedGateway([depositEdge('d', NOW, 'TXN_NEW')]))
    expect(await lines()).toEqual([])
  })
})
