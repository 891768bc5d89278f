import { bech32, bech32m } from '@scure/base'
import type { FormatResult } from './format-result.ts'

/** The prefixes of a chain's addresses, on the main network and on test networks. */
export interface SegwitPrefixes {
  readonly main: string
  readonly test: readonly string[]
}

export const BITCOIN_PREFIXES: SegwitPrefixes = { main: 'bc', test: ['tb', 'bcrt'] }
export const LITECOIN_PREFIXES: SegwitPrefixes = { main: 'ltc', test: ['tltc', 'rltc'] }

const DATA = /^[qpzry9x8gf2tvdw0s3jn54khce6mua7l]+$/

/** True if the text starts like a segwit address of the chain. */
export const isSegwitLike = (address: string, { main, test }: SegwitPrefixes): boolean =>
  [main, ...test].some((prefix) => address.toLowerCase().startsWith(`${prefix}1`))

/** BIP 173 for version 0, BIP 350 for versions 1 to 16. Upper or lower case, not mixed. */
export function checkSegwit(address: string, prefixes: SegwitPrefixes): FormatResult {
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

/** A longer bech32 format: `bytes` is the payload of version 0; later versions, up to `lastVersion`, may have more. */
export interface StealthFormat extends SegwitPrefixes {
  readonly encoding: typeof bech32
  readonly bytes: number
  readonly lastVersion: number
}

/** Bitcoin's silent payments (BIP 352): two keys. Versions 1 to 30 may add bytes; 31 is reserved for a new format. */
export const SILENT_PAYMENTS: StealthFormat = {
  main: 'sp',
  test: ['tsp', 'sprt'],
  encoding: bech32m,
  bytes: 66,
  lastVersion: 30,
}

/** Litecoin's MWEB (2022): two keys, only version 0. */
export const MWEB: StealthFormat = {
  main: 'ltcmweb',
  test: ['tmweb'],
  encoding: bech32,
  bytes: 66,
  lastVersion: 0,
}

export function checkStealth(address: string, format: StealthFormat): FormatResult {
  const lower = address.toLowerCase()
  const at = lower.lastIndexOf('1')
  if ((address !== lower && address !== address.toUpperCase()) || !DATA.test(lower.slice(at + 1))) return 'malformed'
  const text = lower as `${string}1${string}`
  const read = attempt(() => format.encoding.decode(text, false))
  if (!read) return 'bad_checksum'
  const [version = 32, ...payload] = read.words
  const size = format.encoding.fromWordsUnsafe(payload)?.length ?? 0
  const isSizeRight = version === 0 ? size === format.bytes : size >= format.bytes
  if (version > format.lastVersion || !isSizeRight) return 'malformed'
  return read.prefix === format.main ? 'ok' : 'testnet'
}

function attempt<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}
