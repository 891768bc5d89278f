import { once } from 'node:events'
import { createServer } from 'node:net'

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    // A machine without IPv6 has nobody on it either.
    return error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL'
  }
  server.close()
  await once(server, 'close')
  return true
}

/**
 * The wanted port, or the first one after it that nobody has on either loopback address.
 * @throws where the next hundred are all taken
 */
export async function nextFreePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 100; port += 1) {
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) return port
  }
  throw new Error(`every port from ${wanted} to ${wanted + 99} is taken`)
}
