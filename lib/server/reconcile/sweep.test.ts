import { afterEach, beforeEach, expect, test } from 'vitest'
import { OutcomeUnknownError } from '../gateway/errors.ts'
import { createVirtualTime, type VirtualTime } from '../jobs/testing/virtual-time.ts'
import { RECONCILE_PRIORITY } from '../ledger/reconcile-priority.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleRecord } from '../store/testing/sample-rows.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { seed } from '../store/testing/seed.ts'
import type { ReadMerchantList } from './scan-merchant-list.ts'
import { createSweep } from './sweep.ts'
import { depositEdge, NO_MERCHANT_LIST, pagedGateway } from './testing/user-list.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let store: Store
let time: VirtualTime
beforeEach(async () => {
  time = createVirtualTime(1_000 * DAY)
  store = await openStore({ url: 'file::memory:', clock: time.clock, deliver: false })
})
afterEach(() => store.close())

/** A record of a user, inserted `agoMs` ago. */
function record(user: string, uuid: string, agoMs = 0, status = 'TXN_NEW') {
  const edge = depositEdge(uuid, time.clock() - agoMs, status)
  return { ...edge, node: { ...edge.node, user_ref_id: user } }
}

/** A gateway with this list across all users; `calls` counts its pages. */
function listing(...edges: readonly ReturnType<typeof record>[]) {
  const calls: string[] = []
  const paged = pagedGateway(edges)
  const gateway: ReadMerchantList = {
    listMerchantTransactions: (query) => {
      calls.push(query?.after ?? 'first')
      return paged.listUserTransactions('', query)
    },
  }
  return { gateway, calls }
}

const sweepOf = (gateway: ReadMerchantList, sweptStore = store) => {
  const sweep = createSweep({
    store: sweptStore,
    clock: time.clock,
    gateway,
    clockOffsetMs: () => 0,
    callsPerSecond: 1,
    statuses: STATUSES,
    ledgerStartMs: 0,
    absenceMs: 0,
  })
  return () => sweep(() => true)
}

/** Users who arrived `agoMs` ago and were never reconciled. */
async function addUsers(users: readonly string[], agoMs: number): Promise<void> {
  for (const user of users) await store.users.ensure(user, time.clock() - agoMs)
  await due('sweep')
}

async function due(priority: 'open' | 'sweep'): Promise<readonly string[]> {
  const claimed = (await store.reconcileQueue.claimDue(priority, 99, 1)).map((user) => user.user_reference_id)
  const next = { inMs: DAY, priority: 'sweep' } as const
  for (const user of claimed) await store.users.reconciled(user, time.clock(), next)
  return claimed.sort()
}

test('who was scheduled by a clock that was a year ahead is due, and nobody else', async () => {
  await addUsers(['ahead', 'tomorrow'], MINUTE)
  await seed(store, { webhooks: [{ received_ms: time.clock(), sent_s: 1, body: '{}', outcome: 'applied' }] })
  for (const priority of ['open', 'sweep'] as const) {
    await store.database.db
      .updateTable('users')
      .set({ reconcile_at_ms: time.clock() + 365 * DAY, reconcile_priority: RECONCILE_PRIORITY[priority] })
      .where('user_reference_id', '=', 'ahead')
      .execute()
    await sweepOf(NO_MERCHANT_LIST)()
    expect([await due('open'), await due('sweep')]).toEqual(priority === 'open' ? [['ahead'], []] : [[], ['ahead']])
  }
})

test('books are compared although the last read of a list was timed by a clock that was a year ahead', async () => {
  await addUsers(['ahead', 'today'], 40 * DAY)
  await due('sweep')
  const read = { ahead: time.clock() + 365 * DAY, today: time.clock() }
  for (const [user, whole_ms] of Object.entries(read))
    await store.database.db
      .updateTable('users')
      .set({ reconcile_at_ms: null, totals_ms: null, whole_ms })
      .where('user_reference_id', '=', user)
      .execute()
  await sweepOf(NO_MERCHANT_LIST)()
  expect(await due('sweep')).toEqual(['ahead'])
})

