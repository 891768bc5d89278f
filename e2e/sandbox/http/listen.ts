import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Both ways to say this machine: `localhost` may be either. */
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1']

const PATIENCE_MS = 1500

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Nothing listens there, for a reason a person can act on. */
export class ListenFault extends Error {}

function listenOn(host: string, port: number, handler: RequestListener): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ keepAliveTimeout: 65_000 }, handler)
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

export interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Lets requests finish for a moment, then cuts what is left. */
function closeAll(servers: readonly Server[]): Promise<void> {
  const patience = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, PATIENCE_MS)
  const closing = servers.map(
    (server) =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
      }),
  )
  return Promise.all(closing).then(() => {
    clearTimeout(patience)
  })
}

/**
 * Listens on `host`, or on both loopback addresses for `localhost`. Port 0 takes a free one.
 * @throws ListenFault when the port is taken or the host is not of this machine.
 */
export async function listen(host: string, port: number, handler: RequestListener): Promise<Listening> {
  const hosts = host === 'localhost' ? LOOPBACK : [host]
  const servers: Server[] = []
  for (const address of hosts) {
    try {
      servers.push(await listenOn(address, servers[0] ? portOf(servers[0]) : port, handler))
    } catch (error) {
      const code = codeOf(error)
      if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
      if (address === '::1' && code === 'EADDRINUSE' && port === 0) continue
      await closeAll(servers)
      if (code === 'EADDRINUSE') throw new ListenFault(`port ${String(port)} on ${address} is taken by another program`)
      if (code === 'EACCES') throw new ListenFault(`port ${String(port)} may not be used by this user`)
      throw new ListenFault(`cannot listen on ${address}: ${code || String(error)}`)
    }
  }
  const first = servers[0]
  if (!first) throw new ListenFault(`cannot listen on ${host}`)
  return { port: portOf(first), close: () => closeAll(servers) }
}
