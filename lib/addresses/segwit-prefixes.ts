import type { SegwitPrefixes } from './segwit.ts'

export const BITCOIN_PREFIXES: SegwitPrefixes = { main: 'bc', test: ['tb', 'bcrt'] }
export const LITECOIN_PREFIXES: SegwitPrefixes = { main: 'ltc', test: ['tltc', 'rltc'] }
