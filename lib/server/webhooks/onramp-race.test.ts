/** Two events of one on-ramp that arrive at the same time, at two instances. */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Store } from '../store/types.ts'
import { beforeSave } from '../store/testing/before-save.ts'
import { holdUserLock } from '../store/testing/hold-lock.ts'
import { sampleCurrency, sampleOnramp } from '../store/testing/sample-rows.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createReceiveWebhook } from './receive-webhook.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const stores = useStores('postgres')

beforeEach(async () => {
  await stores.one.transaction((tx) => tx.currencies.replaceListed([sampleCurrency], tx.now))
  for (const user of ['u', 'v']) await stores.one.users.ensure(user, 0)
})

async function send(event: object, store: Store = stores.one): Promise<unknown> {
  const rules = { ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'us' } as const
  const receive = createReceiveWebhook({ store, publicKey, clock: Date.now, toleranceS: 300, ...rules })
  const rawBody = Buffer.from(JSON.stringify(event))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createSign('RSA-SHA256').update(rawBody).update(timestamp).sign(privateKey, 'base64')
  return receive({ rawBody, signature, timestamp })
}

const onramp = (status: string, names: object) => ({
  event: 'User Onramp',
  transaction: { id: 't', status, to_amount: status === 'succeeded' ? 7 : null, to_currency: { code: 'USDT' } },
  transaction_uuid: 't',
  user_reference: 'u',
  ...names,
})

test('the second event waits for the first, and then finds the session that only the first names', async () => {
  await stores.one.onramps.insert(sampleOnramp())
  const lock = await holdUserLock(stores.url, 'u')
  const first = send(onramp('pending', { session_reference: 'o1' }))
  await lock.waiting(1)
  const second = send(onramp('succeeded', {}))
  await lock.waiting(2)
  await lock.release()
  await Promise.all([first, second])
  expect((await stores.one.ledger.balance('u', sampleCurrency.id)).available).toBe('7')
})

test('the user of a session that is found in this way is locked, too', async () => {
  await stores.one.onramps.insert(sampleOnramp())
  const lock = await holdUserLock(stores.url, 'v')
  const loaded = stores.one.transaction(async (tx) => {
    const unit = await tx.load({ users: ['v'], transactions: [{ kind: 'onramp', transaction_uuid: 't' }] })
    return { users: ['u', 'v'].filter((user) => unit.hasUser(user)), sessions: unit.onramps().map(({ id }) => id) }
  })
  await lock.waiting(1)
  await send(onramp('pending', { session_reference: 'o1' }))
  await lock.release()
  expect(await loaded).toEqual({ users: ['u', 'v'], sessions: ['o1'] })
})

test('the key from the reply to our call is kept while an event without a key is applied', async () => {
  await stores.one.onramps.insert(sampleOnramp({ correlation_key: null, link: null }))
  const { one } = stores
  const reply = { link: 'https://buy.example/1', correlation_key: 'us:o1', expires_at: null }
  await send(
    onramp('pending', { session_reference: 'o1' }),
    beforeSave(one, () => one.onramps.update(sampleOnramp(), reply)),
  )
  expect(await one.onramps.find(sampleOnramp())).toMatchObject({ ...reply, transaction_uuid: 't' })
  await send(onramp('succeeded', { session_reference: 'o1' }))
  expect((await one.ledger.balance('u', sampleCurrency.id)).available).toBe('7')
})
