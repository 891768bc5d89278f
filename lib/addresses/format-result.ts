/** Result of an address check for one family. `malformed`: not an address of this family. */
export type FormatResult = 'ok' | 'malformed' | 'bad_checksum' | 'testnet'
