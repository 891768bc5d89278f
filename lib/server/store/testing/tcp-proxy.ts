/** A TCP proxy in front of a database. It can stop forwarding: then it accepts connections and never answers. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  /** The database's URL through the proxy. */
  readonly url: string
  /** How many connections were accepted so far. */
  readonly accepted: number
  /** From now on nothing passes, on new connections and on old ones. */
  hang(): void
  /** New connections work again. Old ones stay silent, as behind a firewall that has lost its state. */
  resume(): void
  stop(): Promise<void>
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let hanging = false
  let accepted = 0

  const own = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }

  const server = createServer((socket) => {
    accepted += 1
    own(socket)
    if (hanging) return
    const upstream = own(connect(Number(target.port), target.hostname))
    socket.pipe(upstream).pipe(socket)
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    get accepted() {
      return accepted
    },
    hang() {
      hanging = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    resume() {
      hanging = false
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
