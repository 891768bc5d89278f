/**
 * Keys change while events arrive (docs/guides/operate.md, "Keys and secrets"): no event is refused, in both
 * directions.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rsaKeyPair, secret } from '../fixtures/keys.ts'
import { depositEvent } from './deposit-event.ts'
import { webhookHeaders } from './gateway-signature.ts'
import { json, startMerchantDouble, type MerchantDouble } from './merchant-double.ts'
import { startSystem, type System } from './start-system.ts'

const webhookSecret = (): string => `whsec_${Buffer.from(secret()).toString('base64')}`
const [oldGateway, newGateway, stranger] = [rsaKeyPair(), rsaKeyPair(), rsaKeyPair()]
const [oldSecret, newSecret] = [webhookSecret(), webhookSecret()]
const [oldKey, newKey] = [secret(), secret()]

let merchantHas = oldSecret
let merchant: MerchantDouble
let system: System

beforeAll(async () => {
  merchant = await startMerchantDouble(() => merchantHas)
  merchant.respondWith(json({}))
  system = await startSystem({
    // The gateway has already changed its key.
    sandbox: { SANDBOX_GATEWAY_PRIVATE_KEY: newGateway.privateKey },
    cashier: {
      GATEWAY_PUBLIC_KEY: `${oldGateway.publicKey}${newGateway.publicKey}`,
      MERCHANT_API_KEY: `${newKey},${oldKey}`,
      MERCHANT_WEBHOOK_URL: merchant.url,
      MERCHANT_WEBHOOK_SECRET: `${newSecret},${oldSecret}`,
    },
  })
})
afterAll(async () => {
  await system.close()
  await merchant.close()
})

test('both the old and the new key and secret are accepted, and no other', async () => {
  const user = `user-${randomUUID()}`
  const startSession = (key: string) =>
    fetch(`${system.publicUrl}/api/merchant/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ user_reference_id: user }),
    })
  expect((await startSession(oldKey)).status).toBe(201)
  expect((await startSession(newKey)).status).toBe(201)
  expect((await startSession(secret())).status).toBe(401)

  const send = async (privateKey: string): Promise<{ readonly status: number; readonly uuid: string }> => {
    const uuid = randomUUID()
    const body = depositEvent({ uuid, user, amount: '1', status: 'succeeded' })
    const headers = { ...webhookHeaders(privateKey, body), 'content-type': 'application/json' }
    const { status } = await fetch(`${system.publicUrl}/api/webhooks/gateway`, { method: 'POST', headers, body })
    return { status, uuid }
  }
  const told = (uuid: string) =>
    merchant.requests.filter(({ body }) => (body['data'] as { transaction_uuid?: string }).transaction_uuid === uuid)
  for (const [key, has] of [
    [oldGateway, oldSecret],
    [newGateway, newSecret],
  ] as const) {
    merchantHas = has
    const { status, uuid } = await send(key.privateKey)
    expect(status).toBe(200)
    await vi.waitFor(() => expect(told(uuid).map(({ authentic }) => authentic)).toEqual([true]))
  }
  expect((await send(stranger.privateKey)).status).toBe(401)
})
