/** Amounts reach every reader without a lost or changed digit. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSystem, type System } from './start-system.ts'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system.close())

interface Told {
  readonly amount: string
  readonly status: string
}

test.each(['0.000000000000000001', '123456789012345678.123456789012345678', '1.10'])(
  '%s through webhook, ledger, balances, history, stream and feed',
  async (amount) => {
    const user = `digits-${amount.length}`
    const currency_id = system.currency('ETH Ethereum')
    const page = await system.page(user)
    const stream = await page.stream()
    await system.control.detectDeposit({ user_reference: user, currency_id, amount, confirm: true })

    const credited = amount.replace(/0+$/, '')
    await vi.waitFor(async () => expect(await page.balance(currency_id)).toEqual({ available: credited, held: '0' }))
    expect((await page.history()).edges.map(({ node }) => [node.amount, node.cashier_status])).toEqual([
      [amount, 'succeeded'],
    ])
    await vi.waitFor(() => {
      const received = stream.events
        .filter(({ type }) => type === 'transaction')
        .map(({ data }) => JSON.parse(data) as Told)
      // If reconciliation was faster than the first webhook, there is one change, not two.
      expect(received.at(-1)?.status).toBe('succeeded')
      expect(new Set(received.map((one) => one.amount))).toEqual(new Set([amount]))
      const balances = stream.events
        .filter(({ type }) => type === 'balance')
        .map(({ data }) => JSON.parse(data) as object)
      expect(balances).toEqual([{ currency_id, available: credited, held: '0' }])
    })
    stream.cut()

    const feed = (await (await system.merchant.call('GET', '/events?limit=1000')).json()) as {
      events: { data: Told & { user_reference_id: string } }[]
    }
    const own = feed.events.filter(({ data }) => data.user_reference_id === user)
    expect(new Set(own.map(({ data }) => data.amount))).toEqual(new Set([amount]))
    const balances: unknown = await (await system.merchant.call('GET', `/users/${user}/balances`)).json()
    expect(balances).toMatchObject({ balances: [{ currency_id, available: credited, held: '0' }] })
    expect((await system.checkLedger()).faults).toEqual([])
  },
)
