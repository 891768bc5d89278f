import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { needsTwoPersons } from './two-persons.ts'

const above = { USDT: '1000', '*': '5' }

test.each([
  [above, 'USDT', ['1000'], false],
  [above, 'usdt', ['1000.000000000000000001'], true],
  [above, 'USDT', ['1', '1001'], true],
  [above, 'BTC', ['5'], false],
  [above, 'BTC', ['5.1'], true],
  [{ USDT: '1' }, 'BTC', ['99999'], false],
  [{}, 'USDT', ['99999'], false],
  [{ '*': '0' }, 'constructor', ['0'], false],
] as const)('above %j, %s of %j: %s', (limits, code, amounts, expected) => {
  expect(needsTwoPersons(limits, code, ...amounts.map((amount) => decimal(amount)))).toBe(expected)
})

test('an amount that nobody knows may be above any limit', () => {
  expect(needsTwoPersons(above, 'USDT', null)).toBe(true)
  expect(needsTwoPersons({}, 'USDT', null)).toBe(false)
})
