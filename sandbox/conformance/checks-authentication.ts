import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Check } from './check.ts'
import type { CallGateway, Headers, CallOverrides } from './gateway.ts'
import { authFailure } from './shapes.ts'
import { assertSame, parseAs, assertStatus } from './assertions.ts'
import type { HttpResponse } from './send-request.ts'

const PATH = '/v1/merchant/currencies'

const OPERATIONS = [
  ['GET', '/v1/merchant/currencies'],
  ['POST', '/v1/merchant/transactions'],
  ['POST', '/v1/user/deposit/address'],
  ['POST', '/v1/user/deposit/link_external_wallet'],
  ['POST', '/v1/user/withdraw'],
  ['POST', '/v1/user/transactions'],
  ['POST', '/v1/user/payments'],
  ['POST', '/v1/user/onramp/get_url'],
] as const

const list = (call: CallGateway, tweak: CallOverrides = {}): Promise<HttpResponse> =>
  call('GET', PATH, undefined, tweak)

const without =
  (name: string) =>
  (headers: Headers): Headers =>
    Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))

function refusal(answer: HttpResponse, expected: number, message: string): void {
  assertStatus(answer, expected)
  assertSame(parseAs(authFailure, answer.json, 'the refusal').message, message, 'message')
}

let stranger: KeyObject | null = null

/** A key that no gateway knows, created once. */
const strangerKey = (): KeyObject => (stranger ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

const body = { user_reference_id: 'nobody', first: 1 }

/** Tries until a signature has a character that differs in the URL-safe alphabet. */
async function urlSafe(call: CallGateway): Promise<HttpResponse> {
  const signatures: string[] = []
  const swap = (headers: Headers): Headers => {
    const signature = String(headers['X-API-Signature'])
    signatures.push(signature)
    return { ...headers, 'X-API-Signature': signature.replaceAll('+', '-').replaceAll('/', '_') }
  }
  for (;;) {
    const answer = await list(call, { headers: swap })
    if (/[+/]/.test(signatures.at(-1) ?? '')) return answer
  }
}

/** Spec, Authentication. */
export const authenticationChecks: readonly Check[] = [
  { name: 'a call with a valid signature is accepted', run: async ({ call }) => assertStatus(await list(call), 200) },
  {
    name: 'missing signature is 401 "missing signature"',
    run: async ({ call }) =>
      refusal(await list(call, { headers: without('X-API-Signature') }), 401, 'missing signature'),
  },
  {
    name: 'missing API key is 401 "missing api key"',
    run: async ({ call }) => refusal(await list(call, { headers: without('X-API-Key') }), 401, 'missing api key'),
  },
  {
    name: 'an unknown API key is 401 "invalid api key"',
    run: async ({ call }) =>
      refusal(
        await list(call, { headers: (headers) => ({ ...headers, 'X-API-Key': randomUUID() }) }),
        401,
        'invalid api key',
      ),
  },
  {
    name: 'missing nonce is 401 "missing nonce"',
    run: async ({ call }) => refusal(await list(call, { headers: without('X-API-Nonce') }), 401, 'missing nonce'),
  },
  {
    name: 'a nonce of 15 characters is 400 "nonce too short"',
    run: async ({ call }) =>
      refusal(await list(call, { nonce: randomBytes(12).toString('hex').slice(0, 15) }), 400, 'nonce too short'),
  },
  {
    name: 'a nonce of 16 characters is accepted',
    run: async ({ call }) => assertStatus(await list(call, { nonce: randomBytes(8).toString('hex') }), 200),
  },
  {
    name: 'a nonce used before is 401 "invalid request signature"',
    async run({ call }) {
      const nonce = randomUUID()
      assertStatus(await list(call, { nonce }), 200)
      refusal(await list(call, { nonce }), 401, 'invalid request signature')
    },
  },
  {
    name: 'a nonce used before is refused for another operation too',
    async run({ call }) {
      const nonce = randomUUID()
      assertStatus(await list(call, { nonce }), 200)
      refusal(await call('POST', '/v1/user/transactions', body, { nonce }), 401, 'invalid request signature')
    },
  },
  {
    name: 'two nonce headers are 401 "multiple nonces"',
    run: async ({ call }) =>
      refusal(
        await list(call, {
          headers: (headers) => ({ ...headers, 'X-API-Nonce': [String(headers['X-API-Nonce']), randomUUID()] }),
        }),
        401,
        'multiple nonces',
      ),
  },
  {
    name: 'a nonce of unusual characters is accepted, or 400 "invalid nonce"',
    async run({ call }) {
      const answer = await list(call, { nonce: `<${randomUUID()}>{"a":1}` })
      if (answer.status !== 200) refusal(answer, 400, 'invalid nonce')
    },
  },
  {
    name: 'an old timestamp is 401 "timestamp expired"',
    needsControl: true,
    run: async ({ call }) =>
      refusal(
        await list(call, { headers: (headers) => ({ ...headers, 'X-API-Timestamp': '1500000000' }) }),
        401,
        'timestamp expired',
      ),
  },
  {
    name: 'a signature by another key is refused with 401',
    run: async ({ call }) => assertStatus(await list(call, { key: strangerKey() }), 401),
  },
  { name: 'URL-safe Base64 is refused with 401', run: async ({ call }) => assertStatus(await urlSafe(call), 401) },
  {
    name: 'the signature covers the path',
    run: async ({ call }) => assertStatus(await list(call, { signedPath: '/v1/user/withdraw' }), 401),
  },
  {
    name: 'the signature covers the nonce',
    run: async ({ call }) => assertStatus(await list(call, { signedNonce: randomUUID() }), 401),
  },
  {
    name: 'the signature covers the body',
    run: async ({ call }) =>
      assertStatus(
        await call('POST', '/v1/user/transactions', body, { signedBody: '{"user_reference_id":"other"}' }),
        401,
      ),
  },
  {
    name: 'the signature covers the query',
    async run({ call }) {
      assertStatus(await list(call, { query: 'a=1&b=2' }), 200)
      assertStatus(await list(call, { query: 'a=1&b=2', signedQuery: '' }), 401)
    },
  },
  {
    name: 'the signature does not cover white space of the body',
    async run({ call }) {
      const pretty = `${JSON.stringify(body, null, 2).replaceAll('\n', '\r\n')}\n`
      assertStatus(await call('POST', '/v1/user/transactions', body, { rawBody: pretty }), 200)
      assertStatus(await call('POST', '/v1/user/transactions', body, { rawBody: pretty, signedBody: pretty }), 401)
    },
  },
  {
    name: 'white space inside strings is removed too, escapes stay',
    async run({ call }) {
      const rawBody = '{"user_reference_id":"nobody","note":"two words\\u0020and\\u00a0more"}'
      assertStatus(await call('POST', '/v1/user/transactions', body, { rawBody }), 200)
    },
  },
  ...OPERATIONS.map(([method, path]): Check => ({
    name: `${method} ${path} needs authentication`,
    run: async ({ call }) =>
      assertStatus(
        await call(method, path, method === 'GET' ? undefined : {}, { headers: without('X-API-Signature') }),
        401,
      ),
  })),
]
