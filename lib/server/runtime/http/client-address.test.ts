import { expect, test } from 'vitest'
import { clientAddressKey, clientAddress, forwardedEntries } from './client-address.ts'

test.each([
  ['no proxy: anybody may have set the header', '1.2.3.4', 0, '10.0.0.1'],
  ['one proxy wrote the last entry', '6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
  ['two proxies', '6.6.6.6, 1.2.3.4, 10.0.0.9', 2, '1.2.3.4'],
  ['fewer entries than proxies', '1.2.3.4', 2, '10.0.0.1'],
  ['no header', undefined, 1, '10.0.0.1'],
  ['an empty entry', '1.2.3.4, ', 1, '10.0.0.1'],
  ['an IPv4 address with a port', '6.6.6.6, 1.2.3.4:51234', 1, '1.2.3.4'],
  ['an address in brackets with a port', '[2001:db8::1]:443', 1, '2001:db8::1'],
])('%s', (_what, header, proxies, address) => {
  expect(clientAddress('10.0.0.1', forwardedEntries(header), proxies)).toBe(address)
})

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2:ffff:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['x'.repeat(300), 'x'.repeat(64)],
])('%s is counted as %s', (address, key) => {
  expect(clientAddressKey(address)).toBe(key)
})
