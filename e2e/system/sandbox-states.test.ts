/** docs/guides/test.md, "States": the calls of each state, as they are written there, reach what the entry promises. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { canonical, decimal } from '#lib/contract/money.ts'
import { namesIn, rowsUnder } from '../../scripts/read-markdown.ts'
import type { Method } from '../../packages/testing/src/sandbox-call.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const SLOW = { timeout: 120_000 }
const PATIENT = { timeout: 90_000, interval: 200 }

/** The calls of each state. */
const documented = new Map(
  rowsUnder(readFileSync('docs/guides/test.md', 'utf8'), 'States').map(([state = '', calls = '']) => [
    state.replaceAll('*', ''),
    namesIn(calls).filter((name) => /^(?:POST|PATCH|DELETE) /.test(name)),
  ]),
)
const tried: string[] = []

let system: System
let page: PageClient
let user: string

beforeEach(() => {
  user = `user-${randomUUID()}`
})

/** Makes one documented call, the first by default. Resolves with the uuid of the transaction in the answer, if any. */
async function call(state: string, at = 0, id = ''): Promise<string> {
  const [, method = '', path = '', body = '{}'] =
    /^(\w+) \/control(\S+) ?(\{.*\})?$/.exec(documented.get(state)?.[at] ?? '') ?? []
  expect([state, at, method]).toEqual([state, at, expect.stringMatching(/./) as string])
  const answer = await system.control.call(
    method as Method,
    path.replace(/:uuid|:session/, id),
    JSON.parse(body.replaceAll('USER', user)) as object,
  )
  return (answer as { transaction?: { transaction_uuid: string } }).transaction?.transaction_uuid ?? ''
}

const usdt = () => system.currency('USDT Tron')
const available = async () => (await page.balance(usdt())).available
const withdraw = async (amount = '5') =>
  (await page.withdraw({ currency_id: usdt(), amount, wallet_address: WALLET })).body
const becomes = (id: string, expected: object) =>
  vi.waitFor(async () => expect(await page.withdrawal(id)).toMatchObject(expected), PATIENT)
const payout = async () => (await system.control.withdrawals({ user_reference: user }))[0]?.transaction_uuid ?? ''
const purchase = { amount: '150.00', fiat_currency: 'EUR', country: 'DE' }
const buy = () =>
  page.post<{ id: string; code?: string; expires_at: string | null }>('/onramp-sessions', {
    ...purchase,
    currency_id: usdt(),
  })
const session = async () => (await system.control.onrampSessions({ user_reference: user }))[0]

const quarantined = async (): Promise<readonly string[]> => {
  const listed = ['open', 'settled'].map(async (state) => {
    const response = await system.merchant.call('GET', `/quarantine?state=${state}&limit=1000`)
    const { items } = (await response.json()) as {
      items: { reason: string; event: { user_reference?: string; user_ref_id?: string } }[]
    }
    return items
  })
  return (await Promise.all(listed))
    .flat()
    .filter(({ event }) => (event.user_reference ?? event.user_ref_id) === user)
    .map(({ reason }) => reason)
}
const getsQuarantined = (reason: string) =>
  vi.waitFor(async () => expect(await quarantined()).toContain(reason), PATIENT)
const credited = (amount = '1') => vi.waitFor(async () => expect(await available()).toBe(amount), PATIENT)

/** Expects that the user's only transaction has this status in the history. */
const becomesInHistory = (status: string) =>
  vi.waitFor(
    async () => expect((await page.history()).edges.map(({ node }) => node.cashier_status)).toEqual([status]),
    PATIENT,
  )

/** Changes and sends the newest event of a transaction, after its other events were sent. */
async function sendChanged(uuid: string, change: (body: string) => string): Promise<void> {
  const newest = await vi.waitFor(async () => {
    const webhooks = await system.control.webhooks({ transaction_uuid: uuid })
    expect(webhooks.filter(({ state }) => state !== 'delivered' && state !== 'dropped')).toEqual([])
    expect(webhooks.length).toBeGreaterThan(0)
    return webhooks[0]?.body ?? ''
  }, PATIENT)
  const raw = change(newest)
  expect(raw).not.toBe(newest)
  expect(await system.control.sendWebhook({ raw })).toMatchObject({ status: 200 })
}

/** Tests one row of the table. */
function state(name: string, reach: (name: string) => Promise<void>): void {
  tried.push(name)
  test(name, SLOW, () => reach(name))
}

