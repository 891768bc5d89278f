import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { expect } from 'vitest'
import { makeKeyPair } from '../settings/keys.ts'
import { startSandbox } from '../start-sandbox.ts'
import type { Sandbox, SandboxOptions } from '../start-sandbox.ts'

export const API_KEY = 'test-key'
const MERCHANT_ID = 'test-merchant'

const merchantKeys = makeKeyPair()
const gatewayKeys = makeKeyPair()

export const merchantPrivateKey: KeyObject = createPrivateKey(merchantKeys.privateKey)

export const testMerchant = {
  id: MERCHANT_ID,
  name: 'Test',
  api_key: API_KEY,
  public_key: merchantKeys.publicKey,
  allow_custom_external_wallet: false,
  webhook_url: null,
} as const

export interface TestResponse {
  readonly status: number
  readonly text: string
  /** Undefined if the body is not JSON. */
  readonly body: Record<string, unknown>
}

async function replyOf(response: Response): Promise<TestResponse> {
  const text = await response.text()
  try {
    return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> }
  } catch {
    return { status: response.status, text, body: {} }
  }
}

/** The response to a call with a valid signature. Its body may be cut. */
export function signedFetch(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  nonce: string = randomUUID(),
): Promise<Response> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const canonical = method + new URL(url + path).pathname + nonce + text.replace(/\s/g, '')
  return fetch(url + path, {
    method,
    redirect: 'manual',
    ...(text === '' ? {} : { body: text }),
    headers: {
      'x-api-key': API_KEY,
      'x-api-nonce': nonce,
      'x-api-signature': sign('sha256', Buffer.from(canonical), merchantPrivateKey).toString('base64'),
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
    },
  })
}

/** Makes a call with a valid signature. */
export const signedCall = async (...call: Parameters<typeof signedFetch>): Promise<TestResponse> =>
  replyOf(await signedFetch(...call))

export async function controlCall(origin: string, method: string, path: string, body?: unknown): Promise<TestResponse> {
  const init = { method, body: JSON.stringify(body ?? {}), headers: { 'content-type': 'application/json' } }
  return replyOf(await fetch(`${origin}/control${path}`, method === 'GET' ? {} : init))
}

export interface TestSandbox extends Sandbox {
  readonly call: (method: string, path: string, body?: unknown, nonce?: string) => Promise<TestResponse>
  readonly control: (method: string, path: string, body?: unknown) => Promise<TestResponse>
}

/** A sandbox in memory on a free port, with one merchant and calls signed by its key. */
export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({
    merchants: [testMerchant],
    gatewayPrivateKey: gatewayKeys.privateKey,
    ...options,
  })
  return {
    ...sandbox,
    call: (method, path, body, nonce) => signedCall(sandbox.url, method, path, body, nonce),
    control: (method, path, body) => controlCall(sandbox.origin, method, path, body),
  }
}

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly raw: Buffer
  readonly event: {
    readonly event: string
    readonly transaction_uuid: string
    readonly transaction: { readonly status: string }
  }
}

export interface TestReceiver {
  readonly url: string
  readonly deliveries: ReceivedWebhook[]
  /** Statuses of the next answers; 200 after them. */
  readonly statuses: number[]
  readonly close: () => void
}

/** A merchant's webhook endpoint. */
export async function testReceiver(port = 0): Promise<TestReceiver> {
  const deliveries: ReceivedWebhook[] = []
  const statuses: number[] = []
  const app = new Hono()
  app.all('*', async (c) => {
    const raw = Buffer.from(await c.req.arrayBuffer())
    deliveries.push({
      headers: c.req.header(),
      raw,
      event: JSON.parse(raw.toString('utf8')) as ReceivedWebhook['event'],
    })
    return Response.json({}, { status: statuses.shift() ?? 200 })
  })
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => void handle(request, response)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    deliveries,
    statuses,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export const USDT_ON_TRON = { user_reference: 'user_1', currency: 'USDT', network: 'Tron' } as const
export const TRON_WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

/** The id of a listed currency. */
export async function currencyId(sandbox: TestSandbox, code: string, network: string): Promise<string> {
  const { body } = await sandbox.call('GET', '/v1/merchant/currencies')
  const listed = body as unknown as readonly { id: string; currency_code: string; network: string }[]
  return listed.find((one) => one.currency_code === code && one.network === network)?.id ?? ''
}

/** Repeats an assertion until it passes, even on a busy machine. */
export const eventually = <T>(read: () => T) => expect.poll(read, { interval: 20 })
