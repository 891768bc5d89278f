/**
 * `npm run abuse`, after `npm run build`: what strangers can hold of the process, and what an honest user feels of it
 * (docs/reliability.md, "Abuse"). Figures of this machine, on which the strangers run too.
 */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startStack, type Stack } from '../e2e/fixtures/stack.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'

const MEASURE_MS = 6000
const PAUSE_MS = 40
/** A page's session has 600 calls a minute, so several share the measuring. */
const USERS = 20

interface Visit {
  readonly path: string
  readonly cookie: string
}

/** What strangers do; `stop` lets go of everything. */
interface Abuse {
  readonly name: string
  readonly begin: (stack: Stack, visits: readonly Visit[]) => Promise<{ readonly stop: () => void }>
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN

/** Milliseconds until the answer has ended, or NaN where there was none. */
function timed(url: string, options: { method?: string; headers?: Record<string, string>; body?: string }) {
  const { body, ...rest } = options
  const began = performance.now()
  return new Promise<{ readonly ms: number; readonly status: number }>((resolve) => {
    const sent = request(url, { ...rest, agent: false }, (response) => {
      response
        .resume()
        .once('close', () => resolve({ ms: performance.now() - began, status: response.statusCode ?? 0 }))
    })
    sent.once('error', () => resolve({ ms: performance.now() - began, status: 0 }))
    sent.end(body)
  })
}

async function launched({ cashier }: Stack): Promise<Visit> {
  const { session_id, launch_token } = await cashier.api.createSession({ user_reference_id: `honest-${randomUUID()}` })
  const answer = await fetch(`${cashier.url}/launch`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ launch_token }),
  })
  return { path: `/c/${session_id}/deposit`, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

/** Honest users for a time: pages and webhooks, each on a new connection. */
async function measure(stack: Stack, visits: readonly Visit[]) {
  const key = stack.sandbox.env['SANDBOX_GATEWAY_PRIVATE_KEY'] ?? ''
  const [pages, webhooks]: [number[], number[]] = [[], []]
  let failed = 0
  const until = performance.now() + MEASURE_MS
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

/** Sockets that say `head` and then `drip` every second; one that is cut off comes again. */
const sockets = (count: number, head: string, drip: string | null) => (stack: Stack) => {
  const { hostname, port } = new URL(stack.cashier.url)
  const open = new Set<Socket>()
  let stopped = false
  const begin = (): void => {
    if (stopped) return
    const socket = connect(Number(port), hostname, () => socket.write(head))
    const dripping = drip === null ? undefined : setInterval(() => socket.write(drip), 1000)
    open.add(socket)
    socket.on('error', () => undefined).on('data', () => undefined)
    socket.once('close', () => {
      clearInterval(dripping)
      open.delete(socket)
      setTimeout(begin, 5000).unref()
    })
  }
  for (let at = 0; at < count; at += 1) begin()
  return {
    stop() {
      stopped = true
      for (const socket of open) socket.destroy()
    },
  }
}

/** Requests without end, so many at a time. */
const flood =
  (
    atATime: number,
    next: (stack: Stack) => { path: string; method?: string; headers?: Record<string, string>; body?: string },
  ) =>
  (stack: Stack) => {
    let stopped = false
    const lane = async (): Promise<void> => {
      while (!stopped) {
        const { path, ...options } = next(stack)
        await timed(stack.cashier.url + path, options)
      }
    }
    for (let at = 0; at < atATime; at += 1) void lane()
    return { stop: () => void (stopped = true) }
  }

const HEAD = 'Host: localhost\r\n'
const SIGNED = 'X-Signature: AAAA\r\nX-Timestamp: 1700000000\r\nX-Algorithm: RSA-SHA256\r\n'
const WEBHOOK = `POST /api/webhooks/gateway HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n${SIGNED}Content-Length: 262144\r\n\r\n${'x'.repeat(200_000)}`
const bigCookie = (): string =>
  Array.from({ length: 20 }, () => `__Host-cashier-${randomUUID()}=${'Fe26.2*'.padEnd(600, 'x')}`).join('; ')

const started =
  (begin: (stack: Stack) => { stop: () => void }): Abuse['begin'] =>
  (stack) =>
    Promise.resolve(begin(stack))

const ABUSES: readonly Abuse[] = [
  { name: '500 slow heads', begin: started(sockets(500, `GET / HTTP/1.1\r\n${HEAD}`, 'X-A: b\r\n')) },
  { name: '600 unfinished webhooks of 200 kB', begin: started(sockets(600, WEBHOOK, 'x')) },
  { name: '10,000 idle connections', begin: started(sockets(10_000, '', null)) },
  {
    name: '100 streams that do not read',
    async begin(stack, visits) {
      const open: Socket[] = []
      for (const { path, cookie } of visits.slice(0, 10)) {
        const id = path.split('/')[2] ?? ''
        for (let at = 0; at < 10; at += 1) {
          const { hostname, port } = new URL(stack.cashier.url)
          const socket = connect(Number(port), hostname)
          socket.on('error', () => undefined).pause()
          socket.write(`GET /api/cashier/events?session=${id} HTTP/1.1\r\n${HEAD}Cookie: ${cookie}\r\n\r\n`)
          open.push(socket)
        }
      }
      return Promise.resolve({ stop: () => open.forEach((socket) => socket.destroy()) })
    },
  },
  {
    name: 'pages without a session, 8 at a time',
    begin: started(flood(8, () => ({ path: `/c/${randomUUID()}/deposit` }))),
  },
  {
    name: 'big cookies, 8 at a time',
    begin: started(
      flood(8, () => ({
        path: '/api/cashier/balances',
        headers: { cookie: bigCookie(), 'x-cashier-session': randomUUID() },
      })),
    ),
  },
  {
    name: 'strange languages, 8 at a time',
    begin: started(
      flood(8, () => ({ path: '/launch?token=x', headers: { 'accept-language': `de-${randomUUID()},`.repeat(300) } })),
    ),
  },
  {
    name: 'bogus launches, 8 at a time',
    begin: started(
      flood(8, () => ({
        path: '/launch',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `launch_token=${randomUUID()}`,
      })),
    ),
  },
]

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const ms = (value: number): string => value.toFixed(1)

const stack = await startStack({ cashier: { LOG_LEVEL: 'warn' } })
try {
  const visits: Visit[] = []
  for (let at = 0; at < USERS; at += 1) visits.push(await launched(stack))
  await measure(stack, visits)
  const idle = await measure(stack, visits)
  console.log(line(['strangers', 'page, p95 ms', 'webhook, p95 ms', 'honest calls that failed']))
  console.log(line(['---', '---:', '---:', '---:']))
  console.log(line(['none', ms(idle.page), ms(idle.webhook), String(idle.failed)]))
  for (const { name, begin } of ABUSES) {
    const abuse = await begin(stack, visits)
    await sleep(2000)
    const felt = await measure(stack, visits)
    abuse.stop()
    console.log(line([name, ms(felt.page), ms(felt.webhook), String(felt.failed)]))
    await sleep(2000)
  }
} finally {
  await stack.stop()
}
