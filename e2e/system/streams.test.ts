/** The live stream over the real server: cuts, restarts, several instances; nothing missed and nothing twice. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { OpenReader } from '#lib/server/stream/testing/test-stream.ts'
import { depositEvent } from './deposit-event.ts'
import { webhookHeaders } from './gateway-signature.ts'
import { merchantEvents } from './merchant-feed.ts'
import { postLaunch, type CashierPage } from './page.ts'
import { startStand, type Stand } from './stand.ts'

let stand: Stand
afterEach(() => stand.close())

const deliver = async (url: string, body: string): Promise<number | null> => {
  try {
    const headers = webhookHeaders(stand.gatewayKey, body)
    const response = await fetch(`${url}/api/webhooks/gateway`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}

/** Sends until it is answered 200, as the gateway does; to the instances by turns. */
async function deliverSurely(urls: readonly string[], body: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    if ((await deliver(urls[tries % urls.length] ?? '', body)) === 200) return
    await sleep(50)
  }
}

interface Follower {
  readonly ids: readonly number[]
  readonly uuids: readonly (string | null)[]
  /** Cuts what is open now; it comes back by itself. */
  cut(): void
  stop(): void
}

/** Reads as a browser does: comes back after each cut with the last id that it has. */
function follow(pages: readonly CashierPage[]): Follower {
  const ids: number[] = []
  const uuids: (string | null)[] = []
  let open: OpenReader | null = null
  let stopped = false
  const collect = ({ events }: OpenReader): void => {
    for (const { id, type, data } of events) {
      ids.push(Number(id))
      if (type === 'transaction') uuids.push((JSON.parse(data) as { transaction_uuid: string | null }).transaction_uuid)
    }
  }
  const run = async (): Promise<void> => {
    let lastEventId = '0'
    for (let tries = 0; !stopped; tries += 1) {
      try {
        const reader = await pages[tries % pages.length]!.stream(lastEventId)
        open = reader
        if (stopped) reader.cut()
        await reader.ended
        if (reader.status !== 200) continue
        collect(reader)
        lastEventId = reader.lastEventId
      } catch {
        await sleep(50)
      }
    }
  }
  void run()
  return {
    get ids() {
      return [...ids, ...(open?.events ?? []).map(({ id }) => Number(id)).filter((id) => id > (ids.at(-1) ?? 0))]
    },
    get uuids() {
      const unread = (open?.events ?? []).filter(
        ({ id, type }) => type === 'transaction' && Number(id) > (ids.at(-1) ?? 0),
      )
      return [
        ...uuids,
        ...unread.map(({ data }) => (JSON.parse(data) as { transaction_uuid: string }).transaction_uuid),
      ]
    },
    cut: () => open?.cut(),
    stop() {
      stopped = true
      open?.cut()
    },
  }
}

describe.each([
  { database: 'sqlite', instances: 1 },
  { database: 'postgres', instances: 2 },
] as const)('$instances on $database', ({ database, instances }) => {
  test('500 events with cuts and kills: no number missed, none twice', { timeout: 120_000 }, async () => {
    stand = await startStand({ database, instances, sandbox: { SANDBOX_WEBHOOK_URL: 'none' } })
    const urls = stand.cashiers.map(({ url }) => url)
    const user = 'streamer'
    const page = await stand.page(user)
    const follower = follow(urls.map((url) => page.at(url)))
    const uuids: string[] = []
    const waiting = Array.from({ length: 250 }, () => randomUUID())
    const send = async (): Promise<void> => {
      for (let uuid = waiting.pop(); uuid !== undefined; uuid = waiting.pop()) {
        uuids.push(uuid)
        const turn = uuids.length % urls.length
        const order = [...urls.slice(turn), ...urls.slice(0, turn)]
        await deliverSurely(order, depositEvent({ uuid, user, amount: '1', status: 'succeeded' }))
        if (uuids.length % 23 === 0) follower.cut()
      }
    }
    const kill = async (): Promise<void> => {
      for (let time = 1; time <= 3; time += 1) {
        await vi.waitFor(() => expect(uuids.length).toBeGreaterThan(time * 60), 60_000)
        const victim = stand.cashiers[time % instances]!
        await victim.kill()
        await victim.start()
      }
    }
    await Promise.all([send(), send(), send(), kill()])
    // A deposit tells its transaction and the balance after it; what shares a commit shares the balance.
    await vi.waitFor(() => expect(follower.uuids.length).toBe(250), 20_000)
    expect([...follower.uuids].sort()).toEqual([...uuids].sort())
    expect(follower.ids.length).toBeGreaterThan(250)
    expect(follower.ids).toEqual(follower.ids.map((_, at) => at + 1))
    follower.stop()
    expect((await merchantEvents(stand.merchant, user)).length).toBe(250)
    expect((await stand.books()).faults).toEqual([])
  })
})

