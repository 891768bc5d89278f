import { describe, expect, test } from 'vitest'
import type { CLAUSES } from './oracle.ts'
import { ASYNCHRONOUS_CLAUSES, judge, millionths, type Books, type Observations, type ToldEvent } from './oracle.ts'

/** A signed webhook of `told`, and a withdrawal of `payer` that was paid from a deposit. */
const SOUND: Observations = {
  unrest: [],
  webhooks: [{ uuid: 'w1', user: 'told', amount: '0.5' }],
  deposits: [{ uuid: 'd1', user: 'payer', amount: '100' }],
  withdrawals: [{ key: 'k1', user: 'payer', amount: '1.20010', ids: ['i1', 'i1'], refused: false }],
  calls: [{ user: 'payer', amount: '1.2001' }],
  payouts: [{ uuid: 'p1', user: 'payer', amount: '1.2001', succeeded: true }],
  streams: [
    {
      user: 'told',
      shown: [],
      events: [
        { id: '1', type: 'transaction', about: 'w1', withdrawalId: null, status: 'succeeded' },
        { id: '2', type: 'balance', about: null, withdrawalId: null, status: null },
      ],
    },
  ],
  books: {
    withdrawals: [{ id: 'i1', user: 'payer', amount: '1.2001', status: 'succeeded', transactionUuid: 'p1' }],
    balances: new Map([
      ['told', '0.5'],
      ['payer', '98.7999'],
    ]),
    entries: [
      {
        user: 'told',
        reason: 'deposit',
        account: 'available',
        amount: '0.5',
        transactionUuid: 'w1',
        withdrawalId: null,
      },
      {
        user: 'payer',
        reason: 'deposit',
        account: 'available',
        amount: '100',
        transactionUuid: 'd1',
        withdrawalId: null,
      },
    ],
    feed: [
      { number: 1, user: 'told', about: 'w1', status: 'succeeded' },
      { number: 2, user: 'payer', about: 'd1', status: 'succeeded' },
      { number: 3, user: 'payer', about: 'p1', status: 'succeeded' },
    ],
    openPayouts: [],
    promotions: 0,
    ledgerFaults: [],
  },
}

const withBooks = (books: Partial<Books>): Observations => ({ ...SOUND, books: { ...SOUND.books, ...books } })
const clausesOf = (seen: Observations, clauses?: typeof ASYNCHRONOUS_CLAUSES): readonly string[] => [
  ...new Set(judge(seen, clauses).map((line) => line.split(': ')[0] ?? '')),
]
const twice = <T>(items: readonly T[]): readonly T[] => [...items, ...items]
const { books } = SOUND
const [withdrawal] = books.withdrawals
const [stream] = SOUND.streams

test('a sound run has no fault', () => {
  expect(judge(SOUND)).toEqual([])
  expect(judge(SOUND, ASYNCHRONOUS_CLAUSES)).toEqual([])
})

