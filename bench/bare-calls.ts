/**
 * What a call that asks the gateway costs at least: plain `node:http` that signs, asks over kept connections, reads the
 * reply and answers from it, without sessions, schemas and books. A first address is kept as one row.
 * `node bench/bare-calls.ts <folder>` takes the gateway from the cashier's variables and prints its port. `GET /usage`
 * answers with seconds of processor time.
 */
import { createPrivateKey, randomUUID, sign, type KeyObject } from 'node:crypto'
import { Agent, createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

interface Transactions {
  readonly edges: readonly { readonly cursor: string; readonly node: Readonly<Record<string, unknown>> }[]
}

const { GATEWAY_BASE_URL = '', GATEWAY_API_KEY = '', GATEWAY_PRIVATE_KEY = '' } = process.env
const gateway = new URL(GATEWAY_BASE_URL)
const agent = new Agent({ keepAlive: true })
const key = createPrivateKey(GATEWAY_PRIVATE_KEY)
const signInPool = promisify(sign) as (algorithm: string, text: Buffer, key: KeyObject) => Promise<Buffer>

const db = new DatabaseSync(join(process.argv[2] ?? '.', 'bare-calls.db'))
db.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table addresses (user text, currency text, address text, primary key (user, currency)) without rowid`)
const keep = db.prepare('insert into addresses values (?, ?, ?)')

/** The gateway's reply to this question. */
async function ask(path: string, question: object): Promise<unknown> {
  const body = JSON.stringify(question)
  const nonce = randomUUID()
  const text = Buffer.from(`POST${path}${nonce}${body.replaceAll(/\s/g, '')}`)
  const signature = (await signInPool('RSA-SHA256', text, key)).toString('base64')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  request(new URL(path, gateway), {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-api-key': GATEWAY_API_KEY,
      'x-api-nonce': nonce,
      'x-api-signature': signature,
    },
  })
    .on('response', (reply) => {
      buffer(reply).then(resolve, reject)
    })
    .on('error', reject)
    .end(body)
  return JSON.parse((await promise).toString('utf8'))
}

function answer(response: ServerResponse, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

createServer((incoming, response) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost')
  const [user, currency] = [searchParams.get('user') ?? '', searchParams.get('currency') ?? '']
  const routes: Readonly<Record<string, () => Promise<object>>> = {
    '/usage': () => {
      const { user: own, system } = process.cpuUsage()
      return Promise.resolve({ seconds: (own + system) / 1e6 })
    },
    '/address': async () => {
      const reply = await ask('/v1/user/deposit/address', { currency_id: currency, user_reference: user })
      const { address } = reply as { readonly address: string }
      keep.run(user, currency, address)
      return { address }
    },
    '/history': async () => {
      const reply = await ask('/v1/user/transactions', { user_reference_id: user, first: 20 })
      return { items: (reply as Transactions).edges.map(({ cursor, node }) => ({ ...node, cursor })) }
    },
  }
  const route = routes[pathname]
  if (route === undefined) response.writeHead(404).end()
  else
    route().then(
      (body) => answer(response, body),
      (error: unknown) => {
        response.writeHead(500).end(String(error))
      },
    )
}).listen(0, 'localhost', function listening(this: { address(): string | AddressInfo | null }) {
  console.log((this.address() as AddressInfo).port)
})
