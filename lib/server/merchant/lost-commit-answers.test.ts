/** A merchant's call while the answer to its COMMIT is lost, on a connection that is really cut. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleCurrency } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { startTcpProxy, type TcpProxy } from '../store/testing/tcp-proxy.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createAdjustBalance } from './adjust-balance.ts'

const stores = useStores('postgres')
let proxy: TcpProxy
let store: Store

beforeEach(async () => {
  proxy = await startTcpProxy(stores.url)
  // This lane waits for an outcome for the shortest time.
  store = (await openStore({ url: proxy.url, clock: Date.now, deliver: false })).lane('webhooks')
  await seed(stores.one, { currencies: [sampleCurrency] })
})
afterEach(async () => {
  await store.close()
  await proxy.stop()
})

const adjust = () =>
  createAdjustBalance(store, 'embedded', () => Promise.resolve())('ann', {
    currency_id: sampleCurrency.id,
    amount: decimal('5'),
    reference: 'win',
  })
const available = async () => (await stores.one.ledger.balance('ann', sampleCurrency.id)).available

test.each(['before', 'after'] as const)('cut %s its COMMIT, a balance is adjusted once', async (cut) => {
  proxy.cutCommit(cut)
  expect(await adjust()).toMatchObject({ created: true })
  expect([proxy.cuts, await available()]).toEqual([1, '5'])
  expect(await adjust()).toMatchObject({ created: false })
})

test('an adjustment whose outcome stays unknown is made once if the merchant repeats it', async () => {
  proxy.cutCommit('after', { away: true })
  expect(store.isUnknown(await adjust().catch((error: unknown) => error))).toBe(true)
  proxy.comeBack()
  await vi.waitFor(async () => expect(await adjust()).toMatchObject({ created: false }))
  expect([proxy.cuts, await available()]).toEqual([1, '5'])
})
