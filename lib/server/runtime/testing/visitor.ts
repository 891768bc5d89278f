/** The calls of a merchant's backend and of a browser. */
import { expect } from 'vitest'
import type { TestServer } from './test-server.ts'

/** The called server. */
type Server = Pick<TestServer, 'url' | 'config'>

const OK_JSON = { 'content-type': 'application/json' }

export interface Created {
  readonly session_id: string
  readonly launch_token: string
  readonly launch_url: string
  readonly expires_at: string
}

/** A call with the merchant's key. */
export const asMerchant = (server: Server, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${server.config.merchantApiKeys[0]}`, ...OK_JSON, ...(init.headers as object) },
  })

export async function newSession(server: Server, body: object = {}): Promise<Created> {
  const response = await asMerchant(server, '/api/merchant/sessions', {
    method: 'POST',
    body: JSON.stringify({ user_reference_id: 'player-1', ...body }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as Created
}

/** Each launch has another client address, which counts only behind a proxy. */
let household = 0
const nextAddress = (): string => {
  household += 1
  return `198.51.${household >> 8}.${household % 256}`
}

export const postLaunch = (
  server: Server,
  token: string,
  headers: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${server.url}/launch`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ launch_token: token, ...more }),
  })

/** The changes of a call by a test; these headers win, and an empty header is left out. */
interface Change {
  readonly method?: string
  readonly body?: BodyInit
  readonly duplex?: 'half'
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Visitor {
  readonly id: string
  /** The session's `Cookie` header. */
  readonly cookie: string
  /** Makes a call like the page. */
  call(path: string, change?: Change): Promise<Response>
}

/** A session that was launched in its own browser. */
export async function newVisitor(server: Server, body: object = {}): Promise<Visitor> {
  const { session_id: id, launch_token } = await newSession(server, body)
  const launched = await postLaunch(server, launch_token, { 'x-forwarded-for': nextAddress() })
  expect(launched.status).toBe(303)
  const cookie = launched.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    id,
    cookie,
    call(path, change = {}) {
      const usual: Record<string, string> = {
        cookie,
        'x-cashier-session': id,
        ...(['POST', 'PUT', 'DELETE'].includes(change.method ?? '') && { origin: server.config.publicUrl, ...OK_JSON }),
      }
      const headers = Object.entries({ ...usual, ...change.headers }).filter(([, value]) => value !== '')
      return fetch(server.url + path, { ...change, headers: Object.fromEntries(headers) })
    },
  }
}
