import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { isProblem } from '#lib/contract/problems.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createTellRates } from './tell-rates.ts'

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { clock: () => 1000 })

  test('the rates replace all that were told before, and nothing of a request with an unknown currency', async () => {
    const currency = (id: string) => ({ id, name: id, currency_code: id, symbol: '', network: 'Tron' })
    await seed(stores.one, { currencies: [currency('C1'), currency('C2')] })
    let count = 0
    const tell = createTellRates(stores.one, () => (count += 1))
    const told = async () =>
      (await stores.one.measurements.all()).map((row) => [row.currency_id, row.measure, row.meaning, row.samples])

    const rates = { C1: decimal('7'), C2: decimal('1.5') }
    expect(await tell({ rates })).toEqual({ rates, told_at: '1970-01-01T00:00:01.000Z' })
    expect(await told()).toEqual([
      ['C1', 'told_rate', 'c1@tron', '[[1000,"7"]]'],
      ['C2', 'told_rate', 'c2@tron', '[[1000,"1.5"]]'],
    ])
    await expect(tell({ rates: { C1: decimal('9'), C3: decimal('7') } })).rejects.toSatisfy(
      (error) => isProblem(error) && Object.keys(error.extras.errors ?? {}).join() === 'rates.C3',
    )
    await tell({ rates: { C2: decimal('2') } })
    expect(await told()).toEqual([['C2', 'told_rate', 'c2@tron', '[[1000,"2"]]']])
    await tell({ rates: {} })
    expect([await told(), count]).toEqual([[], 3])
  })
})
