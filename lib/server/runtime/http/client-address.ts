import { isIPv6 } from 'node:net'

/**
 * The client's address. With `proxies` in front, each has written the address that it saw at the end of
 * `X-Forwarded-For`, so the client's stands that many from the right; what is further left anybody may have made up.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | undefined, proxies: number): string {
  if (proxies === 0) return socketAddress
  const entries = (forwardedFor ?? '').split(',').map((entry) => entry.trim())
  const entry = entries.at(-proxies)
  return entry === undefined || entry === '' ? socketAddress : entry.replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
}

/** What one household has for limits: an IPv4 address, or the first half of an IPv6 one. */
export function clientAddressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').slice(0, 64)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`
}
