/** Servers measured in turn, since a machine's speed changes while it measures. */

export const ROUNDS = 5

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** The median of one figure over the rounds of a server. */
export type MedianOf<Name, Figures> = (server: Name, figure: (one: Figures) => number) => number

/**
 * Measures each server once in each round. Every second round has the other order, so that no server is always the
 * first.
 * @param measure measures a server in a round, by its number from 0
 */
export async function inRounds<Name, Server, Figures>(
  servers: ReadonlyMap<Name, Server>,
  measure: (server: Server, round: number) => Promise<Figures>,
): Promise<MedianOf<Name, Figures>> {
  const found = new Map<Name, Figures[]>()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, server] of round % 2 === 0 ? servers : [...servers].toReversed())
      found.set(name, [...(found.get(name) ?? []), await measure(server, round)])
  return (name, figure) => median((found.get(name) ?? []).map(figure))
}
