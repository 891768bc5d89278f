/**
 * Webhooks while PostgreSQL has trouble: a held lock, a database that accepts connections and never answers, and COMMITs
 * whose answers are lost.
 */
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { Problem } from '#lib/contract/problems.ts'
import { openStore, type Store } from '../store/store.ts'
import { holdUserLock } from '../store/testing/hold-lock.ts'
import { startTcpProxy, type TcpProxy } from '../store/testing/tcp-proxy.ts'
import { newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createReceiveWebhook, type IncomingWebhook, type WebhookAnswer } from './receive-webhook.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const USDT = { id: randomUUID(), name: 'Tether USD', symbol: 'USDT', network: 'Ethereum', currency_code: 'USDT' }

let database: TestDatabase
let proxy: TcpProxy
let store: Store
/** Another instance, not through the proxy. */
let direct: Store
/** The users of which the other instance was told. */
let told: (readonly string[] | null)[] = []
let receive: (webhook: IncomingWebhook) => Promise<WebhookAnswer>

beforeEach(async () => {
  database = await newTestDatabase('postgres', inject('postgresUrl'))
  proxy = await startTcpProxy(database.url)
  store = await openStore({ url: proxy.url, clock: Date.now, deliver: false })
  direct = await openStore({ url: database.url, clock: Date.now, deliver: false })
  told = []
  direct.listen((users) => told.push(users))
  await vi.waitFor(() => expect(told).toEqual([null]))
  for (const user of ['ann', 'ben']) await store.users.ensure(user, 1)
  receive = createReceiveWebhook({
    store: store.lane('webhooks'),
    publicKey,
    clock: Date.now,
    toleranceS: 300,
    ledgerMode: 'embedded',
    ledgerStartMs: 0,
    merchantReference: 'm',
    commitLimit: 50,
  })
})

afterEach(async () => {
  await direct.close()
  await store.close()
  await proxy.stop()
  await database.remove()
})

function depositOf(user: string): IncomingWebhook {
  const uuid = randomUUID()
  const rawBody = Buffer.from(
    JSON.stringify({
      event: 'User Deposit',
      transaction: {
        id: uuid,
        status: 'succeeded',
        date: '2026-01-02T03:04:05Z',
        currency: USDT,
        amount: 1,
        to_address: '0x52908400098527886E0F7030069857D2E4169EE7',
        from_address: '0x52908400098527886E0F7030069857D2E4169EE7',
        tx_hash: `0x${uuid.replaceAll('-', '').repeat(2)}`,
        transaction_type: 'Deposit',
      },
      transaction_uuid: uuid,
      user_reference: user,
      merchant_reference: 'm',
      payment_method: 'Deposit',
    }),
  )
  const at = String(Math.floor(Date.now() / 1000))
  const signature = createSign('RSA-SHA256').update(rawBody).update(at).sign(privateKey, 'base64')
  return { rawBody, signature, timestamp: at }
}

const ANSWERED = { status: 200, duplicate: false }
const codeOf = (error: unknown): unknown => (error instanceof Problem ? error.code : error)
const available = async (user: string): Promise<string> => (await store.ledger.balance(user, USDT.id)).available

test('a held lock of one user, with calls that wait for it, delays no webhook of another user', async () => {
  const lock = await holdUserLock(database.url, 'ann')
  const calls = Array.from({ length: 14 }, () => store.transaction((tx) => tx.users.lock(['ann'])))
  const callsEnded = Promise.allSettled(calls)
  await lock.waiting(1)

  // They are in one group with the locked user's webhooks, before them, and after them.
  const [ofAnn, againOfAnn] = [depositOf('ann'), depositOf('ann')]
  const annAnswers = Promise.allSettled([ofAnn, againOfAnn].map(receive))
  expect(await Promise.all(Array.from({ length: 20 }, () => receive(depositOf('ben'))))).toEqual(
    Array.from({ length: 20 }, () => ANSWERED),
  )
  expect(await available('ben')).toBe('20')

  // Checked last: the answers above came while the lock was held.
  for (const answer of await annAnswers)
    expect(answer.status === 'rejected' && codeOf(answer.reason)).toBe('store_unavailable')
  await lock.release()
  await callsEnded
  expect(await available('ann')).toBe('0')
  expect(await Promise.all([ofAnn, againOfAnn].map(receive))).toEqual([ANSWERED, ANSWERED])
  expect(await available('ann')).toBe('2')
})

/** Receives a first webhook, and waits until its event is numbered and announced; then a connection is idle. */
async function receiveFirst(): Promise<void> {
  expect(await receive(depositOf('ben'))).toEqual(ANSWERED)
  const numbered = () => direct.database.db.selectFrom('merchant_events').select('cursor').execute()
  await vi.waitFor(async () => expect([(await numbered()).length, told]).toEqual([1, [null, ['ben']]]))
  // The answer to the commit that numbered it may be on its way, on the only connection of the lane.
  expect(await store.lane('webhooks').transaction((tx) => tx.users.exists('ben'))).toBe(true)
}

test('a database that never answers costs all waiting webhooks one timeout; the next webhook is stored', async () => {
  await receiveFirst()
  proxy.hang()
  const opened = proxy.accepted
  const waiting = Array.from({ length: 200 }, () => depositOf('ben'))
  const answers = await Promise.allSettled(waiting.map(receive))
  const codes = new Set(answers.map((answer) => answer.status === 'rejected' && codeOf(answer.reason)))
  expect(codes).toEqual(new Set(['store_unavailable']))
  // The open connection is dropped, and no new one is tried for the other 199.
  expect(proxy.accepted - opened).toBe(0)

  // A new connection gets no answer either.
  await expect(receive(waiting[0]!)).rejects.toThrow(Problem)
  expect(proxy.accepted - opened).toBe(1)

  proxy.resume()
  // It may have waited too long for the first connection; then it is refused, and nothing of it is sent.
  await vi.waitFor(async () => expect(await receive(waiting[0]!)).toEqual(ANSWERED))
  expect(await available('ben')).toBe('2')
})

test.each(['before', 'after'] as const)('cut %s its COMMIT, a webhook is applied once and answered', async (cut) => {
  await receiveFirst()
  proxy.cutCommit(cut)
  const webhook = depositOf('ben')
  expect(await receive(webhook)).toEqual(ANSWERED)
  expect([proxy.cuts, await available('ben')]).toEqual([1, '2'])
  expect(await receive(webhook)).toEqual({ ...ANSWERED, duplicate: true })
})

test('a webhook whose outcome stays unknown gets 503, and is a duplicate when it is sent again', async () => {
  await receiveFirst()
  proxy.cutCommit('after', { away: true })
  const webhook = depositOf('ben')
  expect(codeOf(await receive(webhook).catch((error: unknown) => error))).toBe('store_unavailable')
  proxy.comeBack()
  await vi.waitFor(async () => expect(await receive(webhook)).toEqual({ ...ANSWERED, duplicate: true }))
  expect([proxy.cuts, await available('ben')]).toEqual([1, '2'])
})
