/**
 * Signed deposit webhooks, each on disk before it is answered. The peer is the least that could promise the same: bare
 * node:http that verifies the signature, appends the body to a file and calls fsync, one webhook after the other.
 */
import { createVerify, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rsaKeyPair } from '../e2e/fixtures/keys.ts'
import { startStack } from '../e2e/fixtures/stack.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'
import { load, type LoadCall, type Load } from './load.ts'
import type { Row } from './table.ts'

const COUNT = 4000
const AT_A_TIME = 64
const USER = 'bench'

function depositPost(privateKey: string): LoadCall {
  const body = depositEvent({ uuid: randomUUID(), user: USER, amount: '12.5', status: 'succeeded' })
  return { method: 'POST', path: '/api/webhooks/gateway', body, headers: webhookHeaders(privateKey, body) }
}

async function bare(posts: readonly LoadCall[], publicKey: string): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-bench-'))
  const file = openSync(join(folder, 'inbox'), 'a')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const verify = createVerify('RSA-SHA256').update(body).update(String(request.headers['x-timestamp']))
      const genuine = verify.verify(publicKey, String(request.headers['x-signature']), 'base64')
      writeSync(file, body)
      fsyncSync(file)
      response.writeHead(genuine ? 200 : 401).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await load(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), posts, AT_A_TIME)
  } finally {
    server.close()
    closeSync(file)
    rmSync(folder, { recursive: true })
  }
}

export async function webhooks(): Promise<readonly Row[]> {
  const { privateKey, publicKey } = rsaKeyPair()
  const stack = await startStack({ cashier: { GATEWAY_PUBLIC_KEY: publicKey } })
  try {
    await stack.cashier.api.createSession({ user_reference_id: USER })
    const posts = Array.from({ length: COUNT }, () => depositPost(privateKey))
    const ours = await load(new URL(stack.cashier.url), posts, AT_A_TIME)
    const theirs = await bare(posts, publicKey)
    return [
      { what: 'webhooks a second', ours: ours.perSecond, peer: theirs.perSecond },
      { what: 'webhooks, ms that 99 % stay below', ours: ours.p99, peer: theirs.p99 },
    ]
  } finally {
    await stack.stop()
  }
}
