import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Answer } from './problem-response.ts'
import { TextResponse } from './text-response.ts'

const compress = promisify(gzip)

/** Below this, gzip saves less than a packet. */
const MIN_GZIP_BYTES = 1024
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|problem\+json))/
const ACCEPTS_GZIP = /(?:^|,)\s*gzip\s*(?:$|[,;](?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i

/** True where the client is still sending: the connection cannot be used again then. */
const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** Writes an answer; one that comes before the body was read to its end closes the connection. */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    status,
    headers,
    body,
  }: { readonly status: number; readonly headers: Answer['headers']; readonly body: string | Buffer },
): void {
  if (response.destroyed || response.headersSent) return
  if (hasUnreadBody(request)) response.setHeader('connection', 'close')
  const hasBody = status !== 204 && status !== 304
  response.writeHead(status, { ...headers, ...(hasBody && { 'content-length': Buffer.byteLength(body) }) })
  response.end(hasBody && request.method !== 'HEAD' ? body : undefined)
}

/** Writes the `Response` of a handler, compressed where the client takes gzip. Cookies stay separate headers. */
export async function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<void> {
  const headers: Record<string, string> = {}
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') headers[name] = value
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)

  let body: string | Buffer = answer instanceof TextResponse ? answer.content : Buffer.from(await answer.arrayBuffer())
  if (COMPRESSIBLE.test(headers['content-type'] ?? '')) {
    headers['vary'] = headers['vary'] === undefined ? 'accept-encoding' : `${headers['vary']}, accept-encoding`
    const accepted = request.headers['accept-encoding']
    if (body.length >= MIN_GZIP_BYTES && accepted !== undefined && ACCEPTS_GZIP.test(accepted)) {
      body = await compress(body)
      headers['content-encoding'] = 'gzip'
    }
  }
  writeAnswer(request, response, { status: answer.status, headers, body })
}
