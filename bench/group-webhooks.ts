/**
 * The fastest plain peer of the webhook route: one process on bare `node:http` that verifies the signature and commits
 * one row to SQLite for each event; all events that wait share one commit. `node bench/group-webhooks.ts <folder>` takes
 * the gateway's public key from `GATEWAY_PUBLIC_KEY` and prints its port. `GET /usage` answers as in
 * `fastify-webhooks.ts`.
 */
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

interface Waiting {
  readonly uuid: string
  readonly status: string
  readonly text: string
  readonly response: ServerResponse
}

const key = createPublicKey(process.env['GATEWAY_PUBLIC_KEY'] ?? '')
const db = new DatabaseSync(join(process.argv[2] ?? '.', 'group.db'))
db.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table events (uuid text, status text, body text not null, primary key (uuid, status));`)
const insertEvent = db.prepare('insert into events (uuid, status, body) values (?, ?, ?) on conflict do nothing')

const answer = (response: ServerResponse, status: number, value: object): void => {
  const text = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

let waiting: Waiting[] = []

function commit(): void {
  const group = waiting
  waiting = []
  db.exec('begin immediate')
  for (const { uuid, status, text } of group) insertEvent.run(uuid, status, text)
  db.exec('commit')
  for (const { response } of group) answer(response, 200, { received: true, duplicate: false })
}

/** Commits once a turn of the event loop has brought no more events. */
function gather(before: number): void {
  setImmediate(() => {
    if (waiting.length > before) gather(waiting.length)
    else commit()
  })
}

function receive({ headers }: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { 'x-signature': signature = '', 'x-timestamp': timestamp = '' } = headers
  const signed = Buffer.concat([body, Buffer.from(String(timestamp))])
  if (!verify('RSA-SHA256', signed, key, Buffer.from(String(signature), 'base64'))) {
    answer(response, 401, {})
    return
  }
  const text = body.toString('utf8')
  const event = JSON.parse(text) as { transaction_uuid: string; transaction: { status: string } }
  waiting.push({ uuid: event.transaction_uuid, status: event.transaction.status, text, response })
  if (waiting.length === 1) gather(0)
}

const server = createServer((request, response) => {
  if (request.url === '/usage') {
    const { user, system } = process.cpuUsage()
    answer(response, 200, { seconds: (user + system) / 1e6, bytes: process.memoryUsage.rss() })
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    receive(request, Buffer.concat(chunks), response)
  })
})
server.listen(0, 'localhost', () => {
  console.log((server.address() as AddressInfo).port)
})
