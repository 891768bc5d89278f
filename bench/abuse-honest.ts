/** Measures response times of an honest user's pages and of the gateway's webhooks, each on a new connection. */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '../e2e/fixtures/stack.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'

const PAUSE_MS = 40

/** A page of a session, and the cookie that opens it. */
export interface Visit {
  readonly path: string
  readonly cookie: string
}

export interface Felt {
  /** p95 in milliseconds. */
  readonly page: number
  readonly webhook: number
  readonly failed: number
}

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Milliseconds until the answer has ended; status 0 if no answer came. */
export function timed(url: string, { body, method = 'GET', headers = {} }: Call) {
  const began = performance.now()
  return new Promise<{ readonly ms: number; readonly status: number }>((resolve) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      response
        .resume()
        .once('close', () => resolve({ ms: performance.now() - began, status: response.statusCode ?? 0 }))
    })
    sent.once('error', () => resolve({ ms: performance.now() - began, status: 0 }))
    sent.end(body)
  })
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN

/** A new user's session. */
export async function launched({ cashier }: Stack): Promise<Visit> {
  const { session_id, launch_token } = await cashier.api.createSession({ user_reference_id: `honest-${randomUUID()}` })
  const answer = await fetch(`${cashier.url}/launch`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ launch_token }),
  })
  return { path: `/c/${session_id}/deposit`, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

/** Requests pages and webhooks in turn for some time. */
export async function measure(stack: Stack, visits: readonly Visit[], forMs: number): Promise<Felt> {
  const key = stack.sandbox.env['SANDBOX_GATEWAY_PRIVATE_KEY'] ?? ''
  const [pages, webhooks]: [number[], number[]] = [[], []]
  let failed = 0
  const until = performance.now() + forMs
  for (let at = 0; performance.now() < until; at += 1) {
    const { path, cookie } = visits[at % visits.length] as Visit
    const page = await timed(stack.cashier.url + path, { headers: { cookie } })
    const body = depositEvent({ uuid: randomUUID(), user: 'nobody', amount: '1', status: 'processing' })
    const headers = { 'content-type': 'application/json', ...webhookHeaders(key, body) }
    const webhook = await timed(`${stack.cashier.url}/api/webhooks/gateway`, { method: 'POST', headers, body })
    pages.push(page.ms)
    webhooks.push(webhook.ms)
    failed += Number(page.status !== 200) + Number(webhook.status !== 200)
    await sleep(PAUSE_MS)
  }
  return { page: p95(pages), webhook: p95(webhooks), failed }
}
