import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Answer } from './problem-answer.ts'
import { JsonAnswer, TextResponse } from './answer.ts'

const compress = promisify(gzip)

/** Below this, gzip saves less than a packet. */
const MIN_GZIP_BYTES = 1024
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|problem\+json))/
const ACCEPTS_GZIP = /(?:^|,)\s*gzip\s*(?:$|[,;](?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i

/** Header names and values in turn, as `writeHead` takes them. */
export type FlatHeaders = readonly string[]

/** True where the client is still sending: the connection cannot be used again then. */
const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/**
 * Writes an answer; one that comes before the body was read to its end closes the connection.
 * @param fixed headers beside the answer's own, which come first; none where they are set on `response` already
 */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    status,
    headers,
    body,
  }: { readonly status: number; readonly headers: Answer['headers']; readonly body: string | Buffer },
  fixed: FlatHeaders = [],
  cookies: readonly string[] = [],
): void {
  if (response.destroyed || response.headersSent) return
  const head: string[] = []
  for (let at = 0; at < fixed.length; at += 2) {
    const [name = '', value = ''] = [fixed[at], fixed[at + 1]]
    if (!(name in headers)) head.push(name, value)
  }
  for (const name in headers) head.push(name, headers[name] ?? '')
  for (const cookie of cookies) head.push('set-cookie', cookie)
  if (hasUnreadBody(request)) head.push('connection', 'close')
  const hasBody = status !== 204 && status !== 304
  if (hasBody) head.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, head)
  response.end(hasBody && request.method !== 'HEAD' ? body : undefined)
}

const VARY = 'accept-encoding'

/** Writes what a handler gave, compressed where the client takes gzip. Cookies stay separate headers. */
export async function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response | JsonAnswer,
  fixed: FlatHeaders = [],
): Promise<void> {
  const isJson = answer instanceof JsonAnswer
  const headers: Record<string, string> = isJson ? { ...answer.headers } : {}
  if (!isJson) for (const [name, value] of answer.headers) if (name !== 'set-cookie') headers[name] = value

  let body: string | Buffer =
    isJson || answer instanceof TextResponse ? answer.content : Buffer.from(await answer.arrayBuffer())
  if (COMPRESSIBLE.test(headers['content-type'] ?? '')) {
    headers['vary'] = headers['vary'] === undefined ? VARY : `${headers['vary']}, ${VARY}`
    const accepted = request.headers['accept-encoding']
    if (body.length >= MIN_GZIP_BYTES && accepted !== undefined && ACCEPTS_GZIP.test(accepted)) {
      body = await (isJson || answer instanceof TextResponse ? answer.compressed() : compress(body))
      headers['content-encoding'] = 'gzip'
    }
  }
  const cookies = isJson ? [] : answer.headers.getSetCookie()
  writeAnswer(request, response, { status: answer.status, headers, body }, fixed, cookies)
}