describe('two instances on one PostgreSQL', () => {
  test(
    'what one is told reaches a stream on the other; a session ended at one ends its streams at both',
    { timeout: 60_000 },
    async () => {
      stand = await startStand({ database: 'postgres', instances: 2 })
      const [one, two] = stand.cashiers.map(({ url }) => url)
      const page = await stand.page('roamer')
      const streams = await Promise.all([page.at(one ?? '').stream(), page.at(two ?? '').stream()])
      const uuid = randomUUID()
      expect(await deliver(one ?? '', depositEvent({ uuid, user: 'roamer', amount: '2.5', status: 'succeeded' }))).toBe(
        200,
      )
      for (const stream of streams) {
        await vi.waitFor(() => expect(stream.events.map(({ type }) => type)).toEqual(['transaction', 'balance']), 5000)
      }
      expect(streams[0]?.events).toEqual(streams[1]?.events)

      await stand.merchant.endSession(page.session.session_id)
      await Promise.race([
        Promise.all(streams.map(({ ended }) => ended)),
        sleep(8000).then(() => Promise.reject(new Error('a stream goes on'))),
      ])
      for (const url of [one, two]) expect((await page.at(url ?? '').get('/balances')).status).toBe(401)
    },
  )

  test('of 100 launches with one token at both, one wins', { timeout: 60_000 }, async () => {
    stand = await startStand({ database: 'postgres', instances: 2, cashier: { RATE_LIMIT: 'off' } })
    const session = await stand.merchant.createSession({ user_reference_id: 'racer' })
    const launches = Array.from({ length: 100 }, (_, at) =>
      postLaunch(stand.cashiers[at % 2]?.url ?? '', session.launch_token),
    )
    const answers = await Promise.all(launches)
    expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(99)
    expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1)
  })

  test(
    'one that is killed takes nothing with it: the other goes on, and finishes its withdrawals',
    { timeout: 90_000 },
    async () => {
      stand = await startStand({
        database: 'postgres',
        instances: 2,
        cashier: { WITHDRAWAL_ABSENCE_S: '2', GATEWAY_TIMEOUT_MS: '10000' },
      })
      const [first, second] = stand.cashiers
      const page = await stand.page('heir')
      const currency_id = stand.currency('ETH Ethereum')
      await stand.merchant.adjust('heir', currency_id, '5')
      await stand.control.fault({ target: 'withdraw', kind: 'silence' })
      const order = { currency_id, amount: '2', wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7' }
      const cut = page.withdraw(order, 'key-of-the-heir').catch(() => null)
      await vi.waitFor(
        async () =>
          expect(await page.at(second?.url ?? '').balance(currency_id)).toEqual({ available: '3', held: '2' }),
        5000,
      )
      await first.kill()
      expect(await cut).toBeNull()
      const other = page.at(second?.url ?? '')
      const replayed = await other.withdraw(order, 'key-of-the-heir')
      expect([201, 409]).toContain(replayed.status)
      await vi.waitFor(
        async () =>
          expect((await other.withdraw(order, 'key-of-the-heir')).body).toMatchObject({ status: 'processing' }),
        { timeout: 60_000, interval: 500 },
      )
      expect(await other.balance(currency_id)).toEqual({ available: '3', held: '2' })
      expect((await stand.books()).faults).toEqual([])
    },
  )
})
