import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import type { KeptCall } from '../store/types.ts'
import { askMerchant, readDecision } from './ask-authorization.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const withdrawal = {
  withdrawal_id: '3f2c0c1e-5d43-4b8a-9d0e-000000000001',
  user_reference_id: 'user_1',
  amount: '123456789012345678.123456789012345678',
  currency: { id: 'c1', currency_code: 'BTC', network: 'Bitcoin' },
  wallet_address: 'bc1qexample',
}

interface Asked {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function merchant(answer: (response: ServerResponse) => unknown): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (text: string) => (body += text))
      .on('end', () => {
        asked.push({ method: request.method, headers: request.headers, body })
        answer(response)
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/authorize?shop=1`, asked }
}

/** The time limit for answers that never come, or not completely. */
const SHORT_MS = 1500

const ask = (url: string, timeoutMs = 60_000) =>
  askMerchant({ url, secrets: [SECRET], fetch, clock: Date.now, timeoutMs }, withdrawal)

test('every call to the merchant has the signed facts and the withdrawal’s id as `webhook-id`', async () => {
  const { url, asked } = await merchant((response) => response.end('{"decision":"approve"}'))
  await expect(ask(url)).resolves.toMatchObject({ decision: 'approve', user_message: null })
  await ask(url)
  const [first, second] = asked
  expect(first?.method).toBe('POST')
  const verified = new Webhook(SECRET).verify(first!.body, first!.headers as Record<string, string>)
  expect(verified).toEqual(withdrawal)
  expect([first?.headers['webhook-id'], second?.headers['webhook-id']]).toEqual([
    withdrawal.withdrawal_id,
    withdrawal.withdrawal_id,
  ])
})

test.each([
  { text: '{"decision":"approve"}', decision: 'approve', user_message: null },
  { text: '{"decision":"postpone","user_message":null}', decision: 'postpone', user_message: null },
  { text: ' {"decision":"decline","user_message":"Not today."} ', decision: 'decline', user_message: 'Not today.' },
  { text: '{"decision":"decline","user_message":" a\\u0000\\n\\tb "}', decision: 'decline', user_message: 'a b' },
  { text: '{"decision":"decline","user_message":"\\n"}', decision: 'decline', user_message: null },
])('$text is $decision', ({ text, decision, user_message }) => {
  expect(readDecision(Buffer.from(text))).toMatchObject({ decision, user_message })
})

test('a message for the user is cut after 500 characters, never inside a character', () => {
  const text = JSON.stringify({ decision: 'decline', user_message: '💸'.repeat(600) })
  expect(readDecision(Buffer.from(text)).user_message).toBe('💸'.repeat(500))
})

test.each([
  '',
  'approve',
  'null',
  '[]',
  '"approve"',
  '{}',
  '{"decision":true}',
  '{"decision":"Approve"}',
  '{"decision":"approved"}',
  '{"decision":"approve","user_message":5}',
  '{"decision":"approve","note":"x"}',
  '{"decision":"decline","decision":"approve"}',
  '{"decision":"approve"}{',
  '\ufeff{"decision":"approve"}',
])('a reply %j is a decline without a message', (text) => {
  expect(readDecision(Buffer.from(text))).toMatchObject({ decision: 'decline', user_message: null })
})

test('a reply that is not UTF-8 is a decline', () => {
  const bytes = Buffer.concat([Buffer.from('{"decision":"approve","user_message":"'), Buffer.from([0xff, 0x22, 0x7d])])
  expect(readDecision(bytes).decision).toBe('decline')
})

const APPROVE = '{"decision":"approve"}'

test.each<{ what: string; answer: (response: ServerResponse) => unknown; reason: RegExp; timeoutMs?: number }>([
  { what: 'status 201', answer: (r) => r.writeHead(201).end(APPROVE), reason: /201/ },
  { what: 'status 500', answer: (r) => r.writeHead(500).end(APPROVE), reason: /500/ },
  { what: 'a redirect', answer: (r) => r.writeHead(307, { location: '/' }).end(APPROVE), reason: /307/ },
  { what: 'no answer', answer: () => undefined, reason: /in time/, timeoutMs: SHORT_MS },
  {
    what: 'half an answer',
    answer: (r) => r.writeHead(200).write('{"decision":'),
    reason: /in time/,
    timeoutMs: SHORT_MS,
  },
  { what: 'a cut connection', answer: (r) => r.destroy(), reason: /fetch failed/ },
  { what: 'too much', answer: (r) => r.end(APPROVE + ' '.repeat(70_000)), reason: /65536/ },
])('$what is a decline', async ({ answer, reason, timeoutMs }) => {
  const { url, asked } = await merchant(answer)
  const authorization = await ask(url, timeoutMs)
  expect(authorization).toMatchObject({ decision: 'decline', user_message: null })
  expect(authorization.reason).toMatch(reason)
  expect(asked).toHaveLength(1)
})

test('a body that arrives too slowly is a decline', async () => {
  const { url } = await merchant((response) => {
    response.write(APPROVE)
    void (async () => {
      for (let n = 0; n < 60 && !response.destroyed; n += 1) {
        response.write(' ')
        await sleep(50)
      }
      response.end()
    })()
  })
  await expect(ask(url, SHORT_MS)).resolves.toMatchObject({ decision: 'decline', reason: 'no answer in time' })
})

test('a refused connection is a decline', async () => {
  const { url } = await merchant(() => undefined)
  for (const close of closers.splice(0)) close()
  await expect(ask(url)).resolves.toMatchObject({
    decision: 'decline',
    reason: expect.stringContaining('ECONNREFUSED') as string,
  })
})

test('what is kept of a call has the texts without secrets, and why there was no answer', async () => {
  const kept: KeptCall[] = []
  const askAt = (url: string) =>
    askMerchant({ url, secrets: [SECRET], fetch, clock: () => 5, onExchange: (call) => kept.push(call) }, withdrawal)
  const echoing = await merchant((response) => {
    const signature = String(response.req.headers['webhook-signature'])
    response.writeHead(500).end(`${SECRET} ${signature}`)
  })
  const approving = await merchant((response) => response.end(APPROVE))
  await askAt(echoing.url)
  await askAt(approving.url)
  await askAt('http://127.0.0.1:1')
  const call = { started_ms: 5, ended_ms: 5, request: JSON.stringify(withdrawal) }
  expect(kept).toMatchObject([
    { ...call, status: 500, fault: 'the reply has status 500', reply: '[struck] [struck]' },
    { ...call, status: 200, fault: null, reply: APPROVE },
    { ...call, status: null, fault: expect.stringContaining('fetch failed') as string, reply: null },
  ])
})

test('with two secrets the call has a signature by each', async () => {
  const { url, asked } = await merchant((response) => response.end('{"decision":"approve"}'))
  const next = `whsec_${Buffer.from('the next secret of the merchant').toString('base64')}`
  await askMerchant({ url, secrets: [SECRET, next], fetch, clock: Date.now, timeoutMs: 60_000 }, withdrawal)
  const { body, headers } = asked[0]!
  for (const secret of [SECRET, next])
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(withdrawal)
  expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
})
