/** Limits the number of connections, and closes idle ones when there are too many, the oldest first. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const MOST_CONNECTIONS = 20_000
/** Files reserved for the database, calls to the gateway and the merchant, and the build; fewer if the limit is low. */
const OTHER_FILES = 1000
/** Connections reserved for clients with a request. */
const NOT_IDLE = 2000

export interface ConnectionLimits {
  /** The most connections; more are closed at once. */
  readonly most: number
  /** The most connections without a running request. One more closes the oldest. */
  readonly mostIdle: number
}

/** @param openFiles how many the process may open */
export function connectionLimits(openFiles: number): ConnectionLimits {
  const most = Math.min(MOST_CONNECTIONS, openFiles - Math.min(OTHER_FILES, Math.ceil(openFiles / 4)))
  return { most, mostIdle: most - Math.min(NOT_IDLE, Math.ceil(most / 10)) }
}

/** The most files that this process may open; infinite if the system gives no limit. */
export function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

/**
 * Enforces the limits, so that a client with many connections cannot block others. A client whose connection was closed
 * opens a new one, as after `keepAliveTimeout`.
 */
export function limitConnections(server: Server, { most, mostIdle }: ConnectionLimits): void {
  server.maxConnections = most
  /** In the order in which they became idle. */
  const idle = new Set<Socket>()
  const requests = new WeakMap<Socket, number>()
  const add = (socket: Socket): void => {
    if (socket.destroyed) return
    idle.add(socket)
    if (idle.size <= mostIdle) return
    const [oldest] = idle
    if (oldest === undefined) return
    idle.delete(oldest)
    oldest.destroy()
  }
  server.on('connection', (socket: Socket) => {
    add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    idle.delete(socket)
    requests.set(socket, (requests.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (requests.get(socket) ?? 1) - 1
      requests.set(socket, left)
      if (left === 0) add(socket)
    })
  })
}
