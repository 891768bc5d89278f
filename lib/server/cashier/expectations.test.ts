import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { ValidationError } from '../gateway/errors.ts'
import { writeSamples } from '../measures/samples.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { CashierSession, Measure } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { createExpectations, type ExpectationsOptions } from './expectations.ts'

const DAY_MS = 86_400_000
const USDT = { id: 'C1', name: 'Tether', currency_code: 'USDT', symbol: '', network: 'Tron' }
const session = { currency_ids: null } as CashierSession

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = 10 * DAY_MS
  const stores = useStores(flavour, { clock: () => now })
  const newExpectations = (options: Partial<ExpectationsOptions> = {}) =>
    createExpectations({
      store: stores.one,
      currencies: { list: () => Promise.resolve([USDT]) } as unknown as CurrencyCache,
      withdrawalLimits: new Map(),
      values: true,
      clock: () => now,
      ...options,
    })
  const put = (measure: Measure, values: readonly string[], at_ms = now, meaning = 'usdt@tron') =>
    stores.one.measurements.put([
      {
        currency_id: 'C1',
        measure,
        meaning,
        samples: writeSamples(values.map((value) => ({ at_ms, value }))),
        updated_ms: now,
      },
    ])
  const empty = { currency_id: 'C1', currency_code: 'USDT', network: 'Tron', withdrawal: {}, deposit: {} }

  test('a currency of which nothing is known is left out', async () => {
    expect(await newExpectations().list(session)).toEqual([])
  })

  test('the median rate of the last day, unless the merchant told one; nothing without values', async () => {
    await put('rate', ['1', '3', '2'])
    const rate = { usd: '2', at: new Date(now).toISOString() }
    expect(await newExpectations().list(session)).toEqual([{ ...empty, rate }])
    expect(await newExpectations({ values: false }).list(session)).toEqual([])

    const expectations = newExpectations()
    await expectations.list(session)
    await put('told_rate', ['7'])
    expectations.forget()
    expect(await expectations.list(session)).toMatchObject([{ rate: { usd: '7' } }])

    now += DAY_MS + 1
    expect(await newExpectations().list(session)).toEqual([])
    now -= DAY_MS + 1
  })

  test('samples of another meaning of the id do not count', async () => {
    await put('rate', ['1'], now, 'btc@bitcoin')
    expect(await newExpectations().list(session)).toEqual([])
  })

  test('usual times by kind', async () => {
    await put('deposit_time', Array<string>(20).fill('180000'))
    await put('payout_time', Array<string>(19).fill('180000'))
    const time = { usual_s: 180, nine_of_ten_s: 180 }
    expect(await newExpectations().list(session)).toEqual([{ ...empty, deposit: { time } }])
  })

  test('limits by id or by code and network; what the gateway refused since wins, for a day', async () => {
    const limits = { min: decimal('10'), max: decimal('50'), fee: decimal('1') }
    for (const name of ['c1', 'usdt@tron', 'usdt@trc20']) {
      const expectations = newExpectations({ withdrawalLimits: new Map([[name, limits]]) })
      expect(await expectations.list(session)).toEqual([{ ...empty, withdrawal: limits }])
    }
    const expectations = newExpectations({ withdrawalLimits: new Map([['c1', limits]]) })
    const row = { currency_id: 'C1', currency_code: 'USDT', network: 'Tron' }
    const refusal = (text: string) => new ValidationError('', { amount: [text] }, { operation: 'withdraw' })
    await expectations.noteRefusal(row, refusal('is too small'))
    expect(await stores.one.measurements.all()).toEqual([])
    await expectations.list(session)
    await expectations.noteRefusal(row, refusal('must be at least 20'))
    expect(await expectations.list(session)).toEqual([{ ...empty, withdrawal: { ...limits, min: '20' } }])
    now += DAY_MS + 1
    expect(await expectations.list(session)).toEqual([{ ...empty, withdrawal: limits }])
    now -= DAY_MS + 1
  })

  test('an instance reads the measurements once in half a minute', async () => {
    const expectations = newExpectations()
    await expectations.list(session)
    await put('rate', ['1'])
    expect(await expectations.list(session)).toEqual([])
    now += 30_000
    expect(await expectations.list(session)).toHaveLength(1)
  })
})
