/** docs/guides/move-in.md: users who had deposits and payouts at the gateway before the cashier's database existed. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCashier, type Cashier } from '../../packages/server/src/index.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { startMerchantDouble, type MerchantDouble } from './merchant-double.ts'
import { startSystem, type System } from './start-system.ts'

interface OldLedger {
  readonly balances: Readonly<Record<string, string>>
  readonly deposits: readonly string[]
}
type MoveIn = (cashier: Cashier, user: string, old: OldLedger) => Promise<void>

/** The function from the guide. */
async function readMoveIn(): Promise<MoveIn> {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/guides/move-in.md', 'utf8')) ?? []
  const { moveIn } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { moveIn: MoveIn }
  return moveIn
}

const clientOf = ({ publicUrl, merchantApiKey }: System): Cashier =>
  createCashier({ url: publicUrl, apiKey: merchantApiKey })

/** Deposits and payouts that ended before the cashier knew the user; the uuids of the deposits that succeeded. */
async function oldTransactions(system: System, user: string): Promise<readonly string[]> {
  await system.control.seedTransactions({ user_reference: user, count: 7 })
  const listed = await system.control.transactions({ user_reference: user })
  const uuids = (type: string) => listed.filter((one) => one.type === type).map((one) => one.transaction_uuid)
  expect(uuids('Payout')).not.toEqual([])
  expect(uuids('Deposit')).not.toEqual([])
  return uuids('Deposit')
}

let merchant: MerchantDouble
let embedded: System
let external: System
beforeAll(async () => {
  merchant = await startMerchantDouble(() => external.webhookSecret)
  embedded = await startSystem()
  external = await startSystem({ cashier: { MERCHANT_AUTHORIZE_URL: merchant.url } })
})
afterAll(async () => {
  await embedded.close()
  await external.close()
  await merchant.close()
})

test('old deposits are credited with the first session of their user', async () => {
  const deposits = await oldTransactions(embedded, 'user-not-moved')
  const cashier = clientOf(embedded)
  await cashier.createSession({ user_reference_id: 'user-not-moved' })
  await vi.waitFor(async () => {
    const { entries } = await cashier.entries('user-not-moved')
    const credited = entries.map(({ reason, transaction_uuid }) => [reason, transaction_uuid])
    expect(credited.toSorted()).toEqual(deposits.map((uuid) => ['deposit', uuid]).toSorted())
  })
})

test('a user who is moved in has the old balance and later changes, and the ledger is consistent', async () => {
  const user = 'user-moved'
  const moveIn = await readMoveIn()
  const deposits = await oldTransactions(embedded, user)
  const [usdt, eth, btc] = ['USDT Tron', 'ETH Ethereum', 'BTC Bitcoin'].map((name) => embedded.currency(name))
  const amount = '2.000000000000000001'
  await embedded.control.detectDeposit({ user_reference: user, currency_id: eth ?? '', amount, confirm: true })
  const cashier = clientOf(embedded)
  const old = { balances: { [usdt ?? '']: '12.5', [btc ?? '']: '0' }, deposits }
  await moveIn(cashier, user, old)
  await moveIn(cashier, user, old)
  await vi.waitFor(async () => {
    const owned = (await cashier.balances(user)).filter(({ available }) => available !== '0')
    expect(Object.fromEntries(owned.map((one) => [one.currency_id, one.available]))).toEqual({
      [usdt ?? '']: '12.5',
      [eth ?? '']: amount,
    })
  })
  expect((await embedded.checkLedger()).faults).toEqual([])
})

test('if the merchant keeps the ledger, old transactions are reported, payouts without a withdrawal_id', async () => {
  const user = 'user-told'
  const deposits = await oldTransactions(external, user)
  await clientOf(external).createSession({ user_reference_id: user })
  await vi.waitFor(async () => {
    const events = (await readMerchantFeed(external.merchant, user)).map(({ data }) => data)
    const told = events.filter(({ kind, status }) => kind === 'deposit' && status === 'succeeded')
    expect(told.map(({ transaction_uuid }) => transaction_uuid).toSorted()).toEqual(deposits.toSorted())
    const payouts = events.filter(({ kind }) => kind === 'payout')
    expect(payouts.length).toBeGreaterThan(0)
    expect(payouts.filter(({ withdrawal_id }) => withdrawal_id !== undefined)).toEqual([])
  })
})
