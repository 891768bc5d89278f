import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestEnv } from './request-env.ts'

/** `localhost` may resolve to either address. */
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1']

const CLOSE_TIMEOUT_MS = 1500
const CLOSE_IDLE_EVERY_MS = 10

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** The sandbox cannot listen; the message says what to do. */
export class ListenError extends Error {}

/** Leaves the global `Request` and `Response` unchanged, because the sandbox may run inside another program. */
export const requestListener = (app: Hono<RequestEnv>): RequestListener =>
  getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: 'localhost' })

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

/** Gives running requests a short time to finish, then closes their connections. A connection gets no further request. */
function closeAll(servers: readonly Server[]): Promise<void> {
  const idle = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, CLOSE_IDLE_EVERY_MS)
  const timeout = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, CLOSE_TIMEOUT_MS)
  const closing = servers.map(
    (server) =>
      new Promise<void>((resolve) => {
        server.prependListener('request', (_request, response: ServerResponse) => {
          response.shouldKeepAlive = false
        })
        server.close(() => {
          resolve()
        })
      }),
  )
  return Promise.all(closing).then(() => {
    clearTimeout(timeout)
    clearInterval(idle)
  })
}

/**
 * Listens on `host`, or on both loopback addresses for `localhost`. Port 0 takes a free port.
 * @throws ListenError when the port is taken or the host is not an address of this machine
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
      if (code === 'EADDRINUSE') throw new ListenError(`port ${String(port)} on ${address} is taken by another program`)
      if (code === 'EACCES') throw new ListenError(`port ${String(port)} cannot be used: this user has no permission`)
      throw new ListenError(`cannot listen on ${address}: ${code || String(error)}`)
    }
  }
  const first = servers[0]
  if (!first) throw new ListenError(`cannot listen on ${host}`)
  return { port: portOf(first), close: () => closeAll(servers) }
}
