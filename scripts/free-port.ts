/** Free ports of this machine, checked on every local address (127.0.0.1 and ::1 among them). */
import { randomInt } from 'node:crypto'
import getPort, { portNumbers } from 'get-port'

/** Below the range from which systems take ports for outgoing connections, so that no connection takes our port. */
const LOWEST = 20_000
const HIGHEST = 31_999

/** Each process prefers its own block, so that two processes do not choose the same port before one listens on it. */
const BLOCK = 200
const BLOCKS = (HIGHEST + 1 - LOWEST) / BLOCK
const OWN = LOWEST + (process.pid % BLOCKS) * BLOCK

function* randomPorts(): Generator<number> {
  for (let tries = 0; tries < 50; tries += 1) yield randomInt(OWN, OWN + BLOCK)
  for (let tries = 0; tries < 50; tries += 1) yield randomInt(LOWEST, HIGHEST + 1)
}

/** get-port falls back to a port of the system's choice, which may lie outside the range. */
async function firstFree(candidates: Iterable<number>, lowest: number, highest: number): Promise<number> {
  const port = await getPort({ port: candidates })
  if (port < lowest || port > highest) throw new Error(`found no free port between ${lowest} and ${highest}`)
  return port
}

/**
 * A random free port below the range of outgoing connections. Random, so that processes which search at the same time
 * find different ports; get-port returns no port twice within 15 s in one process.
 * @throws when a hundred attempts found none
 */
export const freePort = (): Promise<number> => firstFree(randomPorts(), LOWEST, HIGHEST)

/**
 * The preferred port, or the first free one after it.
 * @throws when the next hundred are all taken
 */
export const nextFreePort = (preferred: number): Promise<number> =>
  firstFree(portNumbers(preferred, preferred + 99), preferred, preferred + 99)
