/** The attacks of `npm run abuse`. */
import type { Visit } from './abuse-honest.ts'
import type { Task } from './abuse-strangers.ts'

export interface Abuse {
  readonly name: string
  /** Each item is the work of one process. */
  readonly tasks: readonly Task[]
}

const HEAD = 'Host: localhost\r\n'
const SIGNED = 'X-Signature: AAAA\r\nX-Timestamp: 1700000000\r\nX-Algorithm: RSA-SHA256\r\n'
const WEBHOOK = `POST /api/webhooks/gateway HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n${SIGNED}Content-Length: 262144\r\n\r\n${'x'.repeat(200_000)}`
const BIG_COOKIE = `__Host-cashier-{id}=${'Fe26.2*'.padEnd(600, 'x')}`
const STREAMS_EACH = 10

const sockets = (count: number, head: string, drip: string | null, from = '127.0.0.1'): Task => ({
  kind: 'sockets',
  count,
  head,
  drip,
  from,
})
const flood = (call: Extract<Task, { kind: 'flood' }>['call']): Task => ({ kind: 'flood', atATime: 8, call })

/** @param visits sessions whose streams are opened and not read */
export const abuses = (visits: readonly Visit[]): readonly Abuse[] => [
  { name: '500 slow heads', tasks: [sockets(500, `GET / HTTP/1.1\r\n${HEAD}`, 'X-A: b\r\n')] },
  { name: '600 unfinished webhooks of 200 kB', tasks: [sockets(600, WEBHOOK, 'x')] },
  {
    name: '20,000 idle connections',
    tasks: ['127.0.0.2', '127.0.0.3'].map((from) => sockets(10_000, '', null, from)),
  },
  {
    name: '100 streams that do not read',
    tasks: [{ kind: 'streams', visits: visits.slice(0, 10), each: STREAMS_EACH }],
  },
  { name: 'pages without a session, 8 at a time', tasks: [flood({ path: '/c/{id}/deposit' })] },
  {
    name: 'pages without a session, requested as Next’s client does, 8 at a time',
    tasks: [flood({ path: '/c/{id}/deposit?_rsc={id}', headers: { rsc: '1' } })],
  },
  { name: 'pages that do not exist, 8 at a time', tasks: [flood({ path: '/{id}' })] },
  { name: 'the return page of a provider, 8 at a time', tasks: [flood({ path: '/onramp/return' })] },
  {
    name: 'messages of a language, 8 at a time',
    tasks: [flood({ path: '/messages/de', headers: { 'accept-encoding': 'gzip' } })],
  },
  {
    name: 'big cookies, 8 at a time',
    tasks: [
      flood({
        path: '/api/cashier/balances',
        headers: { cookie: Array.from({ length: 20 }, () => BIG_COOKIE).join('; '), 'x-cashier-session': '{id}' },
      }),
    ],
  },
  {
    name: 'unknown languages, 8 at a time',
    tasks: [flood({ path: '/launch?token=x', headers: { 'accept-language': 'de-{id},'.repeat(300) } })],
  },
  {
    name: 'bogus launches, 8 at a time',
    tasks: [
      flood({
        path: '/launch',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'launch_token={id}',
      }),
    ],
  },
]
