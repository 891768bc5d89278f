/** Paging through the history while the gateway fails and recovers. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { isProblem } from '#lib/contract/problems.ts'
import type { TransactionsQuery } from '#lib/contract/cashier-requests.ts'
import { UnreachableError, ValidationError } from '../gateway/errors.ts'
import type { Gateway, TransactionRecord } from '../gateway/types.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import type { CashierSession } from '../store/types.ts'
import { openStore, type Store } from '../store/store.ts'
import { completeWithdrawal, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { createListTransactions } from './list-transactions.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000
const SIZE = 4

let store: Store
let isAway: boolean
beforeEach(async () => {
  isAway = false
  store = await openStore({ url: 'file::memory:', clock: () => NOW, deliver: false })
  for (const user of ['u', 'v']) await store.users.ensure(user, NOW)
})
afterEach(() => store.close())

const record = (name: string, minutesAgo: number, user: string): TransactionRecord =>
  sampleTransactionRecord({
    transaction_uuid: name,
    status: 'TXN_PROVIDER_SUCCEEDED',
    amount: decimal('1'),
    to_address: 'TAddress',
    user_ref_id: user,
    inserted_at: new Date(NOW - minutesAgo * MINUTE).toISOString(),
  })

/** Ten deposits, ten minutes apart, newest first. */
const recordsOf = (user: string) => Array.from({ length: 10 }, (_item, at) => record(`d${at}`, at * 10, user))

/** A gateway with these records; it refuses a cursor that it has not given. */
function gatewayOf(cursorOf: (node: TransactionRecord, at: number) => string): Gateway {
  return {
    clockOffsetMs: () => 0,
    statuses: STATUSES,
    showUserTransactions: (user: string, query: { first?: number; after?: string; last?: number; before?: string }) => {
      if (isAway) return Promise.reject(new UnreachableError('no connection', { operation: 'list' }))
      const edges = recordsOf(user).map((node, at) => ({
        node,
        cursor: cursorOf(node, at),
        inserted_at: node.inserted_at,
      }))
      const place = (cursor: string) => edges.findIndex((edge) => edge.cursor === cursor)
      const { first, after, last, before } = query
      const unknown = [after, before].filter((cursor) => cursor !== undefined && place(cursor) < 0)
      if (unknown.length > 0) return Promise.reject(new ValidationError('no', { after: ['?'] }, { operation: 'list' }))
      const from = after === undefined ? 0 : place(after) + 1
      const until = before === undefined ? edges.length : place(before)
      const start = last === undefined ? from : Math.max(from, until - last)
      const page = edges.slice(start, first === undefined ? until : Math.min(until, start + first))
      return Promise.resolve({
        edges: page,
        page_info: {
          start_cursor: page[0]?.cursor ?? null,
          end_cursor: page.at(-1)?.cursor ?? null,
          has_next_page: start + page.length < edges.length,
          has_previous_page: start > 0,
        },
        total_count: edges.length,
        left_out: 0,
      })
    },
  } as unknown as Gateway
}

function historyOf(gateway: Gateway) {
  const circuits = { run: <T>(_name: string, read: () => Promise<T>) => read(), isDown: () => false }
  const list = createListTransactions({
    store,
    gateway,
    circuits,
    ledgerMode: 'embedded',
    ledgerStartMs: 0,
    clock: () => NOW,
  })
  const read = async (query: TransactionsQuery, away: boolean, user = 'u') => {
    isAway = away
    const page = await list({ user_reference_id: user } as CashierSession, query)
    expect(page.stale ?? false).toBe(away)
    return page
  }
  const codeOf = (query: TransactionsQuery, away: boolean): Promise<string> =>
    read(query, away).then(
      () => 'answered',
      (error: unknown) => (isProblem(error) ? error.code : String(error)),
    )
  return { read, codeOf }
}

const named = (edges: Awaited<ReturnType<ReturnType<typeof historyOf>['read']>>['edges']) =>
  edges.map(({ node }) => node.transaction_uuid ?? node.withdrawal_id ?? '')

/** Two withdrawals that the list does not have: one near its top, one after its first page. */
const seedWithdrawals = () =>
  seed(store, {
    withdrawals: ['near', 'far'].map((id, at) =>
      sampleWithdrawal({
        ...{ id, idempotency_key: id, status: 'failed', failure: 'refused', funds: 'none', postings: 0 },
        created_ms: NOW - (at === 0 ? 5 : 55) * MINUTE,
      }),
    ),
  })

const ALL = ['d0', 'near', 'd1', 'd2', 'd3', 'd4', 'd5', 'far', 'd6', 'd7', 'd8', 'd9']

