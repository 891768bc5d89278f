import type { IncomingMessage, ServerResponse } from 'node:http'

const MOST_BYTES = 64 * 1024

/** @throws RangeError where the body is larger than any that belongs here */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new RangeError('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function send(response: ServerResponse, status: number, type: string, content: string | Uint8Array): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  response.end(content)
}

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  send(response, status, 'application/json', value === null ? '' : JSON.stringify(value))

/** A call of our own page; another site's page could send a form, but not with this header. */
export const isOwnPage = (request: IncomingMessage): boolean =>
  request.headers.origin === undefined || request.headers.origin === `http://${request.headers.host ?? ''}`
