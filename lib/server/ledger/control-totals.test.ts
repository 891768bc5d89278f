import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import {
  compareTotals,
  type ControlTotals,
  type GatewayBooking,
  type KnownPayout,
  type ListedTransfer,
  type TotalsRules,
} from './control-totals.ts'
import { reportTotals } from './report-totals.ts'

const DAY = 86_400_000
const NOW = 100 * DAY
const OLD = NOW - 10 * DAY
const USDT = { currency_id: 'c1', currency_code: 'USDT', network: 'Tron' } as const

const withdrawal = {
  id: 'w1',
  transaction_uuid: 'p1',
  amount: decimal('80'),
  funds: 'paid',
  ...USDT,
} as const

const known = (owner: KnownPayout['owner'], more: Partial<KnownPayout> = {}): readonly [string, KnownPayout] => {
  const withdrawal_id = owner === 'withdrawal' ? 'w1' : null
  const one = { transaction_uuid: 'p1', owner, withdrawal_id, unbooked: 0, status: 'succeeded', ...more } as const
  return [one.transaction_uuid, { ...one, amount: decimal('80'), ...USDT }]
}

const rules = (more: Partial<TotalsRules> = {}): TotalsRules => ({
  ...{ nowMs: NOW, ledgerStartMs: 0, overdueMs: DAY, settledBeforeMs: NOW - 60_000 },
  payouts: new Map([known('withdrawal')]),
  withdrawals: new Map([['w1', withdrawal]]),
  ...more,
})

type Listed = Partial<Omit<ListedTransfer, 'amount'>> & { readonly amount?: string }

const listed = ({ amount = '100', ...more }: Listed = {}): ListedTransfer => ({
  ...{ kind: 'deposit', transaction_uuid: 'd1', inserted_ms: OLD, amount: decimal(amount) },
  ...USDT,
  ...more,
})

const booked = (posting_key: string, amount: string, more: Partial<GatewayBooking> = {}): GatewayBooking => ({
  ...{ posting_key, amount: decimal(amount), created_ms: OLD },
  ...USDT,
  ...more,
})

const payout = (amount = '80', transaction_uuid = 'p1') => listed({ kind: 'payout', transaction_uuid, amount })
const credit = booked('credit:deposit:d1', '100')
const debit = booked('payout:w1', '-80')

const shortly = (totals: readonly ControlTotals[]) =>
  totals.map(({ currency_id, gateway, ledger, difference, transactions }) =>
    [
      `${currency_id} ${gateway} ${ledger} ${difference}`,
      ...transactions.map((one) => `${one.kind} ${String(one.transaction_uuid)} ${one.gateway} ${one.ledger}`),
    ].join('; '),
  )

const compare = (
  records: readonly ListedTransfer[],
  bookings: readonly GatewayBooking[],
  more?: Partial<TotalsRules>,
) => shortly(compareTotals('u', records, bookings, rules(more)))

test('what was booked while the clock was a year ahead is compared all the same', () => {
  const created_ms = NOW + 365 * DAY
  expect(compare([], [booked('credit:deposit:d1', '9', { created_ms })])).toEqual(['c1 0 9 -9; deposit d1 0 9'])
  expect(compare([], [booked('credit:onramp:o1', '9', { created_ms })])).toEqual(['c1 0 9 -9; onramp o1 0 9'])
  expect(compare([], [booked('credit:onramp:o1', '9', { created_ms: NOW + DAY - 1 })])).toEqual(['c1 0 0 0'])
})

