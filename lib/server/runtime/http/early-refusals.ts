/** Answers requests that Node refuses before the pipeline; Node's own answers have neither an id nor a body. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '#lib/contract/problems.ts'
import { TextAnswer } from './answer.ts'
import { problemAnswer } from './problem-answer.ts'

/** How long a client may keep sending after its answer: closing at once could destroy the answer. */
const UNREAD_MS = 1000

interface Refusal {
  readonly status: number
  readonly detail: string
}

const MALFORMED: Refusal = { status: 400, detail: 'This is not a valid HTTP request.' }
const HOSTS: Refusal = { status: 400, detail: 'The request must have one Host header.' }
const EXPECTATION: Refusal = { status: 417, detail: 'Only 100-continue can be expected.' }
/** Refusals by Node's error code; all others are malformed. */
const BY_CODE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, detail: 'The chunk extensions are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not arrive in time.' },
}

function answerOf({ status, detail }: Refusal, requestId: string): TextAnswer {
  const code = status === 413 ? 'payload_too_large' : 'invalid_request'
  const { content, headers } = problemAnswer(new Problem(code, detail, { status }), requestId)
  const more = { 'x-request-id': requestId, 'content-length': String(Buffer.byteLength(content)), connection: 'close' }
  return new TextAnswer(content, { status, headers: { ...headers, ...more } })
}

function rawText({ status, headers, content }: TextAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${content}`
}

/**
 * Gives all of Node's early refusals an `x-request-id` and the body of a problem (docs/reference/problem-codes.md,
 * "Problem codes").
 */
export function answerEarlyRefusals(server: Server, newId: () => string): void {
  /** The last response of each connection. */
  const responses = new WeakMap<Socket, ServerResponse>()
  const refused = new WeakSet<Socket>()
  server.on('request', ({ socket }, response) => responses.set(socket, response))

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Data after a refusal cannot be parsed either.
    if (refused.has(socket)) return
    const response = responses.get(socket)
    const midAnswer = response?.headersSent === true && !response.writableFinished
    if (!socket.writable || midAnswer) {
      socket.destroy()
      return
    }
    refused.add(socket)
    socket.end(rawText(answerOf(BY_CODE[error.code ?? ''] ?? MALFORMED, newId())))
    setTimeout(() => socket.destroy(), UNREAD_MS).unref()
  })

  server.on('checkExpectation', (_request, response) => write(response, answerOf(EXPECTATION, newId())))
}

const write = (response: ServerResponse, { status, headers, content }: TextAnswer): void => {
  response.writeHead(status, headers).end(content)
}

/** How many `Host` lines arrived: Node drops all but the first. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts
}

/**
 * Refuses a request with two `Host` lines, of which a proxy in front may have taken the other, and an HTTP/1.1 request
 * without one, for a server with `requireHostHeader` off.
 */
export const requireHost =
  (listener: RequestListener, newId: () => string): RequestListener =>
  (request, response) => {
    const hosts = hostsOf(request)
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) write(response, answerOf(HOSTS, newId()))
    else listener(request, response)
  }
