import { expect, test } from 'vitest'
import type { Decimal } from '#lib/contract/money.ts'
import type { TransactionsList, TransactionsListRequest } from '../gateway/port.ts'
import { scanList, type Edge } from './scan-user-list.ts'

const edge = (index: number): Edge => ({
  cursor: `c${index}`,
  inserted_at: new Date(1_000_000_000_000 - index * 60_000).toISOString(),
  node: {
    transaction_uuid: `u${index}`,
    type: 'Deposit',
    status: 'TXN_NEW',
    merchant_status: null,
    amount: '1' as Decimal,
    amount_usd: null,
    currency: {
      id: 'c',
      code: 'c',
      name: 'c',
      symbol: 'c',
      network: 'n',
      currency_icon: null,
      network_icon: null,
      token_address: null,
    },
    correlation_key: null,
    from_address: null,
    to_address: null,
    tx_hash: null,
    provider_transaction_id: null,
    provider_wallet_reference: null,
    trn_provider_ref: null,
    failure_reason: null,
    transaction_data: {},
    user_ref_id: 'user_1',
    inserted_at: new Date(1_000_000_000_000 - index * 60_000).toISOString(),
    updated_at: null,
    completed_at: null,
  },
})

const ALL = Array.from({ length: 250 }, (_, index) => edge(index))

/** A gateway that pages truly, but for what `spoil` does to a page. */
const gateway = (spoil: (page: TransactionsList, number: number) => TransactionsList = (page) => page) => {
  let number = 0
  return {
    listUserTransactions: (_user: string, query: TransactionsListRequest = {}): Promise<TransactionsList> => {
      number += 1
      const start = query.after === undefined ? 0 : ALL.findIndex(({ cursor }) => cursor === query.after) + 1
      const edges = ALL.slice(start, start + (query.first ?? 20))
      const page: TransactionsList = {
        edges,
        page_info: {
          start_cursor: edges[0]?.cursor ?? null,
          end_cursor: edges.at(-1)?.cursor ?? null,
          has_next_page: start + edges.length < ALL.length,
          has_previous_page: start > 0,
        },
        total_count: ALL.length,
      }
      return Promise.resolve(spoil(page, number))
    },
  }
}

const without = (page: TransactionsList, count: number): TransactionsList => ({
  ...page,
  edges: page.edges.slice(count),
})

test('every page read and every record counted is a complete scan', async () => {
  const scan = await scanList(gateway(), 'user_1')
  expect(scan.complete).toBe(true)
  expect(scan.edges).toHaveLength(250)
})

test.each<[string, (page: TransactionsList, number: number) => TransactionsList]>([
  ['fewer records than counted', (page, number) => (number === 2 ? without(page, 1) : page)],
  ['a count that changes', (page, number) => ({ ...page, total_count: page.total_count + (number === 3 ? 1 : 0) })],
  [
    'a cursor that comes twice',
    (page) => ({ ...page, page_info: { ...page.page_info, end_cursor: 'c99', has_next_page: true } }),
  ],
  ['an empty page that goes on', (page, number) => (number === 2 ? without(page, 100) : page)],
  ['no end in sight', (page) => ({ ...page, page_info: { ...page.page_info, has_next_page: true } })],
])('%s is not a complete scan', async (_, spoil) => {
  expect((await scanList(gateway(spoil), 'user_1')).complete).toBe(false)
})

test('smaller pages than asked for are read all the same', async () => {
  const clamped = gateway()
  const small = {
    listUserTransactions: (user: string, query: TransactionsListRequest = {}) =>
      clamped.listUserTransactions(user, { ...query, first: 7 }),
  }
  expect(await scanList(small, 'user_1')).toMatchObject({ complete: true })
})

test('a scan since a time stops behind it and proves no absence', async () => {
  const scan = await scanList(gateway(), 'user_1', { sinceMs: 1_000_000_000_000 - 10 * 60_000 })
  expect(scan.edges).toHaveLength(200)
  expect(scan.complete).toBe(false)
})
