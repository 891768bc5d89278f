import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { Store } from '../store/port.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { checkBooks, checkLedger } from './check-ledger.ts'
import { post } from './post-entries.ts'

/** One credit of 1 for each key, to a user of its own. */
const credit = (store: Store, from: number, to: number): Promise<void> =>
  store.transaction(async (tx) => {
    for (let n = from; n <= to; n += 1)
      await post(tx, {
        booking: 'credit',
        posting_key: `credit:${String(n).padStart(6, '0')}`,
        user_reference_id: `u${n}`,
        currency_id: 'c1',
        amount: decimal('1'),
      })
  })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  test('a check sees one state of the books, while others go on writing', { timeout: 60_000 }, async () => {
    const { one } = stores
    await credit(one, 1, 1500)
    const written: number[] = []
    const report = await one.snapshot((books) => {
      /** Writes between the pages that the check reads: before their place, and after it. */
      async function* meanwhile<Row>(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
        for await (const page of pages) {
          const n = 2000 + written.length
          written.push(n)
          await credit(one, n, n)
          await one.transaction((tx) =>
            post(tx, {
              booking: 'adjustment',
              posting_key: `adjustment:${n}`,
              user_reference_id: 'u1500',
              currency_id: 'c1',
              amount: decimal('1'),
            }),
          )
          yield page
        }
      }
      return checkBooks({
        ...books,
        entries: () => meanwhile(books.entries()),
        holds: () => meanwhile(books.holds()),
        balances: () => meanwhile(books.balances()),
      })
    })
    expect(report).toEqual({ ok: true, faults: [], allowedOverdrafts: {}, postings: 1500, balances: 1500 })
    expect(written.length).toBeGreaterThan(3)
    expect(await checkLedger(one)).toMatchObject({ ok: true, postings: 1500 + 2 * written.length })
  })

  test('each kind of fault is told', async () => {
    const { one } = stores
    await credit(one, 1, 3)
    const { db } = one.database
    await db
      .updateTable('entries')
      .set({ amount: decimal('2') })
      .where('posting_key', '=', 'credit:000001')
      .where('account', '=', 'available')
      .execute()
    await db
      .updateTable('balances')
      .set({ available: decimal('-1') })
      .where('user_reference_id', '=', 'u2')
      .execute()
    await db.deleteFrom('balances').where('user_reference_id', '=', 'u3').execute()
    const { ok, faults } = await checkLedger(one)
    expect(ok).toBe(false)
    expect(faults.toSorted()).toEqual([
      'posting credit:000001 sums to 1',
      'u1 c1: available 1, entries say 2',
      'u2 c1: available -1, entries say 1',
      'u2 c1: available is below zero: -1',
      'u3 c1: entries or holds, and no balance',
    ])
  })
})