describe('no difference', () => {
  const renamed = { currency_id: 'c2' }
  test.each<[string, readonly ListedTransfer[], readonly GatewayBooking[], Partial<TotalsRules>, string]>([
    ['a deposit and a payout', [listed(), payout()], [credit, debit], {}, 'c1 20 20 0'],
    ['amounts by value', [listed({ amount: '100.00' })], [credit], {}, 'c1 100 100 0'],
    ['a payout net of a fee', [listed(), payout('79')], [credit, debit], {}, 'c1 20 20 0'],
    ['a payout net of a fee of half', [listed(), payout('40')], [credit, debit], {}, 'c1 20 20 0'],
    ['a currency with a new id', [listed(renamed), payout()], [credit, debit], {}, 'c1 20 20 0'],
    [
      'a payout that a person knows',
      [listed(), payout('80', 'p2')],
      [credit],
      { payouts: new Map([known('acknowledged', { transaction_uuid: 'p2' })]) },
      'c1 100 100 0',
    ],
    [
      'a payout that was acknowledged after a restore, and failed',
      [listed()],
      [credit],
      { payouts: new Map([known('acknowledged', { unbooked: 1, status: 'failed' })]) },
      'c1 100 100 0',
    ],
    ['a payout of a fifth more, because of a fee', [listed(), payout('96')], [credit, debit], {}, 'c1 20 20 0'],
    [
      'a deposit from before',
      [listed(), listed({ transaction_uuid: 'd0', inserted_ms: OLD - 1 })],
      [credit],
      { ledgerStartMs: OLD },
      'c1 100 100 0',
    ],
    [
      'a purchase whose deposit replaced it',
      [listed()],
      [booked('credit:onramp:o1', '99'), booked('reversal:2:onramp:o1', '-99'), credit],
      {},
      'c1 100 100 0',
    ],
    [
      'a deposit that was credited anew, with a uuid like a numbered key',
      [listed({ transaction_uuid: 'd:2' })],
      [booked('credit:deposit:d:2', '90'), booked('credit:2:deposit:d:2', '10')],
      {},
      'c1 100 100 0',
    ],
    [
      'a deposit that was credited anew twice',
      [listed()],
      [booked('credit:deposit:d1', '90'), booked('credit:2:deposit:d1', '11'), booked('reversal:3:deposit:d1', '-1')],
      {},
      'c1 100 100 0',
    ],
    [
      'a purchase that waits for its deposit',
      [listed()],
      [credit, booked('credit:onramp:o1', '9', { created_ms: NOW - DAY + 1 })],
      {},
      'c1 100 100 0',
    ],
    [
      'what was booked while the list was read',
      [],
      [booked('credit:deposit:d1', '9', { created_ms: NOW })],
      {},
      'c1 0 0 0',
    ],
    [
      'a payout of a withdrawal whose books the merchant kept',
      [listed(), payout()],
      [credit],
      { withdrawals: new Map([['w1', { ...withdrawal, funds: 'none' }]]) },
      'c1 100 100 0',
    ],
    [
      'a deposit that an erased user had',
      [listed(), listed({ transaction_uuid: 'd2' })],
      [credit],
      { erased: new Set(['d2']) },
      'c1 100 100 0',
    ],
    [
      'a record of an unknown type that was booked as a deposit',
      [listed({ kind: null })],
      [credit],
      {},
      'c1 100 100 0',
    ],
    ['a record of an unknown type', [listed({ kind: null })], [], {}, ''],
  ])('%s', (_name, records, bookings, more, expected) => {
    expect(compare(records, bookings, more)).toEqual(expected === '' ? [] : [expected])
  })
})

describe('a difference, with its transactions', () => {
  test.each<[string, readonly ListedTransfer[], readonly GatewayBooking[], Partial<TotalsRules>, string]>([
    ['a payout that nobody owns', [listed(), payout('80', 'p2')], [credit], {}, 'c1 20 100 -80; payout p2 -80 0'],
    ['a withdrawal whose payout is not booked', [listed(), payout()], [credit], {}, 'c1 20 100 -80; payout p1 -80 0'],
    [
      'a withdrawal that was paid twice',
      [listed(), payout(), payout('80', 'p2')],
      [credit, debit],
      {},
      'c1 -60 20 -80; payout p2 -80 0',
    ],
    ['a payout of much more', [listed(), payout('101')], [credit, debit], {}, 'c1 -1 20 -21; payout p1 -101 -80'],
    ...(['processing', 'succeeded'] as const).map(
      (status): [string, readonly ListedTransfer[], readonly GatewayBooking[], Partial<TotalsRules>, string] => [
        `a payout that was acknowledged after a restore: ${status}`,
        status === 'succeeded' ? [listed(), payout()] : [listed()],
        [credit],
        { payouts: new Map([known('acknowledged', { unbooked: 1, status })]) },
        'c1 20 100 -80; payout p1 -80 0',
      ],
    ),
    [
      'a payout in another currency than its withdrawal',
      [listed(), { ...payout(), currency_id: 'c2', currency_code: 'ETH', network: 'Ethereum' }],
      [credit, debit],
      {},
      'c1 100 20 80; payout p1 0 -80 | c2 -80 0 -80; payout p1 -80 0',
    ],
    ['a deposit that is not credited', [listed()], [], {}, 'c1 100 0 100; deposit d1 100 0'],
    ['a credit without a record', [], [credit], {}, 'c1 0 100 -100; deposit d1 0 100'],
    ['another amount', [listed({ amount: '100.01' })], [credit], {}, 'c1 100.01 100 0.01; deposit d1 100.01 100'],
    ['a payout that failed later', [listed()], [credit, debit], {}, 'c1 100 20 80; payout p1 0 -80'],
    [
      'a payout of less than half of its debit',
      [listed(), payout('39')],
      [credit, debit],
      {},
      'c1 61 20 41; payout p1 -39 -80',
    ],
    [
      'a purchase whose deposit does not come',
      [],
      [booked('credit:onramp:o1', '9', { created_ms: NOW - DAY })],
      {},
      'c1 0 9 -9; onramp o1 0 9',
    ],
    [
      'a purchase and its deposit, credited both',
      [listed()],
      [credit, booked('credit:onramp:o1', '99')],
      {},
      'c1 100 199 -99; onramp o1 0 99',
    ],
    [
      'a payout that nobody owns, and as much that is not credited',
      [listed(), listed({ transaction_uuid: 'd2', amount: '80' }), payout('80', 'p2')],
      [credit],
      {},
      'c1 100 100 0; deposit d2 80 0; payout p2 -80 0',
    ],
    [
      'a deposit that is credited under the uuid of another',
      [listed({ transaction_uuid: 'd2' })],
      [credit],
      {},
      'c1 100 100 0; deposit d1 0 100; deposit d2 100 0',
    ],
    [
      'a deposit in one currency, credited in another',
      [listed({ currency_id: 'c2', currency_code: 'ETH', network: 'Ethereum' })],
      [credit],
      {},
      'c1 0 100 -100; deposit d1 0 100 | c2 100 0 100; deposit d1 100 0',
    ],
    [
      'an id that means another currency now',
      [listed({ currency_code: 'ETH', network: 'Ethereum' })],
      [credit],
      {},
      'c1 0 100 -100; deposit d1 0 100 | c1 (ETH, Ethereum) 100 0 100; deposit d1 100 0',
    ],
  ])('%s', (_name, records, bookings, more, expected) => {
    expect(compare(records, bookings, more)).toEqual(expected.split(' | '))
  })
})

