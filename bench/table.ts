export interface Row {
  readonly what: string
  readonly ours: number
  /** The same figure of the peer, the simplest program that does the same work; null if there is no peer. */
  readonly peer: number | null
}

const short = (value: number | null): string =>
  (value === null ? '' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)).padStart(10)

/** Rows as lines for a terminal. */
export const table = (rows: readonly Row[]): string =>
  [
    `${''.padEnd(56)}${'cashier'.padStart(10)}${'peer'.padStart(10)}${'ratio'.padStart(10)}`,
    ...rows.map(
      ({ what, ours, peer }) => `${what.padEnd(56)}${short(ours)}${short(peer)}${short(peer ? ours / peer : null)}`,
    ),
  ].join('\n')
