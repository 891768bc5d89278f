import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { USUAL_CURRENCIES } from '../currencies/catalogue.ts'
import { openDatabase } from '../state/database.ts'
import type { Database } from '../state/database.ts'
import { insertTransaction } from '../state/transactions.ts'
import type { Transaction, TransactionType } from '../state/transactions.ts'
import { encodeCursor, decodeCursor } from './cursor.ts'
import type { CursorPosition } from './cursor.ts'
import { pageOfTransactions } from './page-of-transactions.ts'

const ROWS = 40
let database: Database
/** Newest first; several rows share a millisecond. */
let all: readonly Transaction[]

beforeAll(() => {
  database = openDatabase(':memory:')
  const made = Array.from({ length: ROWS * 2 }, (_item, at) =>
    insertTransaction(database, {
      uuid: `uuid-${at}`,
      merchant_id: 'm',
      user_reference: at % 2 === 0 ? 'ours' : 'theirs',
      type: at % 3 === 0 ? 'Payout' : 'Deposit',
      status: 'TXN_NEW',
      amount: '1',
      currency_id: USUAL_CURRENCIES[0]!.id,
      from_address: null,
      to_address: 'a',
      tx_hash: null,
      provider_transaction_id: null,
      requires_approval: false,
      inserted_at: Math.floor(at / 5) * 1000,
    }),
  )
  all = made.filter(({ user_reference }) => user_reference === 'ours').toReversed()
})

afterAll(() => database.close())

const place = ({ inserted_at, seq }: Transaction): CursorPosition => ({ insertedAt: inserted_at, seq })
const position = fc.option(fc.nat(ROWS - 1), { nil: null })
const someTypes = fc.subarray<TransactionType>(['Deposit', 'Payout'])

test('a page equals a slice of the whole list', () => {
  fc.assert(
    fc.property(
      position,
      position,
      fc.integer({ min: 1, max: ROWS + 5 }),
      fc.boolean(),
      someTypes,
      (after, before, count, newest, types) => {
        const listed = all.filter(({ type }) => types.length === 0 || types.includes(type))
        const within = listed.filter(
          (row) => (after === null || all.indexOf(row) > after) && (before === null || all.indexOf(row) < before),
        )
        const expected = newest ? within.slice(0, count) : within.slice(-count)
        const page = pageOfTransactions(
          database,
          { merchantId: 'm', userReference: 'ours', types, span: null },
          {
            after: after === null ? null : place(all[after]!),
            before: before === null ? null : place(all[before]!),
            count,
            from: newest ? 'newest' : 'oldest',
          },
        )
        expect(page.rows.map(({ uuid }) => uuid)).toEqual(expected.map(({ uuid }) => uuid))
        expect(page.total).toBe(listed.length)
        if (expected.length > 0) {
          expect(page.hasNext).toBe(listed.indexOf(expected.at(-1)!) < listed.length - 1)
          expect(page.hasPrevious).toBe(listed.indexOf(expected[0]!) > 0)
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('a cursor is read back, and other texts are refused', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (insertedAt, seq) => {
      expect(decodeCursor(encodeCursor({ insertedAt, seq }))).toEqual({ insertedAt, seq })
    }),
  )
  expect(
    [
      '',
      'x',
      'MQ',
      `${encodeCursor({ insertedAt: 1, seq: 2 })}=`,
      encodeCursor({ insertedAt: 1, seq: 2 }).slice(1),
    ].map(decodeCursor),
  ).toEqual(Array(5).fill(null))
})
