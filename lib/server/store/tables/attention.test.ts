/** What waits for a person, as the console counts it. */
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleQuarantined, sampleWithdrawal } from '../testing/sample-rows.ts'
import { applyOneFact, seed } from '../testing/seed.ts'
import { sampleFact } from '../testing/sample-rows.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import type { Store } from '../store.ts'

/** The counts that are not zero. */
const waiting = async (store: Store) =>
  Object.fromEntries(
    (await store.attention.counts())
      .filter(({ count }) => count > 0)
      .map(({ kind, count, oldestMs }) => [kind, [count, oldestMs]]),
  )

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, clock: () => 7000, deliver: true })

  test('an empty database needs nobody', async () => {
    expect(await waiting(stores.one)).toEqual({})
    expect(await stores.one.attention.lastWebhookMs()).toBe(null)
  })

  test('withdrawals, payouts and open lines, each with the oldest', async () => {
    const { one } = stores
    const of = (id: string, more: object) => sampleWithdrawal({ id, idempotency_key: id, ...more })
    await seed(one, {
      withdrawals: [
        of('w1', { status: 'unknown', created_ms: 3000 }),
        of('w2', { status: 'unknown', created_ms: 2000 }),
        of('w3', { step: 'pending', created_ms: 4000 }),
        of('w4', { status: 'awaiting_approval', created_ms: 5000 }),
        of('w5', { status: 'succeeded', created_ms: 1000 }),
        of('w6', { step: 'authorizing', created_ms: 1000 }),
      ],
      quarantine: [
        sampleQuarantined({ reason: 'overdue', transaction_uuid: 't1' }),
        sampleQuarantined({ reason: 'overdue', transaction_uuid: 't2' }),
        // It waits for us, and is counted as such.
        sampleQuarantined({ reason: 'overdue', transaction_uuid: 'w3' }),
        sampleQuarantined({ reason: 'overdue', transaction_uuid: null }),
        sampleQuarantined({ reason: 'implausible', transaction_uuid: 't3' }),
      ],
      webhooks: [{ received_ms: 6000, sent_s: 6, body: '{}', outcome: 'applied' }],
    })
    await one.quarantine.settleReports('overdue', ['t1'], 8000)
    expect(await waiting(one)).toEqual({
      withdrawals_unknown: [2, 2000],
      withdrawals_pending: [1, 4000],
      withdrawals_awaiting: [1, 5000],
      overdue: [2, 7000],
      implausible: [1, 7000],
    })
    // The list to which the number leads.
    const { rows } = await one.operatorLists.quarantine({
      filter: { show: 'gateway', reason: ['overdue'] },
      sort: { by: 'received_at', descending: false },
      ...{ after: null, back: false, limit: 9 },
    })
    expect(rows.map(({ row }) => row.transaction_uuid)).toEqual(['t2', null])
    expect(await one.attention.lastWebhookMs()).toBe(6000)
  })

  test('a payout without an owner, until it has one', async () => {
    const { one } = stores
    await one.users.ensure('u', 1)
    await applyOneFact(one, sampleFact({ kind: 'payout', transaction_uuid: 'p1', amount: decimal('5') }))
    const found = await waiting(one)
    expect(found).toMatchObject({ payouts_unowned: [1, 7000] })
  })

  test('deliveries that fail, and those that are dead', async () => {
    const { one } = stores
    for (const uuid of ['t1', 't2', 't3']) await applyOneFact(one, sampleFact({ transaction_uuid: uuid }))
    await one.events.number()
    const due = await one.deliveries.due({ fresh: true, limit: 9 })
    const claim = 'me'
    await one.deliveries.claim(
      due.map(({ cursor }) => cursor),
      claim,
      60_000,
    )
    const [first, second] = due
    await one.deliveries.retryAt({ ...first!, claim }, { nextMs: 9000, firstMs: 6500, error: 'down' })
    await one.transaction((tx) => tx.deliveries.markDead({ ...second!, claim }, 'gone'))
    expect(await waiting(one)).toMatchObject({ deliveries_failing: [1, 6500], deliveries_dead: [1, 7000] })
  })

  test('users whose list was not compared with the books since a restore', async () => {
    const { one } = stores
    for (const user of ['u', 'v']) await one.users.ensure(user, 1)
    await one.users.totalsChecked('u')
    expect(await waiting(one)).toEqual({ users_unchecked: [1, null] })
    await one.transaction((tx) => tx.reconciliation.noteRestored())
    expect(await waiting(one)).toEqual({ users_unchecked: [2, null] })
    await one.users.clearRestored('v')
    expect(await waiting(one)).toEqual({ users_unchecked: [1, null] })
  })

  test('a count ends at ten thousand', async () => {
    const { one } = stores
    const row = { reason: 'unknown_user' as const, received_ms: 1, event: '{}', user_reference_id: '' }
    for (let at = 0; at < 10; at += 1)
      await one.database.db
        .insertInto('quarantine')
        .values(Array.from({ length: 1001 }, () => row))
        .execute()
    expect((await one.attention.counts()).find(({ kind }) => kind === 'unknown_user')).toMatchObject({
      count: 10_000,
      isMore: true,
    })
  })
})