const byUuid = (node: TransactionRecord): string => `cursor-${node.transaction_uuid}`

test.each<[string, readonly boolean[]]>([
  ['up', [false]],
  ['down', [true]],
  ['down after the first page', [false, true]],
  ['down for the first page', [true, false]],
  ['down for every second page, from the second', [false, true, false, true]],
  ['down for every second page, from the first', [true, false, true, false]],
])('paging shows every row once with a gateway that is %s', async (_name, away) => {
  await seedWithdrawals()
  const { read } = historyOf(gatewayOf(byUuid))
  await read({ first: 100 }, false)
  const found: string[] = []
  let after: string | null = null
  for (let at = 0; at < 10; at += 1) {
    const page = await read({ first: SIZE, ...(after !== null && { after }) }, away[at % away.length] ?? false)
    found.push(...named(page.edges))
    after = page.page_info.has_next_page ? page.page_info.end_cursor : null
    if (after === null) break
  }
  expect([...found].sort()).toEqual([...ALL].sort())
})

test.each([
  [false, true],
  [true, false],
])('paging back from the second page shows the rows before it (gateway down: %s, then %s)', async (away, later) => {
  await seedWithdrawals()
  const { read } = historyOf(gatewayOf(byUuid))
  await read({ first: 100 }, false)
  const first = await read({ first: SIZE }, away)
  const second = await read({ first: SIZE, after: first.page_info.end_cursor ?? '' }, away)
  const back = await read({ last: SIZE, before: second.page_info.start_cursor ?? '' }, later)
  const before = ALL.slice(0, ALL.indexOf(named(second.edges)[0] ?? ''))
  expect(before.slice(-SIZE).filter((name) => !named(back.edges).includes(name))).toEqual([])
  expect(named(second.edges).filter((name) => named(back.edges).includes(name))).toEqual([])
})

test('the last row of a page is not shown again on the next page after it has become a record', async () => {
  const { read } = historyOf(gatewayOf(byUuid))
  const created_ms = NOW + MINUTE
  await seed(store, { withdrawals: [sampleWithdrawal({ id: 'new', created_ms })] })
  const first = await read({ first: 1 }, true)
  expect(named(first.edges)).toEqual(['new'])
  await store.unitOfWork({ users: ['u'], withdrawals: ['new'] }, (unit) => {
    const row = unit.withdrawal('new')
    if (row !== null) unit.putWithdrawal(completeWithdrawal({ ...row, transaction_uuid: 'd0' }))
  })
  const next = await read({ first: SIZE, after: first.page_info.end_cursor ?? '' }, false)
  expect(named(next.edges)).toEqual(['d1', 'd2', 'd3'])
})

test('an invalid cursor is a problem, and never an empty or a first page', async () => {
  await seedWithdrawals()
  const { read, codeOf } = historyOf(gatewayOf(byUuid))
  await read({ first: 100 }, false)
  for (const after of ['garbage', 'local:withdrawal:near@cursor-d0', 'local:', 'local:e30', 'local:@'])
    for (const side of ['after', 'before']) {
      const query = { [side === 'after' ? 'first' : 'last']: SIZE, [side]: after }
      expect([after, await codeOf(query, false)]).toEqual([after, 'invalid_request'])
      const expected = after === 'garbage' ? 'gateway_unavailable' : 'invalid_request'
      expect([after, await codeOf(query, true)]).toEqual([after, expected])
    }
})

test('a cursor of another user is a problem', async () => {
  const { read, codeOf } = historyOf(gatewayOf((node) => `${node.user_ref_id}-${node.transaction_uuid}`))
  for (const user of ['u', 'v']) await read({ first: 100 }, false, user)
  for (const away of [false, true]) {
    const theirs = await read({ first: SIZE }, away, 'v')
    for (const later of [false, true])
      expect(await codeOf({ first: SIZE, after: theirs.page_info.end_cursor ?? '' }, later)).not.toBe('answered')
  }
})

test('the meaning of a cursor is not guessed if the gateway’s cursors move', async () => {
  let shift = 0
  const { read, codeOf } = historyOf(gatewayOf((_node, at) => String(at + shift)))
  const first = await read({ first: SIZE }, false)
  // Every record has moved by one cursor, so two stored records have the same cursor.
  shift = -1
  expect(named((await read({ first: SIZE, after: '2' }, false)).edges)[0]).toBe('d4')
  expect(await codeOf({ first: SIZE, after: first.page_info.end_cursor ?? '' }, true)).toBe('gateway_unavailable')
})
