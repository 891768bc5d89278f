/** Free ports of this machine, checked on every local address (127.0.0.1 and ::1 among them). */
import { randomInt } from 'node:crypto'
import getPort, { portNumbers } from 'get-port'

/** Below the range from which systems take ports for outgoing connections, so that none of those takes ours. */
const LOWEST = 20_000
const HIGHEST = 31_999

/** Each process prefers a block of its own, so that two do not find the same port before one of them listens on it. */
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
 * A random free port below the range of outgoing connections. Random, because processes that search at the same time
 * would find the same port otherwise; get-port gives a process no port twice within 15 s.
 * @throws when a hundred tries found none
 */
export const freePort = (): Promise<number> => firstFree(randomPorts(), LOWEST, HIGHEST)

/**
 * The preferred port, or the first free one after it.
 * @throws when the next hundred are all taken
 */
export const nextFreePort = (preferred: number): Promise<number> =>
  firstFree(portNumbers(preferred, preferred + 99), preferred, preferred + 99)
