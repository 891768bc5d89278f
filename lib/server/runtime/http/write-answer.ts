import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, type Writable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { accepts } from './accepts.ts'
import type { Answer } from './answer.ts'

/** Below this size, gzip saves less than a packet. */
const MIN_GZIP_BYTES = 1024
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|problem\+json))/
const VARY = 'accept-encoding'

/** Alternating header names and values, as `writeHead` takes them. */
export type FlatHeaders = readonly string[]

/** True if the client is still sending: the connection then cannot be used again. */
const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** A way into the response that compresses; either end closes the other. */
function zipped(response: ServerResponse): Writable {
  const zip = createGzip({ level: constants.Z_BEST_SPEED })
  pipeline(zip, response, () => undefined)
  return zip
}

function headOf(fixed: FlatHeaders, headers: Answer['headers']): string[] {
  const head: string[] = []
  for (let at = 0; at < fixed.length; at += 2) {
    const [name = '', value = ''] = [fixed[at], fixed[at + 1]]
    if (!(name in headers)) head.push(name, value)
  }
  for (const name in headers) head.push(name, headers[name] ?? '')
  return head
}

/**
 * Writes the answer of a handler. A text is compressed if the client accepts gzip. An answer before the end of the body
 * closes the connection.
 * @param fixed further headers, which the answer's own replace; empty if they are already set on `response`
 */
export async function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  fixed: FlatHeaders = [],
): Promise<void> {
  const head = headOf(fixed, answer.headers)
  if ('writeTo' in answer) {
    const zip = answer.framed === true && accepts(request.headers['accept-encoding'], 'gzip')
    if (answer.framed === true) head.push('vary', VARY, ...(zip ? ['content-encoding', 'gzip'] : []))
    // A pipeline into a destroyed response throws, and the answer would not learn that its client has gone.
    const { destroyed } = response
    if (!destroyed) {
      // With chunked encoding each event would be written in four pieces. Without it, the stream lasts until its
      // connection ends.
      if (answer.framed !== true) response.removeHeader('transfer-encoding')
      response.writeHead(200, head)
    }
    answer.writeTo(zip && !destroyed ? zipped(response) : response)
    return
  }

  const { status, content, headers, cookies } = answer
  let body: string | Buffer = content
  if (COMPRESSIBLE.test(headers['content-type'] ?? '')) {
    head.push('vary', VARY)
    if (content.length >= MIN_GZIP_BYTES && accepts(request.headers['accept-encoding'], 'gzip')) {
      body = await answer.compressed()
      head.push('content-encoding', 'gzip')
    }
  }
  if (response.destroyed || response.headersSent) return
  for (const cookie of cookies) head.push('set-cookie', cookie)
  if (hasUnreadBody(request)) head.push('connection', 'close')
  const hasBody = status !== 204 && status !== 304
  if (hasBody) head.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, head)
  response.end(hasBody && request.method !== 'HEAD' ? body : undefined)
}