test('while no webhooks arrive, only users with news in the list across all users are read', async () => {
  await addUsers(['on_page', 'gone', 'known', 'changed'], MINUTE)
  await seed(store, {
    records: [
      sampleRecord({ user_reference_id: 'known', transaction_uuid: 't2' }),
      sampleRecord({ user_reference_id: 'changed', transaction_uuid: 't3' }),
    ],
  })
  const { gateway } = listing(
    record('gone', 't1'),
    record('known', 't2'),
    record('changed', 't3', 0, 'TXN_PROVIDER_SUCCEEDED'),
    record('foreign', 't4'),
    record('no name\0', 't5'),
    record('gone', '\ud800'),
  )
  await sweepOf(gateway)()
  expect(await due('open')).toEqual(['changed', 'gone'])
  expect(await due('sweep')).toEqual([])
})

test('a payout that only the list across all users shows bars the proof of an absence', async () => {
  await addUsers(['paid'], MINUTE)
  const { node, ...edge } = record('paid', 't1')
  const { gateway } = listing({ ...edge, node: { ...node, type: 'Payout' } }, record('paid', 't2'))
  await sweepOf(gateway)()
  const open = await store.payouts.openOf(['paid'])
  expect(open).toMatchObject([{ transaction_uuid: 't1', awaits_list: 1, inserted_ms: null }])
  await sweepOf(gateway)()
  expect(await store.payouts.openOf(['paid'])).toEqual(open)
})

test('who has news is due also if a payout of the list across all users cannot be stored', async () => {
  await addUsers(['paid'], MINUTE)
  const { node, ...edge } = record('paid', 't1')
  const { gateway } = listing({ ...edge, node: { ...node, type: 'Payout' } })
  const refusing = { ...store, unitOfWork: () => Promise.reject(new Error('the store refuses')) }
  await expect(sweepOf(gateway, refusing)()).rejects.toThrow('the store refuses')
  expect(await due('open')).toEqual(['paid'])
})

test.each([
  ['is not offered', () => NO_MERCHANT_LIST],
  ['is empty', () => listing().gateway],
  [
    'does not give the next cursor',
    () => {
      const paged = pagedGateway([record('u', 't')], {
        spoil: (page) => ({ ...page, page_info: { ...page.page_info, has_next_page: true } }),
      })
      return { listMerchantTransactions: (query) => paged.listUserTransactions('', { first: query?.first ?? 1 }) }
    },
  ],
] as const satisfies readonly (readonly [string, () => ReadMerchantList])[])(
  'while no webhooks arrive and that list %s, users on the page are read',
  async (_name, gateway) => {
    await addUsers(['on_page'], MINUTE)
    await addUsers(['gone'], 16 * MINUTE)
    let calls = 0
    const list = gateway()
    const sweep = sweepOf({
      listMerchantTransactions: (query) => {
        calls += 1
        return list.listMerchantTransactions(query)
      },
    })
    await sweep()
    expect(await due('sweep')).toEqual(['on_page'])
    const first = calls
    await time.run(MINUTE)
    await sweep()
    expect([calls, await due('sweep')]).toEqual([first, ['on_page']])
    await time.run(60 * MINUTE)
    await sweep()
    expect(calls).toBeGreaterThan(first)
  },
)

test('thousands of users on the page are read in turn, within a fiftieth of the calls', async () => {
  const users = ['u0', 'u1', 'u2']
  await addUsers(users, MINUTE)
  await time.run(MINUTE)
  const seen: (readonly string[])[] = []
  const sweep = sweepOf(NO_MERCHANT_LIST)
  for (let minute = 0; minute < 3; minute += 1) {
    await sweep()
    seen.push(await due('sweep'))
    await time.run(MINUTE)
  }
  // 60 calls a minute.
  expect(seen.map(({ length }) => length)).toEqual([1, 1, 1])
  expect(seen.flat().toSorted()).toEqual(users)
})

