import { describe, expect, test } from 'vitest'
import { decimal, ZERO } from '#lib/contract/money.ts'
import { sampleCurrency, sampleOperator } from '../../store/testing/sample-rows.ts'
import { seed } from '../../store/testing/seed.ts'
import { FLAVOURS } from '../../store/testing/test-databases.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import { createBookTotalsJob } from './book-totals-job.ts'
import { createDayNumbers } from './day-numbers.ts'

const NOON = Date.UTC(2026, 10, 27, 12)
const differing = (...gateway: readonly string[]): string =>
  JSON.stringify(
    gateway.map((amount, at) => ({
      ...{ kind: 'deposit', transaction_uuid: `t${at}`, withdrawal_id: null },
      ...{ gateway: amount, ledger: '0' },
    })),
  )
const onFault = (error: unknown): never => {
  throw error
}

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { clock: () => NOON, partitioned: true })

  test('balances and control totals of all users, page by page', async () => {
    const { one } = stores
    const job = createBookTotalsJob({ store: one, holder: 'i1', clock: () => NOON, onFault })
    await job.runOnce()
    expect(await one.bookTotals.all()).toEqual([])
    await one.operators.add(sampleOperator)
    await seed(one, { currencies: [sampleCurrency] })
    const users = Array.from({ length: 1203 }, (_item, at) => `u-${at}`)
    const balance = { currency_id: 'c1', available: '0.000000000000000001', held: '2', overdraft: null }
    const total = { currency_id: 'c1', gateway: '3.5', ledger: '3', difference: '0', transactions: '[]', checked_ms: 1 }
    for (let at = 0; at < users.length; at += 100) {
      const some = users.slice(at, at + 100)
      const rows = (row: object) => some.map((user_reference_id) => ({ ...row, user_reference_id })) as never[]
      await one.database.db.insertInto('balances').values(rows(balance)).execute()
      await one.database.db.insertInto('control_totals').values(rows(total)).execute()
    }
    await one.transaction((tx) =>
      tx.controlTotals.replace(
        'u-7',
        [
          {
            currency_id: 'c1',
            gateway: decimal('4'),
            ledger: decimal('3'),
            difference: decimal('1'),
            transactions: differing('1'),
          },
        ],
        2,
      ),
    )
    const together = { gateway: decimal('3.5'), ledger: decimal('3.5'), difference: ZERO }
    await one.transaction((tx) =>
      tx.controlTotals.replace('u-8', [{ currency_id: 'c1', ...together, transactions: differing('1', '-1') }], 2),
    )
    expect(await job.runOnce()).toBeGreaterThanOrEqual(60_000)
    const day = await createDayNumbers({ store: one, clock: () => NOON })({ time_zone: 'UTC' })
    expect(day).toMatchObject({
      totals_at: '2026-11-27T12:00:00.000Z',
      currencies: [
        {
          currency_code: 'USDT',
          network: 'Tron',
          balances: '2406.000000000000001203',
          held: '2406',
          gateway: '4211',
          ledger: '3609.5',
          // Two differences of opposite amounts, too.
          differing: 2,
        },
      ],
    })
  })
})
