/** docs/guides/move-in.md: users who had deposits and payouts at the gateway before the cashier's database existed. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCashier, type Cashier } from '../../packages/server/src/index.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { startMerchantDouble, type MerchantDouble } from './merchant-double.ts'
import { startSystem, type System } from './start-system.ts'

type MoveIn = (cashier: Cashier, user: string, balances: Readonly<Record<string, string>>) => Promise<void>

/** The function from the guide. */
async function readMoveIn(): Promise<MoveIn> {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/guides/move-in.md', 'utf8')) ?? []
  const { moveIn } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { moveIn: MoveIn }
  return moveIn
}

const clientOf = ({ publicUrl, merchantApiKey }: System): Cashier =>
  createCashier({ url: publicUrl, apiKey: merchantApiKey })

/** The time of the switch. */
const START = Date.now()
const MINUTE = 60_000

/** Deposits and payouts that ended before the switch; the uuids of the payouts. */
async function oldTransactions({ control }: System, user: string): Promise<readonly string[]> {
  await control.seedTransactions({ user_reference: user, count: 7, at: new Date(START - MINUTE).toISOString() })
  const listed = await control.transactions({ user_reference: user })
  const uuids = (type: string) => listed.filter((one) => one.type === type).map((one) => one.transaction_uuid)
  expect([uuids('Deposit').length, uuids('Payout').length]).toEqual([4, 3])
  return uuids('Payout')
}

/** Waits until the cashier has read the user's list. */
const seesOld = (cashier: Cashier, user: string, payouts: readonly string[]): Promise<void> =>
  vi.waitFor(async () => {
    const { payouts: old } = await cashier.payouts({ user_reference_id: user, owner: 'before' })
    expect(old.map(({ transaction_uuid }) => transaction_uuid).toSorted()).toEqual(payouts.toSorted())
  })

let merchant: MerchantDouble
let embedded: System
let external: System
beforeAll(async () => {
  const LEDGER_START = new Date(START).toISOString()
  merchant = await startMerchantDouble(() => external.webhookSecret)
  embedded = await startSystem({ cashier: { LEDGER_START } })
  external = await startSystem({ cashier: { LEDGER_START, MERCHANT_AUTHORIZE_URL: merchant.url } })
})
afterAll(async () => {
  await embedded.close()
  await external.close()
  await merchant.close()
})

test.each([
  ['the cashier keeps the ledger', () => embedded],
  ['the merchant keeps the ledger', () => external],
])('%s: old transactions are in the history, and are told and booked nowhere', async (_name, system) => {
  const user = 'user-old'
  const payouts = await oldTransactions(system(), user)
  const cashier = clientOf(system())
  const page = await system().page(user)
  await seesOld(cashier, user, payouts)
  expect(await page.history()).toMatchObject({ total_count: 7 })
  expect((await cashier.entries(user)).entries).toEqual([])
  expect(await readMerchantFeed(system().merchant, user)).toEqual([])
  expect((await cashier.quarantine()).items).toEqual([])
  expect((await cashier.payouts({ user_reference_id: user, owner: 'none' })).payouts).toEqual([])
})

test('a user who is moved in has the old balance and later changes, and the ledger is consistent', async () => {
  const user = 'user-moved'
  const moveIn = await readMoveIn()
  const payouts = await oldTransactions(embedded, user)
  const [usdt, eth, btc] = ['USDT Tron', 'ETH Ethereum', 'BTC Bitcoin'].map((name) => embedded.currency(name))
  const amount = '2.000000000000000001'
  await embedded.control.detectDeposit({ user_reference: user, currency_id: eth ?? '', amount, confirm: true })
  const cashier = clientOf(embedded)
  const old = { [usdt ?? '']: '12.5', [btc ?? '']: '0' }
  await moveIn(cashier, user, old)
  await moveIn(cashier, user, old)
  await cashier.createSession({ user_reference_id: user })
  await seesOld(cashier, user, payouts)
  await vi.waitFor(async () => {
    const owned = (await cashier.balances(user)).filter(({ available }) => available !== '0')
    expect(Object.fromEntries(owned.map((one) => [one.currency_id, one.available]))).toEqual({
      [usdt ?? '']: '12.5',
      [eth ?? '']: amount,
    })
  })
  expect((await embedded.checkLedger()).faults).toEqual([])
})
