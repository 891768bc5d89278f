import { expect, test } from 'vitest'
import type { TransactionNode } from '#lib/contract/cashier.ts'
import { toCsv } from './history-csv.ts'
import { historyQuery, readHistoryView } from './history-query.ts'
import { historyDays, historyRow } from './history-rows.ts'

const view = (query: string) => {
  const address = new URLSearchParams(query)
  return readHistoryView((name) => address.get(name))
}

test.each([
  ['', 'first=20'],
  ['type=Deposit', 'first=20&transaction_types=Deposit'],
  ['range=this_month&type=Payout', 'first=20&time_range=this_month&transaction_types=Payout'],
  ['after=c1', 'first=20&after=c1'],
  ['before=c1&range=today', 'last=20&before=c1&time_range=today'],
  ['after=a&before=b', 'first=20&after=a'],
  ['type=Refund&range=ever', 'first=20'],
])('the address %s asks for %s', (address, query) => {
  expect(historyQuery(view(address))).toBe(query)
})

const node = (over: Partial<TransactionNode>): TransactionNode => ({
  transaction_uuid: 't1',
  type: 'Deposit',
  status: 'TXN_NEW',
  merchant_status: null,
  amount: '5',
  amount_usd: null,
  currency: { id: 'c', code: 'USDT', name: 'Tether', symbol: '₮', network: 'Tron' },
  correlation_key: null,
  from_address: null,
  to_address: null,
  tx_hash: null,
  failure_reason: null,
  user_ref_id: 'u',
  inserted_at: '2026-11-20T09:59:00Z',
  updated_at: null,
  completed_at: null,
  cashier_status: 'processing',
  ...over,
})

test.each([
  [{ type: 'Deposit' }, 'deposit', '+'],
  [{ type: 'Payout' }, 'payout', '\u2212'],
  [{ type: 'payout' }, 'payout', '\u2212'],
  [{ type: 'Deposit', session_reference: 's' }, 'onramp', '+'],
  [{ type: 'Chargeback' }, null, null],
])('%o is %s with %s', (over, kind, sign) => {
  const row = historyRow(node(over))
  expect([row.kind, row.money.sign ?? null]).toEqual([kind, sign])
})

const purchase = { type: 'Deposit', session_reference: 's', from_amount: '150', from_currency: 'EUR' } as const
test.each([
  ['before its coins are known', 'pending', '0', { value: '150', code: 'EUR' }, null],
  ['failed before it had any', 'failed', '0.00', { value: '150', code: 'EUR' }, null],
  ['under way', 'processing', '157.95', { value: '157.95', code: 'USDT', sign: '+' }, null],
  ['done', 'succeeded', '157.95', { value: '157.95', code: 'USDT', sign: '+' }, { value: '150', code: 'EUR' }],
] as const)('a purchase %s', (_, cashier_status, amount, money, paid) => {
  const row = historyRow(node({ ...purchase, cashier_status, amount }))
  expect([row.money, row.paid]).toEqual([money, paid])
})

test('a state that nobody knows is neutral, and a row without a transaction has a key', () => {
  const row = historyRow(node({ cashier_status: 'other', transaction_uuid: null, withdrawal_id: 'w1' }))
  expect(row.look.tone).toBe('plain')
  expect(row.key).toBe('w1')
})

test('rows fall into days of the reader', () => {
  const rows = ['2026-11-20T00:30:00Z', '2026-11-19T23:30:00Z', '2026-11-19T01:00:00Z'].map((inserted_at, index) =>
    historyRow(node({ inserted_at, transaction_uuid: String(index) })),
  )
  expect(historyDays(rows, 'UTC').map(({ day, rows: own }) => [day, own.length])).toEqual([
    ['2026-11-20', 1],
    ['2026-11-19', 2],
  ])
  expect(historyDays(rows, 'Asia/Tokyo').map(({ day, rows: own }) => [day, own.length])).toEqual([
    ['2026-11-20', 2],
    ['2026-11-19', 1],
  ])
})

test('CSV quotes what needs it and lets no cell be a formula', () => {
  expect(
    toCsv(
      ['a', 'b'],
      [
        ['1,5', 'say "x"'],
        ['=1+1', '@sum'],
        ['-5', 'plain\nline'],
      ],
    ),
  ).toBe('\ufeffa,b\r\n"1,5","say ""x"""\r\n\'=1+1,\'@sum\r\n\'-5,"plain\nline"\r\n')
})
