/** Makes HTTP/2 calls over TLS as a browser does: over one connection, and a new one when the server has closed it. */
import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2'
import { createEventReader, type EventReader } from '#lib/server/stream/testing/event-reader.ts'

type Headers = Readonly<Record<string, string>>

export interface Http2Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Http2Stream {
  readonly reader: EventReader
  /** Resolves when the stream has ended, for any reason. */
  readonly ended: Promise<void>
}

export interface Http2Client {
  call(method: 'GET' | 'POST', path: string, headers?: Headers, body?: string): Promise<Http2Answer>
  /** Resolves when the answer's headers are there. @throws when the status is not 200 */
  stream(path: string, headers: Headers, lastEventId: string): Promise<Http2Stream>
  close(): void
}

interface Begun {
  readonly request: ClientHttp2Stream
  readonly headers: IncomingHttpHeaders & { ':status'?: number }
}

/** @param ca PEM of the authority that signed the server's certificate */
export function http2Client(url: string, ca: string): Http2Client {
  const connections = new Set<ClientHttp2Session>()
  let newest: ClientHttp2Session | null = null
  const connected = (): ClientHttp2Session => {
    if (newest !== null && !newest.closed && !newest.destroyed) return newest
    const connection = connect(url, { ca })
    connections.add(connection)
    // Each request reports its own error.
    connection.on('error', () => undefined).on('close', () => connections.delete(connection))
    newest = connection
    return connection
  }
  const send = async (method: string, path: string, headers: Headers, body = ''): Promise<Begun> => {
    const connection = connected()
    const request = connection.request({ ...headers, ':method': method, ':path': path }, { endStream: body === '' })
    request.setEncoding('utf8')
    const { promise, resolve, reject } = Promise.withResolvers<Begun['headers']>()
    request.on('response', resolve).on('error', reject)
    if (body !== '') request.end(body)
    try {
      return { request, headers: await promise }
    } catch (error) {
      if (request.rstCode !== constants.NGHTTP2_REFUSED_STREAM) throw error
      // The server has not processed the request (RFC 9113, section 8.7), so browsers send it again too.
      connection.close()
      return send(method, path, headers, body)
    }
  }
  return {
    async call(method, path, headers = {}, body = '') {
      const { request, headers: answer } = await send(method, path, headers, body)
      const { ':status': status = 0, ...rest } = answer
      let text = ''
      for await (const piece of request) text += String(piece)
      return { status, headers: rest, body: text }
    },
    async stream(path, headers, lastEventId) {
      const id: Headers = lastEventId === '' ? {} : { 'last-event-id': lastEventId }
      const { request, headers: answer } = await send('GET', path, { ...headers, ...id })
      if (answer[':status'] !== 200) throw new Error(`the stream got status ${answer[':status'] ?? 0}`)
      const reader = createEventReader(lastEventId)
      request.on('data', (piece: string) => reader.push(piece))
      return { reader, ended: new Promise((resolve) => request.on('close', () => resolve())) }
    },
    close() {
      for (const connection of connections) connection.destroy()
    },
  }
}
