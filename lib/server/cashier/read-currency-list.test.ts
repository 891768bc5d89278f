import { expect, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import type { StoredCurrency } from '../store/types.ts'
import { sampleCurrency } from '../store/testing/sample-rows.ts'
import { readCurrencyList } from './read-currency-list.ts'

const USDT: Currency = sampleCurrency
const ETH: Currency = { ...USDT, currency_code: 'ETH', network: 'Ethereum' }
const BTC: Currency = { ...USDT, currency_code: 'BTC', network: 'Bitcoin' }
const stored = (more: Partial<StoredCurrency> = {}): StoredCurrency => ({
  ...USDT,
  listed: true,
  listed_as: null,
  report: null,
  ...more,
})

/** What becomes of the currency when the list has it so. */
const verdict = (before: StoredCurrency | null, listed: Currency): string => {
  const { offered, changed, readdressed } = readCurrencyList([listed], before === null ? [] : [before])
  return [offered.length > 0 && 'offered', readdressed.length > 0 && 'readdressed', changed.length > 0 && 'changed']
    .filter((word) => word !== false)
    .join(' ')
}

test.each<[string, StoredCurrency | null, Currency, string]>([
  ['a new id', null, ETH, 'offered'],
  ['the same', stored(), USDT, 'offered'],
  ['another case', stored(), { ...USDT, currency_code: 'usdt', network: 'TRON' }, 'offered'],
  ['another code', stored(), { ...USDT, currency_code: 'USDT0' }, 'offered readdressed'],
  ['another name of the network', stored(), { ...USDT, network: 'TRC20' }, 'offered'],
  ['another network', stored(), { ...USDT, network: 'Ethereum' }, 'offered readdressed'],
  ['another code and network', stored(), ETH, 'changed'],
  ['another code and network than webhooks said', stored({ listed: false }), ETH, 'changed'],
  ['the reported meaning', stored({ listed_as: ETH, report: 1 }), ETH, ''],
  ['the old meaning again', stored({ listed_as: ETH, report: 1 }), USDT, ''],
  ['a third meaning', stored({ listed_as: ETH, report: 1 }), BTC, 'changed'],
  ['the reported meaning after the dismissal', stored({ listed_as: ETH }), ETH, 'offered readdressed'],
  ['the old meaning after the dismissal', stored({ listed_as: ETH }), USDT, 'offered'],
  ['a third meaning after the dismissal', stored({ listed_as: ETH }), BTC, 'changed'],
])('%s', (_what, before, listed, expected) => {
  expect(verdict(before, listed)).toBe(expected)
})

test('the reported meaning after the dismissal, while money is held under the old one', () => {
  const { offered, changed, readdressed } = readCurrencyList([ETH], [stored({ listed_as: ETH })], new Set([ETH.id]))
  expect([offered, changed.length, readdressed]).toEqual([[], 1, []])
})

test('two ids that were exchanged are both reported', () => {
  const other = stored({ ...ETH, id: 'c2' })
  const { offered, changed } = readCurrencyList(
    [
      { ...ETH, id: 'c1' },
      { ...USDT, id: 'c2' },
    ],
    [stored(), other],
  )
  expect(offered).toEqual([])
  expect(changed.map(({ listed }) => listed.id)).toEqual(['c1', 'c2'])
})

test.each<[string, Partial<Currency>]>([
  ['code', { currency_code: 'TRX' }],
  ['network', { network: 'Ethereum' }],
])(
  'two ids that were exchanged and differ in their %s alone are both reported, and taken once dismissed',
  (_what, more) => {
    const [one, two] = [stored(), stored({ ...more, id: 'c2' })]
    const list: readonly Currency[] = [
      { ...USDT, ...more, id: 'c1' },
      { ...USDT, id: 'c2' },
    ]
    const { offered, changed } = readCurrencyList(list, [one, two])
    expect([offered, changed.map(({ listed }) => listed)]).toEqual([[], list])
    const dismissed = [one, two].map((row, at) => ({ ...row, listed: false, listed_as: list[at] ?? null }))
    expect(readCurrencyList(list, dismissed)).toMatchObject({ offered: list, readdressed: ['c1', 'c2'], changed: [] })
  },
)
