import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What one client may take of us: slow or large heads and bodies, idle and too many connections. */
export const SERVER_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** Of the whole request with its body; a stream's answer may last. */
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
}
const MOST_HEADERS = 100
const MOST_CONNECTIONS = 20_000
const SWEEP_MS = 100

/** A server that listens: one listener, no upgrades. Rejects with Node's error where the port is taken. */
export async function listen(
  { port, host }: { readonly port: number; readonly host: string | null },
  listener: RequestListener,
  limits = SERVER_LIMITS,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(limits, listener)
  server.maxHeadersCount = MOST_HEADERS
  server.maxConnections = MOST_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host !== null && { host }) }, resolve)
  })
  return { server, port: (server.address() as AddressInfo).port }
}

/** Takes no new connections and resolves when every request is answered, or `graceMs` is over. */
export async function finish(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection that is kept alive falls idle only when its request is answered.
  const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const { promise: over, resolve } = Promise.withResolvers<null>()
  const impatience = setTimeout(() => {
    server.closeAllConnections()
    resolve(null)
  }, graceMs)
  await Promise.race([closed, over])
  clearTimeout(impatience)
  clearInterval(sweeping)
}
