import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { coveredPurchases } from './covered-purchases.ts'

const transfer = (name: string, amount: string, key: string | null = null, session: string | null = name) => ({
  transaction_uuid: name,
  correlation_key: key,
  onramp_session_id: session,
  amount: decimal(amount),
})
type Transfer = ReturnType<typeof transfer>

const five = transfer('five', '5')
const seven = transfer('seven', '7')
const deposits = (...amounts: string[]): readonly Transfer[] =>
  amounts.map((amount, at) => transfer(`d${String(at)}`, amount, null, null))

test.each<[string, readonly Transfer[], readonly Transfer[], readonly string[]]>([
  ['no deposit', [five, seven], [], []],
  ['one purchase, whatever arrived', [five], deposits('0.1'), ['five']],
  ['one deposit of both', [five, seven], deposits('12'), ['five', 'seven']],
  ['one deposit of both, less a fee', [five, seven], deposits('11.2'), ['five', 'seven']],
  ['the deposit of the first alone', [five, seven], deposits('5'), ['five']],
  ['the deposit of the second alone', [five, seven], deposits('7'), ['seven']],
  ['the deposit of the second, less a fee', [five, seven], deposits('6.9'), ['seven']],
  ['an amount between both: less is credited', [five, seven], deposits('6'), ['seven']],
  ['a deposit for each, whatever arrived', [five, seven], deposits('0.1', '0.1'), ['five', 'seven']],
  ['two deposits of three', [five, seven, transfer('nine', '9')], deposits('5', '9'), ['five', 'nine']],
  [
    'two deposits, one of them of two',
    [five, seven, transfer('nine', '9')],
    deposits('12', '9'),
    ['five', 'nine', 'seven'],
  ],
  ['a deposit with a purchase’s own id', [five, seven], [transfer('five', '7', null, null)], ['five']],
  ['a deposit with a purchase’s key', [transfer('five', '5', 'k'), seven], [transfer('d', '7', 'k', null)], ['five']],
  ['a deposit whose key names one session', [five, seven], [transfer('d', '7', 'k', 'five')], ['five']],
  ['a deposit whose key names a session that has no purchase here', [seven], [transfer('d', '7', 'k', 'five')], []],
  [
    'such a deposit, and one without a key',
    [five, seven, transfer('nine', '9')],
    [transfer('d', '9', 'k', 'five'), transfer('e', '8.9', null, null)],
    ['five', 'nine'],
  ],
  [
    'a purchase that a session names twice',
    [five, transfer('again', '5', null, 'five'), seven],
    deposits('5'),
    ['five'],
  ],
])('%s', (_name, purchases, arrived, covered) => {
  for (const order of [purchases, purchases.toReversed()])
    expect([...coveredPurchases(order, arrived)].sort()).toEqual(covered)
})

test('with more purchases than can be told apart, the deposit stands for all', () => {
  const many = Array.from({ length: 13 }, (_item, at) => transfer(`p${String(at)}`, '1'))
  expect(coveredPurchases(many, deposits('1')).size).toBe(13)
  expect(coveredPurchases(many.slice(1), deposits('1')).size).toBe(1)
})
