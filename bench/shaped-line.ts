/**
 * A line between a browser and all servers, shaped below HTTP: a SOCKS5 proxy (RFC 1928, no authentication) whose
 * connections share one downlink. The browser's own emulation delays each request by itself, so that two responses
 * never compete for the line.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface SlowLine {
  /** From the browser to a server and back. Opening a connection takes one more trip. */
  readonly roundTripMs: number
  /** Bytes a second that all connections share. */
  readonly down: number
}

/** The bytes of a full TCP segment: connections take turns after each. */
const SEGMENT = 1460

/** One direction that all connections share: they take turns, segment by segment. */
class SharedLink {
  readonly #line: SlowLine
  /** What each connection has to send; an empty segment ends it. */
  readonly #waiting = new Map<Socket, Buffer[]>()
  /** What was sent, in order, with the time at which it arrives. */
  readonly #underWay: { readonly at: number; readonly to: Socket; readonly segment: Buffer }[] = []
  #freeAt = 0
  #running = false

  constructor(line: SlowLine) {
    this.#line = line
  }

  send(to: Socket, bytes: Buffer): void {
    const queue = this.#waiting.get(to) ?? []
    for (let at = 0; at === 0 || at < bytes.length; at += SEGMENT) queue.push(bytes.subarray(at, at + SEGMENT))
    this.#waiting.set(to, queue)
    if (this.#running) return
    this.#freeAt = Math.max(this.#freeAt, performance.now())
    this.#run()
  }

  /** Sends segments until the link is ahead of the clock, then waits; what a late timer lost is made up for. */
  #run(): void {
    const now = performance.now()
    while (this.#freeAt <= now) {
      const [next] = this.#waiting
      if (next === undefined) break
      const [to, queue] = next
      this.#waiting.delete(to)
      const segment = queue.shift()
      if (queue.length > 0) this.#waiting.set(to, queue)
      if (segment === undefined) continue
      this.#freeAt += (segment.length / this.#line.down) * 1000
      this.#underWay.push({ at: this.#freeAt + this.#line.roundTripMs / 2, to, segment })
      if (this.#underWay.length === 1) this.#deliver()
    }
    this.#running = this.#waiting.size > 0
    if (this.#running) later(this.#freeAt, () => this.#run())
  }

  /** Delivers what has arrived by now, in order, and waits for the next. */
  #deliver(): void {
    const now = performance.now()
    let next = this.#underWay[0]
    while (next !== undefined && next.at <= now) {
      if (next.segment.length > 0) next.to.write(next.segment)
      else next.to.destroy()
      this.#underWay.shift()
      next = this.#underWay[0]
    }
    if (next !== undefined) later(next.at, () => this.#deliver())
  }
}

function later(at: number, run: () => void): void {
  setTimeout(run, Math.max(0, at - performance.now()))
}

/** The server that a SOCKS request names, by an address of 4 or 16 bytes or by its name. */
function destination(request: Buffer): { readonly host: string; readonly port: number } {
  const port = request.readUInt16BE(request.length - 2)
  const address = request.subarray(4, -2)
  if (request[3] === 1) return { host: address.join('.'), port }
  if (request[3] === 3) return { host: address.subarray(1).toString('latin1'), port }
  const groups = Array.from({ length: 8 }, (_, at) => address.readUInt16BE(2 * at).toString(16))
  return { host: groups.join(':'), port }
}

const END = Buffer.alloc(0)
const CHOOSES_NO_AUTHENTICATION = Buffer.from([5, 0])
const CONNECTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])

export async function openShapedLine(line: SlowLine): Promise<{ readonly url: string; close(): void }> {
  const down = new SharedLink(line)
  const sockets = new Set<Socket>()
  const open = (socket: Socket): void => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const serve = async (browser: Socket): Promise<void> => {
    open(browser)
    await once(browser, 'data')
    browser.write(CHOOSES_NO_AUTHENTICATION)
    const [request] = (await once(browser, 'data')) as [Buffer]
    const server = connect(destination(request))
    open(server)
    browser.on('close', () => server.destroy())
    server.on('close', () => down.send(browser, END))
    browser.on('data', (bytes: Buffer) => later(performance.now() + line.roundTripMs / 2, () => server.write(bytes)))
    server.on('data', (bytes: Buffer) => down.send(browser, bytes))
    // The handshake's trip.
    later(performance.now() + line.roundTripMs, () => browser.write(CONNECTED))
  }
  const proxy = createServer((browser) => void serve(browser).catch(() => browser.destroy())).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `socks5://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
