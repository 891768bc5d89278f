import { expect, test } from 'vitest'
import { readDestination, type Destination } from '#lib/addresses/index.ts'
import { destinationFault, destinationHints, isFinalFault, type FailedCheck } from './address-messages.ts'

const read = (network: string, text: string): Destination => readDestination(text, { currency_code: 'XYZ', network })

const failed = (network: string, text: string): FailedCheck => {
  const { check } = read(network, text)
  if (check.ok) throw new Error(`${text} is an address of ${network}`)
  return check
}

const faultOf = (network: string, text: string) => destinationFault(read(network, text), failed(network, text), network)

const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

test.each([
  ['Tron', '', 'withdraw.address.empty', false],
  ['Tron', 'T'.repeat(257), 'withdraw.address.tooLong', true],
  ['Tron', 'TJ Rab', 'withdraw.address.characters', false],
  ['Tron', TRON.replace('v8', 'v9'), 'withdraw.address.mistake', false],
  ['Tron', 'TJRab', 'withdraw.address.malformed', false],
  ['Bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'withdraw.address.testnet', true],
] as const)('on %s, %s has the message %s', (network, address, key, final) => {
  expect(faultOf(network, address)).toEqual({ key, values: { network } })
  expect(isFinalFault(failed(network, address))).toBe(final)
})

test('for an address of another network, the fault names that network', () => {
  expect(faultOf('Bitcoin', TRON)).toEqual({
    key: 'withdraw.address.looksLike',
    values: { looksLike: 'Tron', network: 'Bitcoin' },
  })
  expect(isFinalFault(failed('Bitcoin', TRON))).toBe(true)
})

test('a wrong network without a known name is still reported', () => {
  const check: FailedCheck = { ok: false, fault: 'wrong_network' }
  expect(destinationFault(read('Tron', 'x'), check, 'Tron')).toEqual({
    key: 'withdraw.address.otherNetwork',
    values: { network: 'Tron' },
  })
})

test('on a network with tags, the fault quotes a tag in the second line', () => {
  expect(faultOf('XRP Ledger', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh\n4711')).toEqual({
    key: 'withdraw.address.twoParts',
    values: { tag: '4711' },
  })
})

test('the hints come in this order: source of the address, text left out, amount, network of the address', () => {
  const link = readDestination(`tron:${TRON}?amount=10 ${'x'.repeat(100)}`, { currency_code: 'TRX', network: 'Tron' })
  const hints = destinationHints(link, { currency_code: 'TRX', network: 'Tron' }, (amount) => `${amount},00`)
  expect(hints.map(({ key }) => key)).toEqual([
    'withdraw.address.link',
    'withdraw.address.leftOut',
    'withdraw.address.linkAmount',
    'withdraw.address.fits',
  ])
  expect(hints[1]?.values['text']).toBe(`${'x'.repeat(60)}…`)
  expect(hints[2]?.values['amount']).toBe('10,00')
})

test('on a network that is not checked, the field says so', () => {
  const xrp = { currency_code: 'XRP', network: 'XRP Ledger' }
  const hints = destinationHints(readDestination('rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=7', xrp), xrp, String)
  expect(hints.map(({ key }) => key)).toEqual(['withdraw.address.tag', 'withdraw.address.unchecked'])
  expect(hints[0]?.values).toEqual({ code: 'XRP', network: 'XRP Ledger', tag: '7' })
})

test('on a network with tags, the field says from the start that it cannot send a tag', () => {
  const xrp = { currency_code: 'XRP', network: 'XRP Ledger' }
  const warning = { key: 'withdraw.address.tagWarning', values: { network: 'XRP Ledger' } }
  expect(destinationHints(null, xrp, String)).toEqual([warning])
  expect(destinationHints(readDestination('rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', xrp), xrp, String)).toContainEqual(
    warning,
  )
  expect(destinationHints(null, { currency_code: 'TRX', network: 'Tron' }, String)).toEqual([])
})

test('on a network that is not checked, the field says of which other network an address is', () => {
  const xrp = { currency_code: 'XRP', network: 'XRP Ledger' }
  expect(destinationHints(readDestination(TRON, xrp), xrp, String)).toEqual([
    { key: 'withdraw.address.uncheckedLooksLike', values: { network: 'XRP Ledger', looksLike: 'Tron' } },
    { key: 'withdraw.address.tagWarning', values: { network: 'XRP Ledger' } },
  ])
})
