import { expect, test } from 'vitest'
import { asksForLastCharacters, isEndOf } from './last-characters.ts'

test.each([
  [{}, 'USDT', '1000000', false],
  [{ USDT: '500' }, 'USDT', '500', false],
  [{ USDT: '500' }, 'USDT', '500.00', false],
  [{ USDT: '500' }, 'USDT', '500.000000000000000001', true],
  [{ USDT: '500' }, 'usdt', '501', true],
  [{ USDT: '500' }, 'BTC', '501', false],
  [{ USDT: '500', '*': '0' }, 'BTC', '0.00000001', true],
  [{ USDT: '500', '*': '0' }, 'USDT', '1', false],
  [{ '*': '9' }, 'constructor', '10', true],
  [{}, 'constructor', '10', false],
])('above %j, of %s: %s', (above, code, amount, asked) => {
  expect(asksForLastCharacters(above, code, amount)).toBe(asked)
})

test('the end of the address matches in any case and with white space around it', () => {
  const body = { wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7' }
  for (const typed of ['9EE7', '9ee7', ' 9Ee7 ']) expect([typed, isEndOf(body, typed)]).toEqual([typed, true])
  for (const typed of ['', '9EE', 'EE7', '9EE8', '69EE7', body.wallet_address, '0x52'])
    expect([typed, isEndOf(body, typed)]).toEqual([typed, false])
  expect(isEndOf({ wallet_address: 'abc' }, 'abc')).toBe(true)
})
