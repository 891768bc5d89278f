/** The live stream over the real server: with cuts, restarts and several instances, no event is lost or repeated. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ReadEvent } from '#lib/server/stream/testing/event-reader.ts'
import type { OpenReader } from '#lib/server/stream/testing/test-stream.ts'
import { depositEvent } from './deposit-event.ts'
import { gatewayCalls } from './gateway-calls.ts'
import { webhookHeaders } from './gateway-signature.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { requestLaunch, type PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

let system: System
afterEach(() => system.close())

const deliver = async (url: string, body: string): Promise<number | null> => {
  try {
    const headers = webhookHeaders(system.gatewayKey, body)
    const response = await fetch(`${url}/api/webhooks/gateway`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}

/** Sends to the instances in turn until the answer is 200, like the gateway. */
async function deliverSurely(urls: readonly string[], body: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    if ((await deliver(urls[tries % urls.length] ?? '', body)) === 200) return
    await sleep(50)
  }
}

interface Follower {
  readonly events: readonly ReadEvent[]
  /** Cuts the open connection; the reader reconnects by itself. */
  cut(): void
  stop(): void
}

/** Reads like a browser: after each cut it reconnects with its last id, to the instances in turn. */
function follow(pages: readonly [PageClient, ...PageClient[]]): Follower {
  const readers: OpenReader[] = []
  const gone = new AbortController()
  const run = async (): Promise<void> => {
    for (let tries = 0; !gone.signal.aborted; tries += 1) {
      const page = pages[tries % pages.length] ?? pages[0]
      try {
        const reader = await page.stream(readers.at(-1)?.lastEventId ?? '0')
        if (reader.status === 200) readers.push(reader)
        await reader.ended
      } catch {
        await sleep(50)
      }
    }
  }
  void run()
  return {
    get events() {
      return readers.flatMap(({ events }) => events)
    },
    cut: () => readers.at(-1)?.cut(),
    stop() {
      gone.abort()
      readers.at(-1)?.cut()
    },
  }
}

/** The states of the transactions in a stream. */
const statesOf = (events: readonly ReadEvent[]): readonly string[] =>
  events.flatMap(({ type, data }) => {
    const transaction = JSON.parse(data) as { transaction_uuid: string; status: string }
    return type === 'transaction' ? [`${transaction.transaction_uuid} ${transaction.status}`] : []
  })

describe.each([
  { database: 'sqlite', instances: 1 },
  { database: 'postgres', instances: 2 },
] as const)('$instances on $database', ({ database, instances }) => {
  test('500 events over cut connections and kills: no id is missing or repeated', async () => {
    system = await startSystem({ database, instances, sandbox: { SANDBOX_WEBHOOK_URL: 'none' } })
    const urls = system.cashiers.map(({ url }) => url)
    const user = 'streamer'
    const page = await system.page(user)
    const follower = follow([page, ...urls.slice(1).map((url) => page.at(url))])
    const sent: string[] = []
    const waiting = Array.from({ length: 250 }, () => randomUUID())
    const send = async (): Promise<void> => {
      for (let uuid = waiting.pop(); uuid !== undefined; uuid = waiting.pop()) {
        for (const status of ['processing', 'succeeded'] as const) {
          sent.push(`${uuid} ${status}`)
          const turn = sent.length % urls.length
          const order = [...urls.slice(turn), ...urls.slice(0, turn)]
          await deliverSurely(order, depositEvent({ uuid, user, amount: '1', status }))
          if (sent.length % 23 === 0) follower.cut()
        }
      }
    }
    const kill = async (): Promise<void> => {
      for (let time = 1; time <= 3; time += 1) {
        await vi.waitFor(() => expect(sent.length).toBeGreaterThan(time * 125))
        const victim = system.cashiers[time % instances]!
        await victim.kill()
        await victim.start()
      }
    }
    await Promise.all([send(), send(), send(), kill()])
    await vi.waitFor(() => expect(statesOf(follower.events).length).toBeGreaterThanOrEqual(500))
    follower.stop()
    const { events } = follower
    expect([...statesOf(events)].sort()).toEqual([...sent].sort())
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_item, at) => at + 1))
    expect((await readMerchantFeed(system.merchant, user)).length).toBe(500)
    expect((await system.checkLedger()).faults).toEqual([])
  })
})

describe('two instances on one PostgreSQL', () => {
  test('a webhook at one instance is streamed by both; a session that ends at one ends at both; a token launches once', async () => {
    system = await startSystem({ database: 'postgres', instances: 2, cashier: { RATE_LIMIT: 'off' } })
    const urls = system.cashiers.map(({ url }) => url)
    const page = await system.page('roamer')
    const streams = await Promise.all(urls.map((url) => page.at(url).stream()))
    const body = depositEvent({ uuid: randomUUID(), user: 'roamer', amount: '2.5', status: 'succeeded' })
    expect(await deliver(system.publicUrl, body)).toBe(200)
    for (const stream of streams) {
      await vi.waitFor(() => expect(stream.events.map(({ type }) => type)).toEqual(['transaction', 'balance']))
      expect(stream.events).toEqual(streams[0]?.events)
    }

    await system.merchant.endSession(page.session.session_id)
    const ended = Promise.all(streams.map((stream) => stream.ended)).then(() => 'ended')
    expect(await Promise.race([ended, sleep(60_000, 'goes on', { ref: false })])).toBe('ended')
    for (const url of urls) expect((await page.at(url).get('/balances')).status).toBe(401)

    const { launch_token } = await system.merchant.createSession({ user_reference_id: 'racer' })
    const launches = Array.from({ length: 100 }, (_item, at) => requestLaunch(urls[at % 2] ?? '', launch_token))
    const answers = await Promise.all(launches)
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(99).fill(410)])
    expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1)
  })

  test('when one instance is killed, the other finishes its withdrawal', async () => {
    system = await startSystem({ database: 'postgres', instances: 2, cashier: { WITHDRAWAL_ABSENCE_S: '2' } })
    const page = await system.page('heir')
    const other = page.at(system.cashiers[1]?.url ?? '')
    const currency_id = system.currency('ETH Ethereum')
    await system.merchant.adjust('heir', currency_id, '5')
    await system.control.fault({ target: 'withdraw', kind: 'silence' })
    const order = { currency_id, amount: '2', wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7' }
    const cut = page.withdraw(order, 'key-of-the-heir').catch(() => null)
    await vi.waitFor(async () => expect(await gatewayCalls(system.control, 'heir')).toHaveLength(1))
    await system.cashiers[0].kill()
    expect(await cut).toBeNull()
    // While it is in flight, a request with its key gets 409.
    const { body } = await vi.waitFor(
      async () => {
        const answer = await other.withdraw(order, 'key-of-the-heir')
        expect(answer.status).toBe(201)
        return answer
      },
      { interval: 500 },
    )
    await vi.waitFor(async () => expect(await other.withdrawal(body.id)).toMatchObject({ status: 'processing' }), {
      interval: 500,
    })
    // The same key gets the first result again, without later changes.
    expect((await other.withdraw(order, 'key-of-the-heir')).body).toEqual(body)
    expect(await other.balance(currency_id)).toEqual({ available: '3', held: '2' })
    expect(await gatewayCalls(system.control, 'heir')).toHaveLength(1)
    expect((await system.checkLedger()).faults).toEqual([])
  })
})
