/** The truth, as far as the gateway showed it to the cashier. */
import type { Movement } from './gateway-records.ts'
import { isNamed, type Observations } from './observations.ts'
import type { Scene } from './scene.ts'

/** The gateway contradicted itself about this transaction, and a line names it. */
export const isUnsure = ({ life }: Scene, seen: Observations, uuid: string): boolean =>
  life.truth.contradicted.has(uuid) && isNamed(seen, uuid)

/**
 * A deposit of whose success no event arrived, or one that a restored backup has lost, is what the list shows: the amount
 * of the later status holds.
 */
export function asShown({ world }: Scene, one: Movement): Movement {
  const isAnswered = world.webhooks.answered.some(
    ({ uuid, status, atMs }) => uuid === one.uuid && status === 'succeeded' && !world.isLost(atMs),
  )
  const isTold = one.listedUnits === null || isAnswered
  return isTold ? one : { ...one, units: one.listedUnits ?? one.units }
}
