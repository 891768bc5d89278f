import { expect, test } from 'vitest'
import { useStores } from '../../store/testing/use-stores.ts'
import { checkBooksChange } from './check-books-change.ts'

const stores = useStores('sqlite')

test('a changed keeper of the ledger is a note, and only that', async () => {
  const check = (ledgerMode: 'embedded' | 'merchant', databaseUrl = stores.url) =>
    checkBooksChange({ databaseUrl, ledgerMode })
  expect(await check('embedded', 'file:/nowhere/cashier.db')).toEqual([])
  expect(await check('embedded')).toEqual([])
  await stores.one.reconciliation.keepBooks('merchant', 'i')
  expect(await check('merchant')).toEqual([])
  expect(await check('embedded')).toMatchObject([
    {
      about: 'ledger',
      level: 'note',
      message: expect.stringMatching(
        /^MERCHANT_AUTHORIZE_URL is not set here.*: the next start changes that; read /,
      ) as string,
    },
  ])
})
