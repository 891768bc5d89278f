/** What a family's own check says of an address. `malformed`: not this family's at all. */
export type Verdict = 'ok' | 'malformed' | 'bad_checksum' | 'testnet'
