/**
 * A TCP proxy in front of a database. It can stop forwarding: then it accepts connections and never answers. It can cut
 * a connection at its COMMIT, hold or cut it at any other message, and lead to another server.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import pg from 'pg'

/**
 * - `before`: the COMMIT does not reach the server;
 * - `after`: it is committed, and the answer is lost;
 * - `late`: it reaches the server when `release` is called.
 */
export type Cut = 'before' | 'after' | 'late'

/** As a statement of its own, in either protocol: not at the end of another text. */
const COMMIT = /[\0\x0b]commit\0/

interface Plan {
  readonly cut: Cut
  skip: number
  readonly away: boolean
}

/**
 * What happens to the connection of a message to the server:
 *
 * - `cut before` and `cut after`: the message does not reach the server, or its answer does not come back;
 * - `hold`: it arrives late;
 * - `end`: while it is held, the server ends the connection, as it does with a transaction that waits too long.
 */
export type Trouble = 'cut before' | 'cut after' | 'hold' | 'end'

export interface PlannedTrouble {
  readonly trouble: Trouble
  /** Only messages with this text count: COMMITs, the statements of numbering, or all. */
  readonly at: 'commit' | 'numbering' | 'any message'
  /** How many such messages pass before it. */
  readonly skip: number
  /** For how long a message is held. */
  readonly holdMs: number
}

const MESSAGES: Readonly<Record<PlannedTrouble['at'], RegExp>> = {
  commit: COMMIT,
  numbering: /unnumbered_events/,
  'any message': /^/,
}

/** The message in which PostgreSQL names the process of a connection: `K`, its length, the process, a secret. */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12])

function backendOf(answer: Buffer): number | null {
  const at = answer.indexOf(BACKEND_KEY)
  return at === -1 ? null : answer.readInt32BE(at + BACKEND_KEY.length)
}

export interface TcpProxy {
  /** The database's URL through the proxy. */
  readonly url: string
  /** How many connections were accepted so far. */
  readonly accepted: number
  /** From now on nothing passes, on new connections and on old ones. */
  hang(): void
  /** New connections work again. Old ones stay silent, as behind a firewall that has lost its state. */
  resume(): void
  /** Cuts the connection of the next COMMIT, after so many others; from then on all connections, if `away`. */
  cutCommit(cut: Cut, options?: { readonly skip?: number; readonly away?: boolean }): void
  /** How many connections were cut at their COMMIT, or had a planned trouble. */
  readonly cuts: number
  /** The next message of this kind, after so many others, has this trouble. */
  plan(trouble: PlannedTrouble): void
  /** Lets the COMMIT of the last `late` cut reach the server; resolves when its connection has ended. */
  release(): Promise<void>
  /** New connections work again after `away`. */
  comeBack(): void
  /** Cuts all connections; new ones lead to this server. */
  switchTo(databaseUrl: string): void
  stop(): Promise<void>
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  let target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let hanging = false
  let accepted = 0
  let isAway = false
  let cuts = 0
  let planned: Plan | null = null
  let troubles: { readonly planned: PlannedTrouble; left: number }[] = []
  let late: (() => Promise<void>) | null = null

  const own = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }

  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  const cutAt = ({ cut, away }: Plan, chunk: Buffer, socket: Socket, upstream: Socket): void => {
    planned = null
    cuts += 1
    isAway = away
    upstream.unpipe()
    socket.unpipe().removeAllListeners('close')
    const end = (): void => (away ? cutAll() : void upstream.destroy())
    if (cut === 'before') end()
    if (cut === 'after') {
      // The server answers after the commit.
      upstream.on('data', (answer: Buffer) => answer.includes('COMMIT') && end()).resume()
      upstream.write(chunk)
    }
    if (cut === 'late') {
      upstream.resume()
      late = async () => {
        const answered = new Promise((resolve) => upstream.on('data', resolve).on('close', resolve))
        upstream.write(chunk)
        await answered
        await new Promise((resolve) => upstream.on('close', resolve).end())
      }
    }
    if (cut !== 'after') socket.destroy()
    else upstream.on('close', () => socket.destroy())
  }

  /** Ends a process of the server, as its own time limits do. */
  const endBackend = async (backend: number): Promise<void> => {
    const client = new pg.Client({ connectionString: databaseUrl })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('select pg_terminate_backend($1)', [backend])
    await client.end()
  }

  /** The trouble of this message, if it is its turn. */
  const troubleOf = (message: string): PlannedTrouble | null => {
    for (const one of troubles) {
      if (!MESSAGES[one.planned.at].test(message) || (one.left -= 1) >= 0) continue
      troubles = troubles.filter((other) => other !== one)
      cuts += 1
      return one.planned
    }
    return null
  }

  const server = createServer((socket) => {
    accepted += 1
    own(socket)
    if (isAway) {
      socket.destroy()
      return
    }
    if (hanging) return
    const upstream = own(connect(Number(target.port), target.hostname))
    let backend: number | null = null
    upstream.on('data', (answer: Buffer) => {
      backend ??= backendOf(answer)
    })
    const watch = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const text = backend === null ? '' : chunk.toString('latin1')
        const trouble = troubles.length === 0 || text === '' ? null : troubleOf(text)
        if (trouble !== null) {
          const pass = (): void => {
            this.push(chunk)
            done()
          }
          if (trouble.trouble === 'cut before') socket.destroy()
          else if (trouble.trouble === 'cut after') {
            upstream
              .unpipe()
              .once('data', () => socket.destroy())
              .resume()
            pass()
          } else {
            if (trouble.trouble === 'end' && backend !== null) void endBackend(backend).catch(() => undefined)
            setTimeout(pass, trouble.holdMs)
          }
          return
        }
        if (planned !== null && COMMIT.test(chunk.toString('latin1')) && (planned.skip -= 1) < 0)
          cutAt(planned, chunk, socket, upstream)
        else this.push(chunk)
        done()
      },
    })
    socket.pipe(watch).pipe(upstream).pipe(socket)
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
    cutCommit(cut, { skip = 0, away = false } = {}) {
      planned = { cut, skip, away }
    },
    get cuts() {
      return cuts
    },
    plan(trouble) {
      troubles.push({ planned: trouble, left: trouble.skip })
    },
    release: () => late?.() ?? Promise.resolve(),
    comeBack() {
      isAway = false
    },
    switchTo(databaseUrl) {
      target = new URL(databaseUrl)
      cutAll()
    },
    async stop() {
      cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
