import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { SHOWN_DAYS } from '#lib/contract/operate/exceptions.ts'
import { FLAVOURS } from '../../store/testing/test-databases.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import type { Tally } from '../../store/tables/tallies.ts'
import { createLastDays } from './last-days.ts'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 9, 27, 12)

const tally = (slot_ms: number, amount: string, more: Partial<Tally> = {}): Tally => ({
  ...{ slot_ms, kind: 'deposit', currency_code: 'USDT', network: 'Tron', count: 1, amount: decimal(amount) },
  ...more,
})

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { clock: () => NOON })
  const read = (time_zone = 'UTC') => createLastDays({ store: stores.one, clock: () => NOON })({ time_zone })

  test('each day has its own sums, in the order of days and currencies', async () => {
    await stores.one.tallies.put(
      [
        tally(NOON, '0.000000000000000001'),
        tally(NOON - 900_000, '123456789012345678.5', { count: 2 }),
        tally(NOON - DAY, '3', { kind: 'payout' }),
        tally(NOON - 6 * DAY, '4', { currency_code: 'BTC', network: 'Bitcoin', kind: 'onramp' }),
        tally(NOON - 7 * DAY, '5'),
      ],
      [],
    )
    const { days, currencies } = await read()
    expect(days).toHaveLength(SHOWN_DAYS)
    expect([days[0], days.at(-1)]).toEqual(['2026-10-21T00:00:00.000Z', '2026-10-27T00:00:00.000Z'])
    expect(currencies.map(({ currency_code }) => currency_code)).toEqual(['BTC', 'USDT'])
    const sums = currencies.map(({ deposits, withdrawals, purchases }) =>
      [deposits, withdrawals, purchases].map((all) => all.map(({ sum }) => sum)),
    )
    const none = ['0', '0', '0', '0', '0', '0', '0']
    expect(sums).toEqual([
      [none, none, ['4', ...none.slice(1)]],
      [[...none.slice(1), '123456789012345678.500000000000000001'], [...none.slice(2), '3', '0'], none],
    ])
    expect(currencies[1]?.deposits.at(-1)?.count).toBe(3)
  })

  test('past days are read again after ten minutes, and this day at once', async () => {
    let now = NOON
    const readAgain = createLastDays({ store: stores.one, clock: () => now })
    const sumsOf = async () =>
      (await readAgain({ time_zone: 'UTC' })).currencies.map(({ deposits }) => deposits.map(({ sum }) => sum).slice(-2))
    await stores.one.tallies.put([tally(NOON, '1'), tally(NOON - DAY, '2')], [])
    expect(await sumsOf()).toEqual([['2', '1']])
    await stores.one.tallies.put([tally(NOON, '3'), tally(NOON - DAY, '4')], [])
    now += 600_000
    expect(await sumsOf()).toEqual([['2', '3']])
    now += 1
    expect(await sumsOf()).toEqual([['4', '3']])
  })

  test('the days are those of the time zone, also where a clock was changed', async () => {
    expect((await read('Europe/Berlin')).days).toEqual([
      '2026-10-20T22:00:00.000Z',
      '2026-10-21T22:00:00.000Z',
      '2026-10-22T22:00:00.000Z',
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      '2026-10-26T23:00:00.000Z',
    ])
    expect((await read()).currencies).toEqual([])
  })
})
