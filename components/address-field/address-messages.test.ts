import { expect, test } from 'vitest'
import { checkAddress } from '#lib/addresses/index.ts'
import { addressFaultMessage, isFinalFault, type FailedCheck } from './address-messages.ts'

const failed = (network: string, address: string): FailedCheck => {
  const check = checkAddress(network, address)
  if (check.ok) throw new Error(`${address} is an address of ${network}`)
  return check
}

const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

test.each([
  ['Tron', '', 'withdraw.address.empty', false],
  ['Tron', 'T'.repeat(257), 'withdraw.address.tooLong', true],
  ['Tron', 'TJ Rab', 'withdraw.address.characters', false],
  ['Tron', TRON.replace('v8', 'v9'), 'withdraw.address.mistake', false],
  ['Tron', 'TJRab', 'withdraw.address.malformed', false],
  ['Bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'withdraw.address.testnet', true],
] as const)('on %s, %s has the message %s', (network, address, key, final) => {
  const check = failed(network, address)
  expect(addressFaultMessage(check, network)).toEqual({ key, values: { network } })
  expect(isFinalFault(check)).toBe(final)
})

test('an address of another network is named', () => {
  const check = failed('Bitcoin', TRON)
  expect(addressFaultMessage(check, 'Bitcoin')).toEqual({
    key: 'withdraw.address.looksLike',
    values: { looksLike: 'Tron', network: 'Bitcoin' },
  })
  expect(isFinalFault(check)).toBe(true)
})

test('another network that has no name is still reported', () => {
  const check: FailedCheck = { ok: false, fault: 'wrong_network' }
  expect(addressFaultMessage(check, 'Tron')).toEqual({
    key: 'withdraw.address.otherNetwork',
    values: { network: 'Tron' },
  })
})
