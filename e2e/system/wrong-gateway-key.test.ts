/** A cashier with another gateway's key refuses every webhook, and the doctor says so. */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkWebhooks } from '#lib/server/runtime/doctor/check-webhooks.ts'
import { startSystem, type System } from './start-system.ts'

let system: System
beforeAll(async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const GATEWAY_PUBLIC_KEY = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  system = await startSystem({ cashier: { GATEWAY_PUBLIC_KEY } })
})
afterAll(() => system.close())

test('the doctor counts the refused webhooks of the running cashier, though nobody uses the console', async () => {
  await system.merchant.createSession({ user_reference_id: 'mira' })
  await system.control.detectDeposit({
    ...{ user_reference: 'mira', currency_id: system.currency('BTC Bitcoin'), amount: '1', confirm: true },
  })
  const check = async (): Promise<void> =>
    expect(await checkWebhooks(system.databaseUrl)).toEqual([
      expect.objectContaining({
        level: 'fault',
        message: expect.stringMatching(/^[1-9]\d* refused \(unauthenticated\), and none was accepted$/) as string,
      }),
    ])
  await vi.waitFor(check, { timeout: 20_000, interval: 500 })
})
