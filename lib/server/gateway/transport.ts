/**
 * One HTTP exchange with the gateway. It must report correctly whether anything may have been sent: the request is
 * written only after its connection (including TLS) is open, so that a fault before that has sent nothing.
 */
import * as http from 'node:http'
import * as https from 'node:https'
import { TLSSocket } from 'node:tls'

const MAX_REPLY_BYTES = 2 * 1024 * 1024

export interface WireRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query as signed. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /**
   * True for requests that must not arrive twice: the gateway may have just closed a kept-alive connection, and then it
   * is unknown whether the request arrived.
   */
  readonly freshConnection: boolean
  readonly timeoutMs: number
  /**
   * Asked when the connection is open: if so, nothing is written. Timers stand still while the machine sleeps, and others
   * may have decided meanwhile that the request was never made.
   */
  readonly isLate?: () => boolean
  readonly signal?: AbortSignal | undefined
}

export interface WireReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Uint8Array
}

export type TransportFault =
  /** The connection was not opened: refused, no such host, a TLS fault, or the timeout passed first. */
  | 'not_sent'
  /** The connection ended before the whole reply was received. */
  | 'cut'
  /** The timeout passed, or the caller aborted, while the request was under way. */
  | 'timeout'
  /** The reply is not HTTP. */
  | 'garbled'
  /** The reply has more than `MAX_REPLY_BYTES`. */
  | 'too_large'

export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly fault: TransportFault
  /** True if a kept-alive connection ended before any part of the reply: the gateway may have closed it as idle. */
  readonly wasIdle: boolean
  constructor(fault: TransportFault, cause?: unknown, wasIdle = false) {
    super(`gateway connection: ${fault.replace('_', ' ')}`, { cause })
    this.fault = fault
    this.wasIdle = wasIdle
  }
}

export interface Transport {
  /** Resolves with a whole reply of any status; never follows a redirect. Rejects with a `TransportError`. */
  send(request: WireRequest): Promise<WireReply>
  /** Closes every connection. */
  close(): void
}

/** Many servers close idle connections after five seconds; we close them before that. */
const IDLE_MS = 4_000
const MAX_CONNECTIONS = 128
/** Node tries the next address of a host after 250 ms, which is too soon for a distant host. */
const ADDRESS_ATTEMPT_MS = 2_000

const isGarbled = (error: Error & { code?: string }): boolean => error.code?.startsWith('HPE_') ?? false

/** A transport to the host and port of `base`, over http or https. */
export function createTransport(base: URL): Transport {
  const { request, Agent } = base.protocol === 'https:' ? https : http
  const shared = { autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS }
  const kept = new Agent({
    ...shared,
    keepAlive: true,
    timeout: IDLE_MS,
    maxSockets: MAX_CONNECTIONS,
    scheduling: 'lifo',
  })
  const fresh = new Agent({ ...shared, keepAlive: false })

  const send = (wire: WireRequest): Promise<WireReply> =>
    new Promise((resolve, reject) => {
      let sent = false
      let replied = false
      const outgoing = request({
        protocol: base.protocol,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port === '' ? undefined : base.port,
        method: wire.method,
        path: wire.target,
        headers: {
          ...wire.headers,
          host: base.host,
          ...(wire.body === '' ? {} : { 'content-length': String(Buffer.byteLength(wire.body)) }),
        },
        agent: wire.freshConnection ? fresh : kept,
      })
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        wire.signal?.removeEventListener('abort', giveUp)
        settle()
      }
      const fail = (fault: TransportFault, cause?: unknown): void => {
        const wasIdle = fault === 'cut' && outgoing.reusedSocket && !replied
        finish(() => reject(new TransportError(sent ? fault : 'not_sent', cause, wasIdle)))
        outgoing.destroy()
      }
      const failBy = (error: Error): void => fail(isGarbled(error) ? 'garbled' : 'cut', error)
      const giveUp = (): void => fail('timeout', wire.signal?.reason)
      const timer = setTimeout(() => fail('timeout'), wire.timeoutMs)
      if (wire.signal?.aborted) giveUp()
      wire.signal?.addEventListener('abort', giveUp)

      outgoing.on('error', failBy)
      outgoing.once('socket', (socket) => {
        const write = (): void => {
          if (wire.isLate?.() === true) {
            fail('timeout')
            return
          }
          sent = true
          outgoing.end(wire.body)
        }
        if (outgoing.reusedSocket) write()
        else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', write)
      })
      outgoing.once('upgrade', (_response, socket) => {
        socket.destroy()
        fail('garbled')
      })
      outgoing.once('response', (incoming) => {
        replied = true
        const chunks: Buffer[] = []
        let size = 0
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > MAX_REPLY_BYTES) fail('too_large')
          else chunks.push(chunk)
        })
        incoming.on('error', failBy)
        incoming.once('end', () => {
          const reply = { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }
          if (incoming.complete) finish(() => resolve(reply))
          else fail('cut')
        })
      })
    })

  const close = (): void => {
    kept.destroy()
    fresh.destroy()
  }
  return { send, close }
}
