import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { replyDifferences, type StatedWithdrawal } from './reply-differences.ts'

const asked = {
  amount: decimal('0.123456789012345678'),
  currency_code: 'USDT',
  network: 'Ethereum',
  wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7',
}
const reply: StatedWithdrawal = {
  amount: asked.amount,
  currency: 'USDT',
  wallet_address: asked.wallet_address,
}

test.each<[string, Partial<StatedWithdrawal>, readonly string[]]>([
  ['what was asked for', {}, []],
  ['another spelling of the amount', { amount: decimal('0.12345678901234567800') }, []],
  ['an amount that passed through a double', { amount: decimal('0.12345678901234568') }, []],
  ['an amount net of a fee', { amount: decimal('0.1134') }, ['amount']],
  ['a negative amount', { amount: decimal('-0.123456789012345678') }, ['amount']],
  ['another case of the code', { currency: 'usdt' }, []],
  ['another code', { currency: 'ETH' }, ['currency']],
  ['another case of an address without case', { wallet_address: asked.wallet_address.toLowerCase() }, []],
  ['another address', { wallet_address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }, ['wallet_address']],
  ['nothing known', { amount: null, currency: null, wallet_address: null }, []],
  ['empty texts', { currency: '', wallet_address: '' }, []],
  [
    'all else',
    { amount: decimal('1'), currency: 'ETH', wallet_address: 'T1' },
    ['amount', 'currency', 'wallet_address'],
  ],
])('a reply with %s', (_what, change, fields) => {
  expect(replyDifferences(asked, { ...reply, ...change })).toEqual(fields)
})

test('the case of an address counts where the network has case', () => {
  const tron = { ...asked, network: 'Tron', wallet_address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' }
  const lower = { ...reply, wallet_address: tron.wallet_address.toLowerCase() }
  expect(replyDifferences(tron, lower)).toEqual(['wallet_address'])
})