describe('a person is told', () => {
  const totals = (...records: readonly ListedTransfer[]) =>
    compareTotals('u', records, [credit], rules({ payouts: new Map() }))
  const differs = totals(listed(), payout())
  const told = reportTotals([], differs)

  test('of a new difference', () => {
    expect([told.settled, told.raised.map(({ event }) => JSON.parse(event) as unknown)]).toEqual([
      [],
      [
        {
          ...USDT,
          ...{ gateway: '20', ledger: '100', difference: '-80' },
          transactions: [{ kind: 'payout', transaction_uuid: 'p1', withdrawal_id: null, gateway: '-80', ledger: '0' }],
        },
      ],
    ])
  })

  test('not of the same again, even if the totals have grown', () => {
    const more = compareTotals(
      'u',
      [listed(), payout(), listed({ transaction_uuid: 'd2' })],
      [credit, booked('credit:deposit:d2', '100')],
      rules({ payouts: new Map() }),
    )
    expect(reportTotals(told.rows, more)).toMatchObject({ settled: [], raised: [] })
  })

  test('of a change, in place of the line before', () => {
    for (const changed of [totals(listed(), payout('81')), totals(listed(), payout('80', 'p2'))])
      expect(reportTotals(told.rows, changed)).toMatchObject({ settled: ['c1'], raised: [{ currency_id: 'c1' }] })
  })

  test('of a second fault that makes the sums equal again', () => {
    const both = totals(listed(), payout(), listed({ transaction_uuid: 'd2', amount: '80' }))
    const { settled, raised, rows } = reportTotals(told.rows, both)
    expect([settled, raised.map(({ event }) => JSON.parse(event) as unknown)]).toEqual([
      ['c1'],
      [
        {
          ...USDT,
          ...{ gateway: '100', ledger: '100', difference: '0' },
          transactions: [
            { kind: 'deposit', transaction_uuid: 'd2', withdrawal_id: null, gateway: '80', ledger: '0' },
            { kind: 'payout', transaction_uuid: 'p1', withdrawal_id: null, gateway: '-80', ledger: '0' },
          ],
        },
      ],
    ])
    expect(reportTotals(rows, both)).toMatchObject({ settled: [], raised: [] })
    expect(reportTotals(rows, totals(listed(), payout()))).toMatchObject({
      settled: ['c1'],
      raised: [{ currency_id: 'c1' }],
    })
  })

  test('nothing more once the difference is gone, or the currency', () => {
    expect(reportTotals(told.rows, totals(listed()))).toMatchObject({ settled: ['c1'], raised: [] })
    expect(reportTotals(told.rows, [])).toEqual({ settled: ['c1'], raised: [], rows: [] })
  })

  test('of many transactions with the first 200 of them', () => {
    const many = Array.from({ length: 201 }, (_item, index) => payout('1', `p${index}`))
    const [line] = reportTotals([], totals(listed(), ...many)).raised
    const event = JSON.parse(line?.event ?? '') as { transactions: unknown[]; transactions_left_out: number }
    expect([event.transactions.length, event.transactions_left_out]).toEqual([200, 1])
  })

  test('of two more faults of equal amount first, if one line cannot name all', () => {
    const many = Array.from({ length: 200 }, (_item, index) => payout('1', `p${index}`))
    const { rows } = reportTotals([], totals(listed(), ...many))
    const two = [payout('7', 'q1'), listed({ transaction_uuid: 'd2', amount: '7' })]
    const other = [payout('7', 'q2'), listed({ transaction_uuid: 'd3', amount: '7' })]
    const firstTwo = ({ raised: [line] }: ReturnType<typeof reportTotals>) => {
      const { transactions } = JSON.parse(line?.event ?? '') as { transactions: { transaction_uuid: string }[] }
      return transactions.slice(0, 2).map(({ transaction_uuid }) => transaction_uuid)
    }
    const more = reportTotals(rows, totals(listed(), ...many, ...two))
    expect(firstTwo(more).sort()).toEqual(['d2', 'q1'])
    expect(firstTwo(reportTotals(more.rows, totals(listed(), ...many, ...other))).sort()).toEqual(['d3', 'q2'])
  })
})
