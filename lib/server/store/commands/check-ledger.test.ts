import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { Store } from '../types.ts'
import { seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import type { BookingRequest } from '../../ledger/accounts.ts'
import { checkLedger } from './check-ledger.ts'

const bookingOf = (booking: 'credit' | 'adjustment', key: string, user: string): BookingRequest => ({
  booking,
  posting_key: `${booking}:${key}`,
  user_reference_id: user,
  currency_id: 'c1',
  amount: decimal('1'),
})

/** One credit of 1 for each key, each for another user. */
const credit = (store: Store, from: number, to: number): Promise<void> =>
  seed(store, {
    bookings: Array.from({ length: to - from + 1 }, (_item, index) =>
      bookingOf('credit', String(from + index).padStart(6, '0'), `u${from + index}`),
    ),
  })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })

  test('a check sees one state of the ledger while others write', async () => {
    const { one } = stores
    await credit(one, 1, 1500)
    const written: number[] = []
    const report = await one.snapshot((ledger) => {
      /** Writes between the pages that the check reads: before its position, and after it. */
      async function* meanwhile<Row>(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
        for await (const page of pages) {
          const n = 2000 + written.length
          written.push(n)
          await credit(one, n, n)
          await seed(one, { bookings: [bookingOf('adjustment', String(n), 'u1500')] })
          yield page
        }
      }
      return checkLedger({
        ...ledger,
        entries: () => meanwhile(ledger.entries()),
        holds: () => meanwhile(ledger.holds()),
        balances: () => meanwhile(ledger.balances()),
      })
    })
    expect(report).toEqual({ ok: true, faults: [], allowedOverdrafts: {}, postings: 1500, balances: 1500 })
    expect(written.length).toBeGreaterThan(3)
    expect(await one.snapshot(checkLedger)).toMatchObject({ ok: true, postings: 1500 + 2 * written.length })
  })

  test('each kind of fault is reported', async () => {
    const { one } = stores
    await credit(one, 1, 3)
    const { db } = one.database
    await db
      .updateTable('postings')
      .set({ amount: decimal('2') })
      .where('posting_key', '=', 'credit:000001')
      .execute()
    await db
      .updateTable('balances')
      .set({ available: decimal('3') })
      .where('user_reference_id', '=', 'u2')
      .execute()
    await db.deleteFrom('balances').where('user_reference_id', '=', 'u3').execute()
    const { ok, faults } = await one.snapshot(checkLedger)
    expect(ok).toBe(false)
    expect(faults.toSorted()).toEqual([
      'u1 c1: available 1, entries say 2',
      'u2 c1: available 3, entries say 1',
      'u3 c1: entries or holds without a balance',
    ])
  })
})
