/**
 * The peer of the webhook route: a Fastify server that verifies the signature and commits three rows to SQLite for each
 * event, like a typical first version of such a server. `node bench/fastify-webhooks.ts <folder>` takes the gateway's
 * public key from `GATEWAY_PUBLIC_KEY` and prints its port. `GET /usage` answers with the used seconds of processor
 * time and the bytes of memory.
 */
import { createPublicKey, verify } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

const key = createPublicKey(process.env['GATEWAY_PUBLIC_KEY'] ?? '')
const db = new DatabaseSync(join(process.argv[2] ?? '.', 'peer.db'))
db.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table events (uuid text, status text, body text not null, primary key (uuid, status));
  create table transactions (uuid text primary key, user text not null, status text not null, amount text not null);
  create table entries (id integer primary key, uuid text not null, user text not null, amount text not null);`)
const insertEvent = db.prepare('insert into events (uuid, status, body) values (?, ?, ?) on conflict do nothing')
const putTransaction = db.prepare(
  'insert into transactions (uuid, user, status, amount) values (?, ?, ?, ?) on conflict do update set status = excluded.status',
)
const insertEntry = db.prepare('insert into entries (uuid, user, amount) values (?, ?, ?)')

interface Event {
  readonly transaction_uuid: string
  readonly user_reference: string
  readonly transaction: { readonly status: string; readonly amount: number }
}

const app = Fastify()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body)
})
app.post('/api/webhooks/gateway', (request, reply) => {
  const body = request.body as Buffer
  const { 'x-signature': signature, 'x-timestamp': timestamp } = request.headers as Record<string, string>
  const signed = Buffer.concat([body, Buffer.from(timestamp ?? '')])
  if (!verify('RSA-SHA256', signed, key, Buffer.from(signature ?? '', 'base64'))) return reply.code(401).send()
  const text = body.toString('utf8')
  const { transaction_uuid: uuid, user_reference: user, transaction } = JSON.parse(text) as Event
  const amount = String(transaction.amount)
  db.exec('begin immediate')
  insertEvent.run(uuid, transaction.status, text)
  putTransaction.run(uuid, user, transaction.status, amount)
  insertEntry.run(uuid, user, amount)
  db.exec('commit')
  return reply.send({ received: true, duplicate: false })
})
app.get('/usage', () => {
  const { user, system } = process.cpuUsage()
  return { seconds: (user + system) / 1e6, bytes: process.memoryUsage.rss() }
})

console.log(new URL(await app.listen({ host: 'localhost', port: 0 })).port)
