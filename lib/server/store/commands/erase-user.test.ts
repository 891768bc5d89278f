/** A user is erased while a message about another user names one of the erased user's transactions. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { applyFact } from '../../ledger/apply-fact.ts'
import { eraseUser } from './erase-user.ts'
import { watchLocks, type LockWaits } from '../testing/hold-lock.ts'
import { sampleFact } from '../testing/sample-rows.ts'
import { applyOneFact } from '../testing/seed.ts'
import { useStores } from '../testing/use-stores.ts'

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