test.each<[keyof typeof CLAUSES, Observations]>([
  ['all is at rest', { ...SOUND, unrest: ['requests'] }],
  ['an acknowledged webhook is in the feed', withBooks({ feed: books.feed.slice(1) })],
  ['an acknowledged withdrawal is known, under one id', withBooks({ withdrawals: [] })],
  [
    'an acknowledged withdrawal is known, under one id',
    { ...SOUND, withdrawals: [{ ...SOUND.withdrawals[0]!, ids: ['i1', 'i2'] }] },
  ],
  ['a withdrawal is stored once', withBooks({ withdrawals: twice(books.withdrawals) })],
  ['a withdrawal calls the gateway at most once', { ...SOUND, calls: twice(SOUND.calls) }],
  [
    'a refused withdrawal calls nobody',
    { ...SOUND, withdrawals: [{ ...SOUND.withdrawals[0]!, ids: [], refused: true }] },
  ],
  [
    'a payout belongs to one withdrawal of its amount',
    withBooks({ withdrawals: [{ ...withdrawal!, transactionUuid: null }] }),
  ],
  ['a payout belongs to one withdrawal of its amount', withBooks({ withdrawals: [{ ...withdrawal!, amount: '2' }] })],
  [
    'a withdrawal succeeded exactly if its payout did',
    withBooks({ withdrawals: [{ ...withdrawal!, status: 'failed' }] }),
  ],
  ['a withdrawal has ended', withBooks({ withdrawals: [{ ...withdrawal!, status: 'unknown' }] })],
  ['a deposit is booked once', withBooks({ entries: books.entries.slice(1) })],
  ['a deposit is booked once', withBooks({ entries: twice(books.entries) })],
  ['a deposit is booked once', { ...SOUND, deposits: [] }],
  ['a balance is what came in less what was paid', withBooks({ balances: new Map([['payer', '100']]) })],
  ['the ledger is consistent', withBooks({ ledgerFaults: ['differs'] })],
  ['the feed has no gap and nothing twice', withBooks({ feed: books.feed.slice(0, 1).concat(books.feed.slice(2)) })],
  [
    'the feed has no gap and nothing twice',
    withBooks({ feed: [...books.feed, { number: 4, user: 'told', about: 'w1', status: 'succeeded' }] }),
  ],
  ['a stream has no gap', { ...SOUND, streams: [{ ...stream!, events: twice(stream!.events) }] }],
  [
    'a stream has no gap',
    { ...SOUND, streams: [{ ...stream!, events: stream!.events.map((event) => ({ ...event, type: 'reset' })) }] },
  ],
  ['a stream tells what the feed tells', { ...SOUND, streams: [{ user: 'told', events: [], shown: [] }] }],
])('%s', (clause, seen) => {
  expect(clausesOf(seen)).toContain(clause)
})

test('after commits were lost a payout must be known or reported, and a withdrawal may be unknown', () => {
  const lost = withBooks({ withdrawals: [] })
  expect(clausesOf(lost, ASYNCHRONOUS_CLAUSES)).toEqual(['a payout belongs to a withdrawal or is reported'])
  expect(judge(withBooks({ withdrawals: [], openPayouts: ['p1'] }), ASYNCHRONOUS_CLAUSES)).toEqual([])
  expect(clausesOf({ ...SOUND, calls: twice(SOUND.calls) }, ASYNCHRONOUS_CLAUSES)).toEqual([
    'a withdrawal calls the gateway at most once',
  ])
})

describe('after a promotion', () => {
  const [first, second] = stream!.events
  const after = (events: readonly Partial<ToldEvent>[], shown: readonly string[] = []): Observations => ({
    ...withBooks({
      promotions: 1,
      feed: books.feed.map((event, at) => ({ ...event, number: event.number + (at > 0 ? 1_000_000 : 0) })),
    }),
    streams: [{ user: 'told', events: events.map((event) => ({ ...second!, ...event })), shown }],
  })
  const lost = { id: '1', type: 'transaction', about: 'gone', status: 'succeeded' }

  test('a stream may have told what is lost, if it starts over', () => {
    expect(judge(after([lost, { id: '70', type: 'reset' }, { ...first!, id: '71' }]))).toEqual([])
    expect(judge(after([lost, { id: '70', type: 'reset' }], ['w1']))).toEqual([])
  })

  test.each<[keyof typeof CLAUSES, Observations]>([
    ['a stream tells what the feed tells', after([first!, { ...lost, id: '2' }])],
    ['a stream tells what the feed tells', after([{ id: '70', type: 'reset' }])],
    ['a stream has no gap', after([{ ...first!, id: '71' }])],
    ['the feed has no gap and nothing twice', { ...after([first!]), books: { ...after([]).books, promotions: 0 } }],
  ])('%s', (clause, seen) => {
    expect(clausesOf(seen)).toEqual([clause])
  })
})

test('amounts are compared as decimals, without rounding', () => {
  expect(millionths('1.20')).toBe(1_200_000n)
  expect(millionths('-0.000001')).toBe(-1n)
  expect(millionths('9007199254740993.5')).toBe(9_007_199_254_740_993_500_000n)
  for (const text of ['', '1.', '1e3', '0.0000001']) expect(() => millionths(text)).toThrow('not an amount')
})
