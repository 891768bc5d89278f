/** A gateway whose webhooks never come: its list reports everything once, and late webhooks change nothing. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const webhooks = z.object({ webhooks: z.array(z.object({ id: z.number(), state: z.string() })) })

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({ database, sandbox: { SANDBOX_WEBHOOKS: 'off' } })
  })
  afterEach(() => system.control.call('PATCH', '/modes', { webhooks: 'off' }))
  afterAll(() => system.close())

  const eth = () => system.currency('ETH Ethereum')
  const publishedTo = async (user: string) =>
    (await readMerchantFeed(system.merchant, user)).map(({ data }) => `${data.source}: ${data.kind} ${data.status}`)
  const available = async (page: PageClient) => (await page.balance(eth())).available
  const listOf = async (of = '') =>
    webhooks.parse(await system.control.call('GET', `/webhooks?limit=1000${of}`)).webhooks

  const redeliverAll = async (): Promise<void> => {
    await system.control.call('PATCH', '/modes', { webhooks: 'on' })
    for (const { id } of await listOf()) await system.control.call('POST', `/webhooks/${id}/redeliver`)
    await vi.waitFor(
      async () => expect(new Set((await listOf()).map(({ state }) => state))).toEqual(new Set(['delivered'])),
      { interval: 200 },
    )
    await system.control.call('PATCH', '/modes', { webhooks: 'off' })
  }

  test('deposits, payouts that succeed, and payouts that fail', async () => {
    const user = `user-${randomUUID()}`
    await system.control.detectDeposit({ user_reference: user, currency_id: eth(), amount: '9.5', confirm: true })
    const page = await system.page(user)
    await vi.waitFor(async () => expect(await available(page)).toBe('9.5'), { interval: 200 })

    const withdraw = async (amount: string) =>
      (await page.withdraw({ currency_id: eth(), amount, wallet_address: WALLET })).body.id
    const [succeeds, fails] = [await withdraw('2.0709'), await withdraw('3.0708')]
    expect(await page.balance(eth())).toEqual({ available: '4.3583', held: '5.1417' })
    await vi.waitFor(
      async () => {
        expect((await page.withdrawal(succeeds)).status).toBe('succeeded')
        expect((await page.withdrawal(fails)).status).toBe('failed')
      },
      { interval: 250 },
    )
    expect(await page.balance(eth())).toEqual({ available: '7.4291', held: '0' })

    const events = await publishedTo(user)
    // Our call publishes a withdrawal in flight, and the list publishes it again.
    expect(events.filter((event) => !event.endsWith('processing')).sort()).toEqual([
      'reconciliation: deposit succeeded',
      'reconciliation: payout failed',
      'reconciliation: payout succeeded',
    ])
    await redeliverAll()
    expect(await publishedTo(user)).toEqual(events)
    expect(await page.balance(eth())).toEqual({ available: '7.4291', held: '0' })
    expect((await system.checkLedger()).faults).toEqual([])
    expect(await (await fetch(`${system.publicUrl}/api/metrics`)).text()).toMatch(
      /cashier_reconciliation_total\{what="missed_webhooks"\} [1-9]/,
    )
  })

  test('a deposit whose second webhook is lost, of a user without a session', async () => {
    const user = `user-${randomUUID()}`
    const page = await system.page(user)
    await system.withStore(async (store) => {
      await store.reconcileQueue.claimDue('sweep', 100, 1)
      await store.users.reconciled(user, Date.now(), null)
    })
    await system.control.call('PATCH', '/modes', { webhooks: 'on' })
    const uuid = await system.control.detectDeposit({ user_reference: user, currency_id: eth(), amount: '1' })
    // The list of a user with a page may be read before the webhook comes: no webhook came for long.
    const first = expect.stringMatching(/^(webhook|reconciliation): deposit processing$/) as string
    await vi.waitFor(async () => expect(await publishedTo(user)).toEqual([first]), { interval: 200 })
    await vi.waitFor(
      async () => expect(await listOf(`&transaction_uuid=${uuid}`)).toMatchObject([{ state: 'delivered' }]),
      { interval: 200 },
    )
    await system.control.call('PATCH', '/modes', { webhooks: 'off' })
    await system.control.confirmDeposit(uuid)
    await vi.waitFor(async () => expect(await publishedTo(user)).toHaveLength(2), { interval: 250 })
    expect(await publishedTo(user)).toEqual([first, 'reconciliation: deposit succeeded'])
    expect(await available(page)).toBe('1')
  })

  test('a webhook that waited for its user is applied when the user is known', async () => {
    const user = `user-${randomUUID()}`
    await system.control.call('PATCH', '/modes', { webhooks: 'on' })
    await system.control.detectDeposit({ user_reference: user, currency_id: eth(), amount: '5', confirm: true })
    const quarantine = async () => {
      const { items } = (await (await system.merchant.call('GET', '/quarantine?limit=1000')).json()) as {
        items: { reason: string; event: { user_reference: string } }[]
      }
      return items.filter(({ event }) => event.user_reference === user).map(({ reason }) => reason)
    }
    await vi.waitFor(async () => expect(await quarantine()).toEqual(['unknown_user', 'unknown_user']), {
      interval: 200,
    })
    await system.control.call('PATCH', '/modes', { webhooks: 'off' })
    const page = await system.page(user)
    expect(await available(page)).toBe('5')
    expect(await quarantine()).toEqual([])
  })

  test('of a gateway that refuses pages of more than two records, every deposit is credited', async () => {
    const user = `user-${randomUUID()}`
    await system.control.call('PATCH', '/modes', { page_limit: 2, page_over_limit: 'refuse' })
    try {
      for (let count = 0; count < 5; count += 1)
        await system.control.detectDeposit({ user_reference: user, currency_id: eth(), amount: '1', confirm: true })
      const page = await system.page(user)
      await vi.waitFor(async () => expect(await available(page)).toBe('5'), { interval: 200 })
    } finally {
      await system.control.call('PATCH', '/modes', { page_limit: 100, page_over_limit: 'clamp' })
    }
  })
})

/** The first sweep after a start: no webhook ever came, and nobody has opened a page since. */
describe.each(['sqlite', 'postgres'] as const)('a sweep on %s', (database) => {
  const MINUTES_MS = 60_000
  let system: System
  let onPage: string
  let gone: string

  beforeAll(async () => {
    system = await startSystem({ database, sandbox: { SANDBOX_WEBHOOKS: 'off' } })
  })
  afterAll(() => system.close())

  beforeEach(async () => {
    onPage = `user-${randomUUID()}`
    gone = `user-${randomUUID()}`
    for (const user of [onPage, gone]) await system.merchant.createSession({ user_reference_id: user })
    const [cashier] = system.cashiers
    await cashier.stop()
    await system.withStore(async (store) => {
      // No user is due, all were compared, and there was no downtime, so the sweep runs only because no webhook came.
      const downtime = await store.reconciliation.catchUpSince()
      if (downtime !== null) await store.reconciliation.endCatchUp(downtime)
      // A read that the stop interrupted is due again in minutes, and keeps the user from being scheduled before.
      await store.dueUsers.scheduleAsOpen([onPage, gone])
      for (const priority of ['open', 'quarantined', 'sweep'] as const)
        while ((await store.reconcileQueue.claimDue(priority, 100, 1)).length > 0);
      for (const [user, minutes] of [[onPage, 5] as const, [gone, 60] as const]) {
        await store.users.reconciled(user, Date.now(), null)
        await store.users.totalsChecked(user)
        await store.users.markSeen(user, Date.now() - minutes * MINUTES_MS)
      }
    })
  })

  const depositOf = async (user: string): Promise<void> => {
    const currency_id = system.currency('ETH Ethereum')
    await system.control.detectDeposit({ user_reference: user, currency_id, amount: '1', confirm: true })
  }
  const start = async (): Promise<void> => {
    await system.control.clearCalls()
    await system.cashiers[0].start()
  }
  const found = async (user: string): Promise<void> =>
    vi.waitFor(
      async () => {
        const events = (await readMerchantFeed(system.merchant, user)).map(({ data }) => data)
        expect(events).toMatchObject([{ source: 'reconciliation', kind: 'deposit', status: 'succeeded' }])
      },
      // The sweep runs each minute. If it, or the read of the user's list, fails, the next one finds the deposit.
      { interval: 200, timeout: 150_000 },
    )
  const askedFor = (user: string) => system.control.calls({ operation: 'user_transactions', user_reference: user })

  test('reads the list of all users, and then the lists of users with news', async () => {
    await depositOf(gone)
    await start()
    await found(gone)
    const [list] = await system.control.calls({ operation: 'merchant_transactions' })
    expect(list).toMatchObject({ authentic: true, fault: null, response_status: 200 })
    const [own] = await askedFor(gone)
    expect(own?.id).toBeGreaterThan(list?.id ?? Infinity)
    expect(await askedFor(onPage)).toEqual([])
  })

  test('reads the lists of the users on the page if the gateway refuses the list of all users', async () => {
    await system.control.fault({
      target: 'merchant_transactions',
      kind: 'refuse',
      times: 'always',
      settings: { status: 501 },
    })
    await depositOf(onPage)
    await start()
    await found(onPage)
    const lists = await system.control.calls({ operation: 'merchant_transactions' })
    expect(lists).toMatchObject([{ authentic: true, fault: 'refuse', response_status: 501 }])
    const [own] = await askedFor(onPage)
    expect(own?.id).toBeGreaterThan(lists[0]?.id ?? Infinity)
    expect(await askedFor(gone)).toEqual([])
    await system.control.clearFaults()
  })
})
