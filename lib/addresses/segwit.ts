import { bech32, bech32m } from '@scure/base'
import type { Verdict } from './verdict.ts'

/** The prefixes of a chain's addresses, for money and for play. */
export interface SegwitPrefixes {
  readonly main: string
  readonly test: readonly string[]
}

const DATA = /^[qpzry9x8gf2tvdw0s3jn54khce6mua7l]+$/

/** True where the text begins like a segwit address of the chain. */
export const isSegwitLike = (address: string, { main, test }: SegwitPrefixes): boolean =>
  [main, ...test].some((prefix) => address.toLowerCase().startsWith(`${prefix}1`))

/** BIP 173 for version 0, BIP 350 for versions 1 to 16. Upper case throughout is as good as lower, mixed is not. */
export function checkSegwit(address: string, prefixes: SegwitPrefixes): Verdict {
  const lower = address.toLowerCase()
  const data = lower.slice(lower.indexOf('1') + 1)
  if ((address !== lower && address !== address.toUpperCase()) || address.length > 90 || !DATA.test(data)) {
    return 'malformed'
  }
  const read = bech32.decodeUnsafe(address) ?? bech32m.decodeUnsafe(address)
  if (!read) return 'bad_checksum'
  const [version, ...program] = read.words
  if (version === undefined || version > 16) return 'malformed'
  if (!(version === 0 ? bech32 : bech32m).decodeUnsafe(address)) return 'bad_checksum'
  const size = bech32.fromWordsUnsafe(program)?.length ?? 0
  const isSizeRight = version === 0 ? size === 20 || size === 32 : size >= 2 && size <= 40
  if (!isSizeRight) return 'malformed'
  return read.prefix === prefixes.main ? 'ok' : 'testnet'
}
