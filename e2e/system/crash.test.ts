/** Webhooks at 200 a second while the cashier is killed three times: each event that got 200 is stored once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { depositEvent, DEPOSIT_CURRENCY } from './deposit-event.ts'
import { webhookHeaders } from './gateway-signature.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { startSystem, type System } from './start-system.ts'

const USERS = ['crash-0', 'crash-1', 'crash-2', 'crash-3', 'crash-4'] as const
const ROUNDS = 4
const A_ROUND = 200
/** The kill happens when this many events of the round are still unsent. */
const LEFT_AT_KILL = 40
const PACE_MS = 5
/** The number of further answers before each kill. */
const SOME = 50

interface Sent {
  readonly uuid: string
  readonly user: string
  readonly body: string
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  let system: System
  beforeEach(async () => {
    system = await startSystem({ database, sandbox: { SANDBOX_WEBHOOK_URL: 'none' } })
    for (const user of USERS) await system.merchant.createSession({ user_reference_id: user })
  })
  afterEach(() => system.close())

  const send = async ({ body }: Sent): Promise<number | null> => {
    try {
      const response = await fetch(`${system.publicUrl}/api/webhooks/gateway`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...webhookHeaders(system.gatewayKey, body) },
        body,
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return null
    }
  }

  test('every event that got 200 is stored exactly once, the others after they are sent again', async () => {
    const [cashier] = system.cashiers
    const sent: Sent[] = []
    const answers: Promise<readonly [Sent, number | null]>[] = []
    let stored = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      let killed: Promise<void> | null = null
      for (let at = 0; at < A_ROUND; at += 1) {
        const user = USERS[sent.length % USERS.length] ?? ''
        const uuid = randomUUID()
        const one = {
          uuid,
          user,
          body: depositEvent({ uuid, user, amount: '0.000000000000000001', status: 'succeeded' }),
        }
        sent.push(one)
        answers.push(
          send(one).then((status) => {
            if (status === 200) stored += 1
            return [one, status] as const
          }),
        )
        if (round < ROUNDS - 1 && at === A_ROUND - LEFT_AT_KILL) {
          // A slow machine gets enough time to answer some events of each round.
          await vi.waitFor(() => expect(stored).toBeGreaterThan((round + 1) * SOME))
          killed = cashier.kill()
        }
        await sleep(PACE_MS)
      }
      await killed
      await cashier.start()
    }

    const outcomes = await Promise.all(answers)
    const unanswered = outcomes.filter(([, status]) => status !== 200).map(([one]) => one)
    expect(unanswered.length).toBeGreaterThan(0)
    const there = await readMerchantFeed(system.merchant)
    const published = new Set(there.map(({ data }) => data.transaction_uuid))
    expect(outcomes.filter(([one, status]) => status === 200 && !published.has(one.uuid))).toEqual([])

    for (const one of unanswered) expect(await send(one)).toBe(200)
    const events = await readMerchantFeed(system.merchant)
    expect(events.map(({ data }) => data.transaction_uuid).sort()).toEqual(sent.map(({ uuid }) => uuid).sort())
    expect(events.map(({ cursor }) => Number(cursor.split('-')[1]))).toEqual(sent.map((_item, at) => at + 1))

    const each = BigInt(sent.length / USERS.length)
    for (const user of USERS) {
      const page = await system.page(user)
      expect(await page.balance(DEPOSIT_CURRENCY)).toEqual({
        available: `0.${String(each).padStart(18, '0')}`.replace(/0+$/, ''),
        held: '0',
      })
    }
    expect(await system.checkLedger()).toMatchObject({
      ok: true,
      faults: [],
      allowedOverdrafts: {},
      postings: sent.length,
    })
  })
})