test('a user whose list could not be read a moment ago gives way to the others', async () => {
  await addUsers(['broken', 'u1', 'u2'], MINUTE)
  await store.database.db.updateTable('users').set({ reconciled_ms: null }).execute()
  await store.users.reconciliationFailed('broken', { inMs: 4 * MINUTE, priority: 'sweep' })
  await sweepOf(NO_MERCHANT_LIST)()
  expect(await due('sweep')).toEqual(['u1'])
})

test('that list is read once a minute, up to five pages, and no further than the last quarter of an hour', async () => {
  const old = Array.from({ length: 300 }, (_item, index) => record('foreign', `old-${index}`, 3 * 60 * MINUTE))
  const few = listing(record('u', 't'), ...old)
  const sweep = sweepOf(few.gateway)
  await sweep()
  await sweep()
  expect(few.calls).toEqual(['first', 'old-98'])
  await time.run(MINUTE)
  await sweep()
  expect(few.calls).toHaveLength(4)
  const many = listing(...Array.from({ length: 900 }, (_item, index) => record('foreign', `new-${index}`)))
  await sweepOf(many.gateway)()
  expect(many.calls).toHaveLength(5)
})

/** Stores a webhook that arrives now, so that silence causes no sweep. */
const receiveWebhook = () =>
  seed(store, {
    webhooks: [{ received_ms: time.clock(), sent_s: 0, body: '{}', outcome: 'applied' }],
  })

test('after a downtime, users with news since its begin come first, and all others are read once too', async () => {
  await addUsers(['quiet', 'paid'], 2 * DAY)
  await store.reconciliation.noteAlive(MINUTE)
  const { gateway, calls } = listing(
    record('paid', 't1', 0),
    ...Array.from({ length: 200 }, (_item, index) => record('foreign', `old-${index}`, 30 * MINUTE)),
  )
  const sweep = sweepOf(gateway)
  await receiveWebhook()
  await sweep()
  expect(calls).toEqual(['first', 'old-98'])
  expect(await due('open')).toEqual(['paid'])
  expect(await due('sweep')).toEqual(['quiet'])
  expect(await store.reconciliation.catchUpSince()).toBeNull()
  await sweep()
  expect(calls).toHaveLength(2)
})

test('a list that cannot be read after a downtime is tried again each minute, but not forever', async () => {
  await addUsers(['quiet', 'paid'], 2 * DAY)
  const { gateway } = listing(record('paid', 't1'))
  let tries = 0
  const sweep = sweepOf({
    listMerchantTransactions: (query) => {
      tries += 1
      return tries === 3 || tries > 20
        ? gateway.listMerchantTransactions(query)
        : Promise.reject(new OutcomeUnknownError('away', { operation: 'list', status: 503 }))
    },
  })
  const nextMinute = async () => {
    await time.run(MINUTE)
    await receiveWebhook()
    await sweep()
    await sweep()
  }
  await store.reconciliation.noteAlive(MINUTE)
  await nextMinute()
  expect(await due('sweep')).toEqual(['paid', 'quiet'])
  expect(await due('open')).toEqual([])
  await nextMinute()
  expect(await store.reconciliation.catchUpSince()).not.toBeNull()
  await nextMinute()
  expect(tries).toBe(3)
  expect(await due('open')).toEqual(['paid'])
  expect(await due('sweep')).toEqual([])
  expect(await store.reconciliation.catchUpSince()).toBeNull()

  await time.run(MINUTE)
  await store.reconciliation.noteAlive(MINUTE)
  for (let minute = 0; minute < 12; minute += 1) await nextMinute()
  expect(tries).toBe(13)
  expect(await store.reconciliation.catchUpSince()).toBeNull()
})
