/** A user is erased, and messages about another user name one of the erased user's transactions. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applyFact } from '../../ledger/apply-fact.ts'
import { eraseUser } from './erase-user.ts'
import { watchLocks, type LockWaits } from '../testing/hold-lock.ts'
import { sampleFact, sampleQuarantined } from '../testing/sample-rows.ts'
import { applyOneFact, seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

describe('at once', () => {
  const stores = useStores('postgres', { partitioned: true })

  let locks: LockWaits
  beforeEach(async () => {
    locks = await watchLocks(stores.url)
    for (const user of ['u', 'v']) await stores.one.users.ensure(user, 0)
  })
  afterEach(() => locks.end())

  test('the erasure waits for the message, and is refused while its line is open', async () => {
    const deposit = sampleFact({ status: 'succeeded', to_address: 'TTo', tx_hash: 'hash' })
    await applyOneFact(stores.one, deposit)
    const eraser = await stores.another()
    const erasing: ReturnType<typeof eraseUser>[] = []
    await stores.one.transaction(async (tx) => {
      const contradiction = { ...deposit, user_reference_id: 'v', source: 'reconciliation' } as const
      const unit = await tx.load({ users: ['v'], transactions: [contradiction] })
      await tx.loadRelated(unit, [contradiction])
      erasing.push(eraseUser(eraser, 'u', 'erased_1', Date.now))
      await Promise.race([...erasing, locks.waiting(1)])
      applyFact(unit, contradiction, { ledgerMode: 'embedded', ledgerStartMs: 0, evidence: '{}' })
      await tx.save(unit)
    })
    const [line] = await stores.one.quarantine.list({ reason: 'list_conflict', settled: false, after: 0, limit: 9 })
    const open = [{ what: 'quarantine', id: String(line?.id), status: 'list_conflict' }]
    expect(await Promise.all(erasing)).toEqual([{ outcome: 'open', open }])
    await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now: Date.now() })
    expect(await eraseUser(eraser, 'u', 'erased_1', Date.now)).toMatchObject({ outcome: 'erased' })
    expect(await stores.one.transactions.find('deposit', 't1')).toMatchObject({
      user_reference_id: 'erased_1',
      to_address: null,
      tx_hash: null,
      credited: '1',
    })
  })
})

describe.each(FLAVOURS)('before, on %s', (flavour) => {
  const stores = useStores(flavour)

  test('events that were not applied and name the other user stay in quarantine, open and settled', async () => {
    const { one } = stores
    for (const user of ['u', 'v']) await one.users.ensure(user, 0)
    const deposit = sampleFact({ status: 'succeeded' })
    await applyOneFact(one, deposit)
    const reasons = ['stale', 'conflict', 'unreadable', 'unknown_status', 'foreign_record'] as const
    const users = ['u', 'v', 'not known', null]
    await seed(one, {
      quarantine: users.flatMap((user_reference_id) =>
        reasons.map((reason) =>
          sampleQuarantined({ reason, user_reference_id, transaction_uuid: deposit.transaction_uuid, event: '{}' }),
        ),
      ),
    })
    const lines = async (settled: boolean) =>
      (await one.quarantine.list({ reason: null, settled, after: 0, limit: 99 })).map(
        ({ user_reference_id, reason }) => [user_reference_id, reason],
      )
    const conflicts = await one.quarantine.list({ reason: 'conflict', settled: false, after: 0, limit: 99 })
    const line = conflicts.find(({ user_reference_id }) => user_reference_id === 'v')
    await one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now: 1 })
    expect(await eraseUser(one, 'u', 'erased_1', Date.now)).toMatchObject({
      outcome: 'erased',
      erased: { quarantined: 12 },
    })
    // The record in another user's list is the erased user's.
    const kept = ['v', 'not known'].flatMap((user) => reasons.map((reason) => [user, reason]))
    const open = kept.filter(
      ([user, reason]) => reason !== 'foreign_record' && !(user === 'v' && reason === 'conflict'),
    )
    expect([(await lines(false)).toSorted(), await lines(true)]).toEqual([open.toSorted(), [['v', 'conflict']]])
  })
})
