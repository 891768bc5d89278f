/** A first session of a user for whom much waits in quarantine. */
import { describe, expect, test, vi } from 'vitest'
import { sampleSession } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { Store } from '../store/types.ts'
import { createReleaseJob } from './release-job.ts'
import { releasePage, releaseUser, releaseUserWithin } from './release-quarantine.ts'

const USER = 'late'
const EVENTS = 500
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const UUIDS = Array.from({ length: EVENTS }, (_item, index) => uuid(index))

const deposit = (transaction_uuid: string): string =>
  JSON.stringify({
    event: 'User Deposit',
    transaction: {
      id: transaction_uuid,
      status: 'succeeded',
      date: '2026-01-02T03:04:05Z',
      currency: { id: 'c1', name: 'Tether', currency_code: 'USDT', symbol: 'USDT', network: 'Tron' },
      amount: 2,
      to_address: 'TTo',
      from_address: 'TFrom',
      tx_hash: `hash-${transaction_uuid}`,
      transaction_type: 'Deposit',
    },
    transaction_uuid,
    user_reference: USER,
    merchant_reference: 'm',
    payment_method: 'Deposit',
  })

/** A real store that counts its transactions; `before` may delay one of them. */
function counted(store: Store, before: (nth: number) => Promise<unknown> = () => Promise.resolve()) {
  const counts = { transactions: 0 }
  const counting: Store = {
    ...store,
    async transaction(work) {
      counts.transactions += 1
      await before(counts.transactions)
      return store.transaction(work)
    },
  }
  return { counting, counts }
}

const rulesOn = (store: Store) => ({ store, ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'm' }) as const

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  const fill = (): Promise<void> =>
    seed(stores.one, {
      quarantine: UUIDS.map((id) => ({
        reason: 'unknown_user',
        event_name: 'User Deposit',
        user_reference_id: USER,
        transaction_uuid: id,
        event: deposit(id),
      })),
    })

  const openSession = () =>
    stores.one.sessions.addSession(sampleSession({ user_reference_id: USER, created_ms: Date.now() }), {
      hash: 'hash',
      expires_ms: Date.now() + 60_000,
    })

  const jobOn = (store: Store) =>
    createReleaseJob({
      store,
      release: (rows) => releasePage(rulesOn(store), rows),
      clock: Date.now,
      holder: 'one',
      onFault: (error) => {
        throw error
      },
    })

  const available = async (): Promise<string> => (await stores.one.ledger.balance(USER, 'c1')).available
  const open = async (): Promise<number> => (await stores.one.quarantine.countOpen()).get('unknown_user') ?? 0
  const published = async (): Promise<unknown[]> =>
    (await stores.one.events.feedAfter(0, 1000)).map(
      ({ data }) => (JSON.parse(data) as { transaction_uuid: unknown }).transaction_uuid,
    )

  test('the session waits for a second; the job applies the rest soon, each event once and in order', async () => {
    const [second, held] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    const { counting, counts } = counted(stores.one, async (nth) => {
      if (nth === 3) await held.promise
    })
    await fill()
    const job = jobOn(counting)
    await openSession()
    const sleep = vi.fn(() => second.promise)
    const waited = releaseUserWithin({ ...rulesOn(counting), sleep }, USER, 1000)
    await vi.waitFor(() => expect(counts.transactions).toBe(3))
    expect(sleep).toHaveBeenCalledExactlyOnceWith(1000, expect.any(AbortSignal))
    second.resolve(undefined)
    // The third page is still under way.
    await waited
    expect(await open()).toBe(EVENTS - 200)
    held.resolve(undefined)
    job.start()
    await vi.waitFor(async () => expect(await open()).toBe(0), { interval: 100 })
    await job.stop()
    expect(await published()).toEqual(UUIDS)
    expect(await available()).toBe('1000')
  })

  test('a page of events shares one transaction', async () => {
    const { counting, counts } = counted(stores.one)
    await fill()
    await openSession()
    expect(await releaseUser(rulesOn(counting), USER)).toBe(EVENTS)
    expect(counts.transactions).toBe(EVENTS / 100)
    expect([await published(), await available()]).toEqual([UUIDS, '1000'])
  })

  test('after a page that cannot be committed, its good events are applied one by one, until the limit', async () => {
    await fill()
    await openSession()
    const [first, second, third] = await stores.one.quarantine.waiting('unknown_user', { after: 0, limit: 3 })
    const rows = [first!, { ...second!, event: '{' }, third!]
    const { applied, failed } = await releasePage(rulesOn(stores.one), rows)
    expect([applied, [...failed.keys()]]).toEqual([2, [second!.id]])
    const page = await stores.one.quarantine.waiting('unknown_user', { after: third!.id, limit: 3 })
    expect(await releasePage(rulesOn(stores.one), [...page, rows[1]!], () => true)).toEqual({
      applied: 0,
      failed: new Map(),
    })
  })

  test('a session that is created while the job tries a stranger’s events makes them due at once', async () => {
    const { one } = stores
    await fill()
    let sessions = 0
    const due: Store['quarantineReleases']['due'] = async (...query) => {
      const rows = await one.quarantineReleases.due(...query)
      if (rows.length > 0 && (sessions += 1) === 1) await openSession()
      return rows
    }
    const job = jobOn({ ...one, quarantineReleases: { ...one.quarantineReleases, due } })
    await job.runOnce()
    await job.runOnce()
    expect([await open(), await available()]).toEqual([0, '1000'])
  })
})
