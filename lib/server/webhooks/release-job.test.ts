import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import type { QuarantineReason, Store } from '../store/types.ts'
import { rowsTouched, sqlitePlans } from '../store/testing/statements.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createReleaseJob } from './release-job.ts'
import { sampleSession } from '../store/testing/sample-rows.ts'
import { releasePage } from './release-quarantine.ts'

const DAY = 86_400_000
const START = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const USDT = { id: 'c1', name: 'Tether', currency_code: 'USDT', symbol: 'USDT', network: 'Tron' } as const
const uuid = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`

const deposit = (n: number, user: string): string =>
  JSON.stringify({
    event: 'User Deposit',
    transaction: {
      id: uuid(n),
      status: 'succeeded',
      date: '2026-01-02T03:04:05Z',
      currency: USDT,
      amount: 5,
      to_address: 'TTo',
      from_address: 'TFrom',
      tx_hash: `hash-${n}`,
      transaction_type: 'Deposit',
    },
    transaction_uuid: uuid(n),
    user_reference: user,
    merchant_reference: 'm',
    payment_method: 'Deposit',
  })

const onramp = (n: number): string =>
  JSON.stringify({
    event: 'User Onramp',
    transaction: {
      id: uuid(n),
      status: 'succeeded',
      transaction_type: 'onramp',
      date: '2026-01-02T03:04:05Z',
      provider_transaction_id: 'p',
      tx_hash: `hash-${n}`,
      to_amount: 7,
      to_currency: { code: 'USDT', name: 'Tether', network: 'Tron' },
      from_amount: 8,
      from_currency: 'EUR',
    },
    transaction_uuid: uuid(n),
    user_reference: 'u',
    payment_method: 'card',
    correlation_key: `key-${n}`,
    session_reference: null,
  })

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { clock: () => now })

  const newJob = (store: Store, holder = 'one', clock = () => now) => {
    const faults: (number | null)[] = []
    const rules = { store, ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'm' } as const
    const job = createReleaseJob({
      store,
      release: (rows) => releasePage(rules, rows),
      clock,
      holder,
      onFault: (_error, id) => faults.push(id),
    })
    return { ...job, faults }
  }

  const wait = (reason: QuarantineReason, event: string, user: string | null = 'u'): Promise<void> =>
    seed(stores.one, {
      quarantine: [{ reason, event_name: null, user_reference_id: user, transaction_uuid: null, event }],
    })

  const available = async (user: string): Promise<string> => (await stores.one.ledger.balance(user, 'c1')).available

  const session = (user: string) =>
    stores.one.sessions.addSession(sampleSession({ id: `session-${user}`, user_reference_id: user, created_ms: now }), {
      hash: user,
      expires_ms: now + 1,
    })

  test('an event with an unknown currency is tried again after another instance has refreshed the list', async () => {
    const { one } = stores
    const job = newJob(one)
    await one.users.ensure('u', now)
    await wait('unknown_currency', onramp(1))
    expect(await job.runOnce()).toBe(0)
    await wait('unknown_currency', onramp(2))
    expect([await job.runOnce(), await job.runOnce()]).toEqual([0, 0])
    now += 1000
    const other = await stores.another()
    await other.transaction((tx) => tx.currencies.replaceListed([USDT], tx.now))
    expect([await job.runOnce(), await job.runOnce()]).toEqual([2, 0])
    expect([...(await one.quarantine.countOpen())]).toEqual([])
  })

  test('an event with an unknown currency is tried again after a change, even if another clock is ahead', async () => {
    const { one } = stores
    const job = newJob(one)
    const listed = (currency: Currency, atMs: number) =>
      one.transaction((tx) => tx.currencies.replaceListed([currency], atMs))
    await one.users.ensure('u', now)
    await listed({ ...USDT, id: 'gone', currency_code: 'GONE' }, now + HOUR)
    await listed({ ...USDT, network: 'Another' }, now)
    await wait('unknown_currency', onramp(1))
    expect([await job.runOnce(), await job.runOnce()]).toEqual([0, 0])
    await listed(USDT, now + 1000)
    expect(await job.runOnce()).toBe(1)
  })

  test('a first session on a machine whose clock is ahead releases the events of its user', async () => {
    const { one } = stores
    await wait('unknown_user', deposit(1, 'u'))
    expect(await newJob(one).runOnce()).toBe(0)
    now += HOUR
    await session('u')
    now -= HOUR
    expect(await newJob(one).runOnce()).toBe(1)
    expect(await available('u')).toBe('5')
  })

  test('an event that throws is reported, stops no other, and is tried again', async () => {
    const { one } = stores
    const job = newJob(one)
    await one.users.ensure('u', now)
    await seed(one, { currencies: [USDT] })
    await wait('unknown_currency', '{')
    await wait('unknown_currency', deposit(1, 'u'))
    await wait('unknown_user', '{')
    await wait('unknown_user', deposit(2, 'u'))
    expect(await job.runOnce()).toBe(2)
    expect(await available('u')).toBe('10')
    expect(job.faults.toSorted()).toEqual([1, 3])
    expect(await job.runOnce()).toBe(0)
    expect(job.faults).toHaveLength(2)
    now += 60_000
    await job.runOnce()
    expect(job.faults.toSorted()).toEqual([1, 1, 3, 3])
  })

  test("a stranger's events wait until the user becomes known, by whatever instance", async () => {
    const { one } = stores
    const job = newJob(one)
    await wait('unknown_user', deposit(1, 'late'), 'late')
    await wait('unknown_user', deposit(2, 'other'), 'other')
    await wait('unknown_user', deposit(3, 'nobody'), null)
    expect(await job.runOnce()).toBe(0)
    await session('late')
    expect([await job.runOnce(), await job.runOnce()]).toEqual([1, 0])
    // Stored by a transaction that still saw the user as unknown.
    await wait('unknown_user', deposit(4, 'late'), 'late')
    expect(await job.runOnce()).toBe(1)
    expect(await available('late')).toBe('10')
    expect(await available('other')).toBe('0')
  })

  test('a newer version applies events that an older one could not, and every event is tried once a day', async () => {
    const { one } = stores
    const [old, newer] = [newJob(one, 'old'), newJob(one, 'new')]
    await wait('unknown_event', deposit(1, 'u'))
    expect(await old.runOnce()).toBe(0)
    await one.users.ensure('u', now)
    await sql`update quarantine set reason = 'unknown_event'`.execute(one.database.db)
    expect(await newer.runOnce()).toBe(0)
    await old.stop()
    now += 5000
    expect(await newer.runOnce()).toBe(1)
    await wait('unknown_status', deposit(2, 'v'), 'v')
    expect(await newer.runOnce()).toBe(0)
    await one.users.ensure('v', now)
    await sql`update quarantine set reason = 'unknown_status' where reason = 'unknown_user'`.execute(one.database.db)
    expect(await newer.runOnce()).toBe(0)
    now += DAY
    expect(await newer.runOnce()).toBe(1)
  })

  test('an instance whose clock is set back keeps the lease', async () => {
    let setBackMs = 0
    const job = newJob(stores.one, 'one', () => now - setBackMs)
    await job.runOnce()
    setBackMs = 60_000
    now += 10_000
    await job.runOnce()
    now += 10_000
    expect(await stores.one.leases.take('release-quarantine', 'two', 1)).toBe(false)
  })

  test('a round with 5000 events of strangers reads almost none of them', async () => {
    const { one } = stores
    const job = newJob(one)
    await sql`
      insert into quarantine (reason, received_ms, user_reference_id, event, release_ms)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      select 'unknown_user', 1, 'stranger' || i, '{}', ${sql.lit(now + DAY)} from n where i <> 7`.execute(
      one.database.db,
    )
    if (flavour === 'postgres') await sql`analyze`.execute(one.database.db)
    const round = async () => {
      await wait('unknown_user', deposit(1, 'stranger7'), 'stranger7')
      expect(await job.runOnce()).toBe(0)
      await session('stranger7')
      expect(await job.runOnce()).toBe(1)
    }
    if (flavour === 'postgres') expect(await rowsTouched(one, round)).toBeLessThan(200)
    else {
      const plans = await sqlitePlans(stores.url, round)
      expect(plans.filter((step) => /quarantine|^SCAN q/.test(step) && !step.startsWith('SEARCH'))).toEqual([])
      expect(plans).toContainEqual(
        expect.stringMatching(/SEARCH q USING INDEX quarantine_release \(reason=\? AND release_ms</),
      )
    }
    expect(await available('stranger7')).toBe('5')
  })
})
