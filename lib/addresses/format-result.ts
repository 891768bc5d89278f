/** Result of one family's check of an address. `malformed`: not an address of this family. */
export type FormatResult = 'ok' | 'malformed' | 'bad_checksum' | 'testnet'
