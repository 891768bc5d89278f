import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}

/**
 * A port that nobody listens on at this moment, on any address. It lies below the range from which systems take ports
 * for outgoing connections, so none of those can take it before we do.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('found no free port between 20000 and 32000')
}
