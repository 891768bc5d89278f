/**
 * The peer of the streams: plain `node:http` that keeps responses by user, and writes each verified webhook to the
 * responses of its user. Each gets a comment every 15 seconds. `node bench/raw-streams.ts` takes the gateway's public key from `GATEWAY_PUBLIC_KEY` and
 * prints its port. `GET /usage` answers with seconds of processor time and bytes of memory.
 */
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const key = createPublicKey(process.env['GATEWAY_PUBLIC_KEY'] ?? '')
const streams = new Map<string, ServerResponse[]>()

function webhook(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const { 'x-signature': signature, 'x-timestamp': timestamp } = request.headers as Record<string, string>
  const signed = Buffer.concat([body, Buffer.from(timestamp ?? '')])
  if (!verify('RSA-SHA256', signed, key, Buffer.from(signature ?? '', 'base64'))) {
    response.writeHead(401).end()
    return
  }
  const { user_reference, transaction } = JSON.parse(body.toString('utf8')) as Record<string, string>
  const text = `event: transaction\ndata: ${JSON.stringify(transaction)}\n\n`
  for (const stream of streams.get(user_reference ?? '') ?? []) stream.write(text)
  response.setHeader('content-length', 2).end('{}')
}

/** Evenly: a part of the responses each second. */
const BEAT_S = 15
const all: ServerResponse[] = []
let second = 0
setInterval(() => {
  second += 1
  for (let at = second % BEAT_S; at < all.length; at += BEAT_S) all[at]?.write(': still here\n\n')
}, 1000)

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/usage') {
    const { user, system } = process.cpuUsage()
    response.end(JSON.stringify({ seconds: (user + system) / 1e6, bytes: process.memoryUsage.rss() }))
  } else if (request.method === 'POST') {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => webhook(request, response, Buffer.concat(chunks)))
  } else {
    const user = searchParams.get('user') ?? ''
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
    streams.set(user, [...(streams.get(user) ?? []), response])
    all.push(response)
  }
})
server.listen(0, 'localhost', () => console.log((server.address() as AddressInfo).port))
