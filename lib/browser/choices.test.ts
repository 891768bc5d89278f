import { expect, test } from 'vitest'
import { createAttemptKeys } from './attempt-key.ts'
import { balanceOf, chooseCurrency } from './chosen-currency.ts'
import { createRecentCurrencies } from './recent-currencies.ts'

const currency = (id: string) => ({ id, name: id, currency_code: id, symbol: id, network: 'Tron' })
const balance = (currency_id: string, available: string) => ({
  currency_id,
  currency_code: currency_id,
  network: 'Tron',
  available,
  held: '0',
})

test.each([
  ['the one that was asked for', 'b', 'b'],
  ['one that is not offered: the first with money', 'x', 'c'],
  ['none: the first with money', null, 'c'],
])('asked for %s', (_name, asked, chosen) => {
  const balances = [balance('a', '0'), balance('b', '-1'), balance('c', '0.01')]
  expect(chooseCurrency(['a', 'b', 'c'].map(currency), balances, asked)?.id).toBe(chosen)
})

test('without money it is the first, without currencies none', () => {
  expect(chooseCurrency([currency('a')], [], null)?.id).toBe('a')
  expect(chooseCurrency([], [balance('a', '5')], 'a')).toBeNull()
  expect(balanceOf([balance('a', '5')], 'b')).toBeNull()
})

function storage(kept: string | null = null) {
  const box = { text: kept }
  return {
    box,
    open: () => ({
      getItem: () => box.text,
      setItem: (_key: string, text: string) => {
        box.text = text
      },
    }),
  }
}

test('recent currencies: the last first, each once, four at most, kept for the next visit', () => {
  const { box, open } = storage()
  const recent = createRecentCurrencies(open)
  for (const id of ['a', 'b', 'a', 'c', 'd', 'e']) recent.use(id)
  expect(recent.list()).toEqual(['e', 'd', 'c', 'a'])
  expect(createRecentCurrencies(open).list()).toEqual(['e', 'd', 'c', 'a'])
  expect(box.text).toBe('["e","d","c","a"]')
})

test.each(['{', '{"a":1}', '[1,2]'])('what %s kept there is not believed', (text) => {
  expect(createRecentCurrencies(storage(text).open).list()).toEqual([])
})

test('where storage is denied it lasts as long as the page', () => {
  const recent = createRecentCurrencies(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  recent.use('a')
  expect(recent.list()).toEqual(['a'])
})

test('an attempt keeps its key until it changes or came to a result', () => {
  let count = 0
  const attempts = createAttemptKeys(() => `key-${String((count += 1))}`)
  const order = { amount: '5', wallet_address: 'T' }
  const first = attempts.keyFor(order)
  expect(attempts.keyFor({ wallet_address: 'T', amount: '5' })).toBe(first)
  const changed = attempts.keyFor({ ...order, amount: '6' })
  expect(changed).not.toBe(first)
  attempts.finish()
  expect(attempts.keyFor({ ...order, amount: '6' })).not.toBe(changed)
})
