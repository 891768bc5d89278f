/** Random odd requests from one seed: methods, paths, headers, bodies and encodings, with and without a session. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

export interface FuzzAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** The credentials of an accepted caller: a session's cookie and id, the merchant's key, our origin. */
export interface FuzzKeys {
  readonly cookie: string
  readonly sessionId: string
  readonly merchantKey: string
  readonly origin: string
}

/** A generator of numbers from 0 to below 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
const ODD_TEXTS = [
  '',
  ' ',
  '%',
  '%00',
  '%ff%fe',
  '..%2f..%2fetc',
  '__proto__',
  'hasOwnProperty',
  '-1',
  '1e9',
  '9'.repeat(60),
  'x'.repeat(3000),
  '"><script>',
  "' or 1=1 --",
  '%F0%9F%91%9B',
  '%ED%A0%80',
]
const NAMES = [
  'first',
  'last',
  'after',
  'before',
  'limit',
  'time_range',
  'transaction_types',
  'session',
  'last_event_id',
  'token',
  'reason',
  'state',
  'status',
  'user_reference_id',
]
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json; charset=utf-16',
  '',
]
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  'x',
  '\0',
  '\ud800',
  '1.5',
  '-0',
  '00.1',
  [],
  [[]],
  {},
  { toString: 1 },
  'https://shop.example/',
  'deposit',
  ['deposit'],
  '0198c1a2-0000-7000-8000-000000000001',
]
const FIELDS = [
  'currency_id',
  'amount',
  'wallet_address',
  'fiat_currency',
  'country',
  'user_reference_id',
  'flows',
  'locale',
  'theme',
  'tokens',
  'metadata',
  'account_label',
  'merchant_name',
  'return_url',
  'currency_ids',
  'decision',
  'outcome',
  'transaction_uuid',
  'action',
  'note',
  'cursors',
  'dead',
  'reference',
  '__proto__',
  'constructor',
  'hasOwnProperty',
]

/** An endless series of requests to these routes (`[name]` segments are filled). */
export function* fuzzRequests(routes: readonly string[], keys: FuzzKeys, seed: number): Generator<FuzzRequest, never> {
  const random = randomFrom(seed)
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const chance = (part: number): boolean => random() < part
  const times = (most: number): readonly undefined[] =>
    Array<undefined>(Math.floor(random() * (most + 1))).fill(undefined)

  const bodyText = (): string => {
    const fields = times(6).map(() => `${JSON.stringify(one(FIELDS))}:${JSON.stringify(one(VALUES))}`)
    const text = `{${fields.join(',')}}`
    return chance(0.1) ? text.slice(0, Math.floor(random() * text.length)) : text
  }
  const body = (): Buffer => {
    if (chance(0.05)) return Buffer.from([0xff, 0xfe, 0x00, 0x7b])
    if (chance(0.02)) return Buffer.alloc(300_000, 0x20)
    if (chance(0.1)) return Buffer.from(`launch_token=${one(ODD_TEXTS)}&locale=${one(ODD_TEXTS)}`)
    return Buffer.from(bodyText())
  }
  const query = (): string => {
    const pairs = times(3).map(() => `${one(NAMES)}=${one(ODD_TEXTS)}`)
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  }
  const headers = (): Record<string, string> => {
    const given: Record<string, string> = {}
    if (chance(0.7)) given['cookie'] = chance(0.9) ? keys.cookie : `${keys.cookie.slice(0, -5)}; a=${'b'.repeat(2000)}`
    if (chance(0.7)) given['x-cashier-session'] = chance(0.9) ? keys.sessionId : one(['', 'x', '../x'])
    if (chance(0.7)) given['origin'] = chance(0.7) ? keys.origin : one(['null', 'https://evil.example', ''])
    if (chance(0.6))
      given['authorization'] = chance(0.9) ? `Bearer ${keys.merchantKey}` : one(['Bearer', 'Basic x', ''])
    if (chance(0.3)) given['idempotency-key'] = one(['k'.repeat(8), '', 'é'.repeat(9), 'k'.repeat(200)])
    if (chance(0.2)) given['accept-language'] = one(['*', 'de-'.repeat(3000), ';;;q=', 'de;q=2'])
    if (chance(0.2)) given['x-forwarded-for'] = one(['1.2.3.4:5', '[::1]:9', ',,,', 'x'.repeat(500)])
    if (chance(0.1)) given['x-cashier-local'] = '1'
    if (chance(0.1)) given['last-event-id'] = one(['-1', '9'.repeat(40), 'x', ''])
    if (chance(0.1)) given['next-router-state-tree'] = one(['%', '[', 'null'])
    if (chance(0.2)) given['accept-encoding'] = one(['gzip', 'gzip;q=0', 'br, *', ''])
    if (chance(0.1)) given['x-signature'] = 'AAAA'
    if (chance(0.1))
      Object.assign(given, { 'x-signature': 'AAAA', 'x-timestamp': '1700000000', 'x-algorithm': 'RSA-SHA256' })
    return given
  }
  const path = (): string => {
    const route = chance(0.05) ? `/${one(ODD_TEXTS)}` : one(routes)
    const filled = route
      .split('/')
      .map((part) => (part.startsWith('[') ? encodeOdd(one([...ODD_TEXTS, keys.sessionId, 'user-1'])) : part))
      .join('/')
    return filled + (chance(0.05) ? '/' : '') + query()
  }
  /** Makes the text one path segment that is not empty. */
  const encodeOdd = (text: string): string => (text === '' || text === ' ' ? '%20' : text.replaceAll(/["<> /]/g, '_'))

  for (;;) {
    const method = one(METHODS)
    const withBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE' && chance(0.9)
    const type = chance(0.8) ? 'application/json' : one(TYPES)
    yield {
      method,
      path: path().replaceAll(/[" <>]/g, '_'),
      headers: { ...headers(), ...(withBody && type !== '' && { 'content-type': type }) },
      body: withBody ? body() : null,
    }
  }
}

/** Sends one request; a stream is cut off after its headers. Null if the connection was closed first. */
export function sendFuzz(origin: string, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer | null> {
  return new Promise((resolve) => {
    const sent = httpRequest(origin + path, { method, headers, setHost: true }, (response) => {
      const answer = { status: response.statusCode ?? 0, headers: response.headers }
      if (String(response.headers['content-type']).startsWith('text/event-stream')) response.destroy()
      response.resume()
      response.once('close', () => resolve(answer))
    })
    sent.once('error', () => resolve(null))
    sent.end(body ?? undefined)
  })
}
