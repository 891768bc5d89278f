/** The data of each release under the present version: nothing of it changes, and what was open goes on. */
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { FLAVOURS } from '#lib/server/store/testing/test-databases.ts'
import { loadRelease, RELEASES, releaseAnswers } from './releases.ts'
import { webhookHeaders } from './gateway-signature.ts'
import { startMerchantDouble } from './merchant-double.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const balancesSchema = z.object({
  balances: z.array(z.object({ currency_id: z.string(), available: z.string(), held: z.string() })),
})
const quarantineSchema = z.object({
  items: z.array(z.object({ id: z.string(), reason: z.string(), event: z.object({ transaction_uuid: z.string() }) })),
})

const read = async <T>(system: System, schema: z.ZodType<T>, path: string): Promise<T> =>
  schema.parse(await (await system.merchant.call('GET', path)).json())
const balancesOf = async (system: System, user: string) =>
  (await read(system, balancesSchema, `/users/${user}/balances`)).balances
const quarantineOf = async (system: System) =>
  (await read(system, quarantineSchema, '/quarantine')).items.map(({ id, reason, event }) => [
    id,
    reason,
    event.transaction_uuid,
  ])
const feedOf = async (system: System) =>
  (await readMerchantFeed(system.merchant)).map(({ data }) => [
    data.user_reference_id,
    data.kind,
    data.status,
    data.amount,
    data.transaction_uuid,
    data.withdrawal_id ?? null,
  ])
const historyOf = async (page: PageClient) =>
  (await page.history()).edges.map(({ node }) => [
    node.type,
    node.cashier_status,
    node.amount,
    node.transaction_uuid ?? null,
  ])

async function post(system: System, body: string): Promise<number> {
  const response = await fetch(`${system.publicUrl}/api/webhooks/gateway`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...webhookHeaders(system.gatewayKey, body) },
    body,
  })
  return response.status
}

const paid = { available: '5', held: '2.5' }
const givenBack = { available: '19.000001', held: '0' }

describe.concurrent.each(FLAVOURS)('on %s', (database) => {
  test.each(RELEASES)('the data of %s is the same, and what was open ends', async (version) => {
    const before = releaseAnswers(version)
    const users = Object.keys(before.balances)
    const merchant = await startMerchantDouble(() => system.webhookSecret)
    const system: System = await startSystem({
      database,
      async prepare(url, control) {
        // Without the gateway's lists all comes from what is stored, and no outcome is found.
        await control.fault({ target: 'user_transactions', kind: 'error_before_commit', times: 'always' })
        await loadRelease(version, url)
      },
      cashier: { RATE_LIMIT: 'off', MERCHANT_WEBHOOK_URL: merchant.url, WITHDRAWAL_ABSENCE_S: '1' },
    })
    const isSame = async (): Promise<void> => {
      for (const user of users) expect(await balancesOf(system, user)).toEqual(before.balances[user])
      expect(await feedOf(system)).toEqual(before.feed)
      expect(await quarantineOf(system)).toEqual(before.quarantine)
      expect(await system.checkLedger()).toMatchObject({ ok: true, faults: [], allowedOverdrafts: {} })
    }
    try {
      await isSame()
      for (const user of users) expect(await historyOf(await system.page(user))).toEqual(before.history[user])
      const after = await system.merchant.call('GET', '/events?after=3&limit=1')
      expect(await after.json()).toMatchObject({ events: [{ cursor: expect.stringMatching(/-4$/) as unknown }] })
      await vi.waitFor(() => expect(merchant.requests.length).toBeGreaterThanOrEqual(before.feed.length))
      expect(merchant.requests.every(({ authentic }) => authentic)).toBe(true)

      const { rows } = await system.withStore(({ database: { db } }) =>
        sql<{ body: string }>`select body from webhooks where outcome = 'applied'`.execute(db),
      )
      expect(rows.length).toBeGreaterThan(5)
      for (const { body } of rows) expect(await post(system, body)).toBe(200)
      await isSame()

      // Alice's deposit and withdrawal end by webhooks, Carol becomes known, and Bob's withdrawal is in no list.
      const bodies = rows.map(({ body }) => body)
      const detected = bodies.find((body) => body.includes('"amount":2,')) ?? ''
      const payout = bodies.find((body) => body.includes('"event":"User Payout"')) ?? ''
      const [, , , , uuid] = before.feed.find(([, , , amount, transaction]) => amount === '1.5' && transaction) ?? []
      const [former = ''] = /(?<="transaction":\{"id":")[^"]+/.exec(payout) ?? []
      expect(await post(system, detected.replace('"processing"', '"succeeded"'))).toBe(200)
      expect(await post(system, payout.replaceAll(former, uuid ?? '').replace('"amount":3,', '"amount":1.5,'))).toBe(
        200,
      )
      await system.merchant.createSession({ user_reference_id: 'carol' })
      await system.control.clearFaults()
      await vi.waitFor(
        async () => {
          expect(await balancesOf(system, 'alice')).toMatchObject([paid])
          expect(await balancesOf(system, 'bob')).toMatchObject([givenBack])
          expect(await balancesOf(system, 'carol')).toMatchObject([{ available: '7' }])
        },
        { interval: 250 },
      )
      expect(await quarantineOf(system)).toEqual([])
      expect((await feedOf(system)).slice(0, before.feed.length)).toEqual(before.feed)
      expect(await system.checkLedger()).toMatchObject({ ok: true, faults: [], allowedOverdrafts: {} })
    } finally {
      await system.close()
      await merchant.close()
    }
  })
})
