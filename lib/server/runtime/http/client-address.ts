import { isIPv6 } from 'node:net'

/**
 * The client's address. Each of the `proxies` in front appends the address that it sees to `X-Forwarded-For`, so the
 * client's is that many entries from the right; anything further left can be forged.
 */
export function clientAddress(socketAddress: string, forwarded: readonly string[], proxies: number): string {
  const entry = proxies === 0 ? undefined : forwarded.at(-proxies)
  return entry === undefined || entry === '' ? socketAddress : withoutPort(entry)
}

/** The entries of `X-Forwarded-For`, the client's first. */
export const forwardedEntries = (header: string | readonly string[] | undefined): readonly string[] =>
  header === undefined
    ? []
    : String(header)
        .split(',')
        .map((entry) => entry.trim())

/** Some proxies add the port, which differs for each connection. */
const withoutPort = (entry: string): string =>
  entry.replace(/^\[([^\]]+)\](?::\d+)?$/, '$1').replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/, '$1')

/** The key of one household for limits: an IPv4 address, or the first half of an IPv6 address. */
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