describe('on a usual sandbox', () => {
  beforeAll(async () => {
    system = await startSystem({
      cashier: { RATE_LIMIT: 'off', GATEWAY_TIMEOUT_MS: '2000', WITHDRAWAL_ABSENCE_S: '1' },
    })
  }, 60_000)
  afterAll(() => system.close())
  beforeEach(async () => {
    await system.control.clearFaults()
    await system.control.changeModes({ failure_webhooks: false, onramp_expires_after_ms: null, widget_link: 'usual' })
    page = await system.page(user)
  })
  const fund = () => system.merchant.adjust(user, usdt(), '10')

  state('detected deposit', async (name) => {
    await call(name)
    await becomesInHistory('processing')
    expect(await available()).toBe('0')
  })

  state('credited deposit', async (name) => {
    await call(name)
    await credited()
    await becomesInHistory('succeeded')
  })

  state('payout that awaits approval', async (name) => {
    await fund()
    await call(name)
    await becomes((await withdraw()).id, { status: 'awaiting_approval' })
  })

  state('succeeded payout', async (name) => {
    await fund()
    const { id } = await withdraw()
    await becomes(id, { status: 'processing' })
    await call(name, 0, await payout())
    await becomes(id, { status: 'succeeded' })
    expect(await page.balance(usdt())).toMatchObject({ available: '5', held: '0' })
  })

  state('paid purchase', async (name) => {
    await buy()
    await call(name, 0, (await session())?.uuid)
    await becomesInHistory('processing')
    expect(await available()).toBe('0')
  })

  state('delivered purchase', async (name) => {
    await buy()
    await call(name, 0, (await session())?.uuid)
    await becomesInHistory('succeeded')
    const [deposit] = await system.control.transactions({ user_reference: user, type: 'Deposit' })
    await credited(canonical(decimal(String(deposit?.amount))))
  })

  state('withdrawal uncertain, later paid', async (name) => {
    await fund()
    await call(name)
    const { id } = await withdraw()
    await becomes(id, { status: 'processing' })
    await call(name, 1, await payout())
    await becomes(id, { status: 'succeeded' })
  })

  state('withdrawal uncertain, proved absent', async (name) => {
    await fund()
    await call(name)
    const { id, status } = await withdraw()
    expect(status).toBe('unknown')
    await becomes(id, { status: 'failed' })
    expect(await available()).toBe('10')
  })

  state('payout failed', async (name) => {
    await fund()
    const { id } = await withdraw()
    await call(name, 0, await payout())
    await becomes(id, { status: 'failed' })
  })

  state('late payout', async (name) => {
    await fund()
    await call(name)
    await call(name, 1)
    const { id } = await withdraw()
    await becomes(id, { status: 'failed' })
    await call(name, 2, await payout())
    await becomes(id, { status: 'succeeded' })
    expect(await quarantined()).toEqual(['late_payout'])
  })

  state('withdrawal that a person must settle', async (name) => {
    await fund()
    await call(name)
    await call(name, 1)
    const { id } = await withdraw()
    await getsQuarantined('unmatched_payout')
    const found = (await (await system.merchant.call('GET', `/withdrawals/${id}`)).json()) as object
    expect(found).toMatchObject({ status: 'unknown', attention: 'unmatched_payout' })
  })

  state("another merchant's event", async (name) => {
    const uuid = await call(name)
    await sendChanged(uuid, (body) => body.replace(/"merchant_reference":"[^"]+"/, '"merchant_reference":"other"'))
    await getsQuarantined('other_merchant')
  })

  state('stale webhook', async (name) => {
    await call(name)
    await call(name, 1)
    await getsQuarantined('stale')
    await credited()
  })

  state('lost webhook', async (name) => {
    await call(name)
    const uuid = await call(name, 1)
    expect((await system.control.webhooks({ transaction_uuid: uuid }))[0]?.state).toBe('dropped')
    await credited()
  })

  state('repeated webhook', async (name) => {
    await call(name)
    const uuid = await call(name, 1)
    await vi.waitFor(async () => {
      const webhooks = await system.control.webhooks({ transaction_uuid: uuid })
      const sent = webhooks.filter((one) => one.status === 'succeeded').flatMap(({ log }) => log)
      expect(sent.map(({ response_status }) => response_status)).toEqual([200, 200, 200])
    }, PATIENT)
    expect(await available()).toBe('1')
  })

  state('webhooks in the wrong order', async (name) => {
    await call(name)
    const uuid = await call(name, 1)
    await vi.waitFor(async () => {
      const webhooks = await system.control.webhooks({ transaction_uuid: uuid })
      const sent = webhooks.flatMap(({ status, log }) => log.map((attempt) => ({ status, id: attempt.id })))
      expect(sent.toSorted((a, b) => a.id - b.id).map(({ status }) => status)).toEqual(['succeeded', 'processing'])
    }, PATIENT)
    expect(await available()).toBe('1')
    expect((await page.history()).edges[0]?.node.cashier_status).toBe('succeeded')
  })

  state('badly signed webhook', async (name) => {
    await call(name)
    const uuid = await call(name, 1)
    await vi.waitFor(async () => {
      const [newest] = await system.control.webhooks({ transaction_uuid: uuid })
      expect(newest?.log[0]?.response_status).toBe(401)
    }, PATIENT)
    await credited()
  })

  state('unknown user', async (name) => {
    user = `stranger-${randomUUID()}`
    await call(name)
    await getsQuarantined('unknown_user')
    page = await system.page(user)
    await credited()
  })

  state('unknown event', async (name) => {
    await sendChanged(await call(name), (body) => body.replace('"User Deposit"', '"User Refund"'))
    await getsQuarantined('unknown_event')
  })

  state('unknown status', async (name) => {
    await call(name)
    await call(name, 2, await call(name, 1))
    await getsQuarantined('unknown_status')
  })

  state('unknown currency', async (name) => {
    await buy()
    await call(name)
    const { uuid = '' } = (await session()) ?? {}
    await call(name, 1, uuid)
    await sendChanged(uuid, (body) => body.replace(/("to_currency":\{"code":)"\w+"/, '$1"XYZ"'))
    await getsQuarantined('unknown_currency')
  })

  state('implausible purchase', async (name) => {
    await buy()
    await call(name, 0, (await session())?.uuid)
    await getsQuarantined('implausible')
    await vi.waitFor(async () => expect(await available()).not.toBe('0'), PATIENT)
  })

  state('webhook and list disagree', async (name) => {
    await call(name)
    await sendChanged(await call(name, 1), (body) => body.replace('"amount":1,', '"amount":2,'))
    await vi.waitFor(async () => {
      await page.history()
      expect(await quarantined()).toEqual(['list_conflict'])
    }, PATIENT)
  })

  state('two webhooks disagree', async (name) => {
    await sendChanged(await call(name), (body) => body.replace('"amount":1,', '"amount":2,'))
    await getsQuarantined('conflict')
    await credited()
  })

  state('expired purchase', async (name) => {
    await call(name)
    expect((await buy()).body.expires_at).not.toBeNull()
    const { link = '' } = (await session()) ?? {}
    const open = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    await vi.waitFor(async () => expect((await fetch(`${link}/open`, open)).status).toBe(409), PATIENT)
  })

  state('failed purchase', async (name) => {
    await buy()
    await call(name, 0, (await session())?.uuid)
    await vi.waitFor(
      async () => expect((await page.history()).edges.map(({ node }) => node.cashier_status)).toEqual(['failed']),
      PATIENT,
    )
    expect(await available()).toBe('0')
  })

  state('unsafe link', async (name) => {
    await call(name)
    const { status, body } = await buy()
    expect([status, body.code]).toEqual([502, 'unsafe_link'])
    await call(name, 1)
    expect((await buy()).status).toBe(201)
  })

  state('gateway away', async (name) => {
    await fund()
    await call(name)
    const address = await page.post<{ code?: string }>('/deposit-addresses', { currency_id: usdt() })
    expect([address.status, address.body.code]).toEqual([503, 'gateway_unavailable'])
    expect((await withdraw()).status).toBe('unknown')
    await call(name, 1)
    await vi.waitFor(
      async () => expect((await page.post('/deposit-addresses', { currency_id: usdt() })).status).toBe(200),
      PATIENT,
    )
  })
})

describe('on a sandbox of its own', () => {
  beforeAll(async () => {
    system = await startSystem({ cashier: { RATE_LIMIT: 'off' } })
  }, 60_000)
  afterAll(() => system.close())
  beforeEach(async () => {
    page = await system.page(user)
  })

  state('gateway whose clock is wrong', async (name) => {
    await call(name)
    await system.control.detectDeposit({ user_reference: user, currency_id: usdt(), amount: '1', confirm: true })
    await getsQuarantined('stale')
    await credited()
    await call(name, 1)
  })
})

describe('with a status that the installation has learned', () => {
  beforeAll(async () => {
    system = await startSystem({
      cashier: { RATE_LIMIT: 'off', GATEWAY_STATUS_WORDS: '{"TXN_COMPLETED":"succeeded"}' },
    })
  }, 60_000)
  afterAll(() => system.close())
  beforeEach(async () => {
    page = await system.page(user)
  })

  state('statuses in other words', async (name) => {
    await call(name)
    await call(name, 1)
    const uuid = await call(name, 2)
    await becomesInHistory('other')
    await call(name, 3, uuid)
    await credited()
    await becomesInHistory('succeeded')
    await call(name, 4)
    await becomesInHistory('succeeded')
  })
})

test('every row of the table is tested here', () => {
  expect(tried.toSorted()).toEqual([...documented.keys()].toSorted())
})
