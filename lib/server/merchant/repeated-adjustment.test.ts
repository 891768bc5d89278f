/** An adjustment is booked once a reference, also after its user was erased. */
import { beforeEach, describe, expect, test } from 'vitest'
import { adjustmentRequest } from '#lib/contract/merchant-requests.ts'
import { contentsFaults } from '../store/commands/check-contents.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import { openSnapshot } from '../store/tables/snapshot.ts'
import { sampleCurrency } from '../store/testing/sample-rows.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createAdjustBalance } from './adjust-balance.ts'

const CURRENCY = { ...sampleCurrency, id: '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11' }

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)
  beforeEach(() => stores.one.transaction((tx) => tx.currencies.replaceListed([CURRENCY], tx.now)))

  const adjust = (amount: string, reference: string) =>
    createAdjustBalance(stores.one, 'embedded', () => Promise.resolve())(
      'u',
      adjustmentRequest.parse({ currency_id: CURRENCY.id, amount, reference }),
    )

  test('the same reference gives the first result, other content is refused, and no row names the user', async () => {
    await stores.one.reconciliation.keepLedgerStart(0)
    const first = await adjust('10', 'win:7')
    expect(first).toMatchObject({ created: true })
    expect(await eraseUser(stores.one, 'u', 'erased_1', Date.now)).toMatchObject({ outcome: 'erased' })

    expect(await adjust('10', 'win:7')).toEqual({ ...first, created: false })
    await expect(adjust('11', 'win:7')).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await eraseUser(stores.one, 'u', 'erased_2', Date.now)).toEqual({ outcome: 'unknown' })
    expect(await adjust('3', 'win:8')).toMatchObject({ created: true, adjustment: { available: '3' } })
    expect(await adjust('10', 'win:7')).toEqual({ ...first, created: false })
    expect(await stores.one.ledger.balance('u', CURRENCY.id)).toMatchObject({ available: '3' })
    expect(await stores.one.snapshot(checkLedger)).toMatchObject({ ok: true, faults: [], postings: 2 })

    const faults = async () => contentsFaults(await openSnapshot(stores.url, (snapshot) => snapshot.contents()))
    expect(await faults()).toEqual([])
    await stores.one.database.db.deleteFrom('row_users').where('kind', '=', 'adjustment').execute()
    expect(await faults()).toEqual(['1 adjustments of erased users without the row that leads to them'])
  })
})
