import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createNetServer, type AddressInfo, type Server as NetServer } from 'node:net'
import { answerEarlyRefusals, requireHost } from './early-refusals.ts'
import { connectionLimits, limitConnections, openFilesLimit } from './idle-connections.ts'

/** Limits for one client: slow or large heads and bodies, idle and too many connections. */
export const SERVER_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** For the whole request with its body; a stream's answer may last longer. */
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
}
const MOST_HEADERS = 100
const SWEEP_MS = 100

interface Address {
  readonly port: number
  /** Null: all addresses of the machine. */
  readonly host: string | null
}

/** A server with one listener and no upgrades, which does not listen yet. */
export function createHttpServer(listener: RequestListener, limits = SERVER_LIMITS): Server {
  const server = createServer({ ...limits, requireHostHeader: false }, requireHost(listener, randomUUID))
  answerEarlyRefusals(server, randomUUID)
  server.maxHeadersCount = MOST_HEADERS
  limitConnections(server, connectionLimits(openFilesLimit()))
  return server
}

/** Opens the port. Rejects with Node's error if it is taken. */
export async function openPort(server: NetServer, { port, host }: Address): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host !== null && { host }) }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return (server.address() as AddressInfo).port
}

/**
 * Finds the port that will be opened later, so that a taken port is known at start, and a port chosen by the system has
 * its number. It is closed again at once: an open port without answers would mislead a load balancer.
 */
export async function findPort(address: Address): Promise<number> {
  const probe = createNetServer((socket) => socket.destroy())
  const port = await openPort(probe, address)
  await new Promise<void>((resolve) => probe.close(() => resolve()))
  return port
}

/** A listening server. Rejects with Node's error if the port is taken. */
export async function listen(
  address: Address,
  listener: RequestListener,
  limits = SERVER_LIMITS,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createHttpServer(listener, limits)
  return { server, port: await openPort(server, address) }
}

/** Accepts no new connections and resolves when every request is answered, or after `graceMs`. */
export async function finish(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A kept-alive connection becomes idle only when its request is answered.
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
