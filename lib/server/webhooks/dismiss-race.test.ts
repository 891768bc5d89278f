/** A person dismisses an event of the quarantine while another instance applies it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beforeSave } from '../store/testing/before-save.ts'
import { watchLocks, type LockWaits } from '../store/testing/hold-lock.ts'
import { sampleQuarantined } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { reapply } from './release-quarantine.ts'

const CURRENCY = { id: 'c1', name: 'Tether', currency_code: 'USDT', symbol: 'USDT', network: 'Tron' }
const deposit = JSON.stringify({
  event: 'User Deposit',
  transaction: { id: 't', status: 'succeeded', currency: CURRENCY, amount: 5 },
  transaction_uuid: 't',
  user_reference: 'u',
  merchant_reference: 'us',
})

const stores = useStores('postgres')

let locks: LockWaits
beforeEach(async () => {
  locks = await watchLocks(stores.url)
  await stores.one.users.ensure('u', 0)
  await seed(stores.one, { quarantine: [sampleQuarantined({ event: deposit })] })
})

afterEach(() => locks.end())

const available = async (): Promise<string> => (await stores.one.ledger.balance('u', 'c1')).available

test('a dismissed event is not credited, and a credited event is not dismissed', async () => {
  const [row] = await stores.one.quarantine.waiting('stale', { after: 0, limit: 1 })
  const { one } = stores
  const dismissals: Promise<boolean>[] = []
  const store = beforeSave(one, () => {
    dismissals.push(one.quarantine.settle(row!.id, { by: 'merchant', now: Date.now() }))
    return Promise.race([...dismissals, locks.waiting(1)])
  })
  const outcome = await reapply({ store, ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'us' }, row!, {
    by: 'system',
  })
  expect([await Promise.all(dismissals), outcome, await available()]).toEqual([[false], 'applied', '5'])
  expect(await one.quarantine.find(row!.id)).toMatchObject({ settled_by: 'system' })
})
