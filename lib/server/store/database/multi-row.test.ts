/** Any number of rows in one call: SQLite takes ten in a statement, and the rest one by one. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import { confirmRows, insertRows } from './multi-row.ts'

const COLUMNS = { name: 'text', kind: 'text', user_reference_id: 'text' } as const
const KEY = ['name', 'kind'] as const

interface NameRow {
  readonly name: string
  readonly kind: string
  readonly user_reference_id: string
}

const rowsOf = (user: string, from: number, to: number): readonly NameRow[] =>
  Array.from({ length: to - from }, (_item, index) => ({
    name: `n${String(from + index).padStart(2, '0')}`,
    kind: 'deposit',
    user_reference_id: user,
  }))

describe.each(FLAVOURS)('on %s', (flavour) => {
  const stores = useStores(flavour)
  const insert = (onConflict: 'fail' | 'keep' | 'replace') =>
    insertRows<NameRow>(flavour, 'row_users', COLUMNS, onConflict, KEY)
  const stored = async (): Promise<readonly NameRow[]> =>
    (await sql<NameRow>`select * from row_users order by name`.execute(stores.one.database.db)).rows

  test.each([1, 10, 23])('%i rows are stored', async (count) => {
    await insert('fail')(stores.one.database.db, rowsOf('u', 0, count))
    expect(await stored()).toEqual(rowsOf('u', 0, count))
  })

  test.each(['keep', 'replace'] as const)('stored rows are kept or replaced: %s', async (onConflict) => {
    const { db } = stores.one.database
    await insert('fail')(db, rowsOf('u', 5, 17))
    await insert(onConflict)(db, rowsOf('v', 0, 25))
    const kept = onConflict === 'keep' ? rowsOf('u', 5, 17) : rowsOf('v', 5, 17)
    expect(await stored()).toEqual([...rowsOf('v', 0, 5), ...kept, ...rowsOf('v', 17, 25)])
  })

  test('a stored row among them ends the transaction, and nothing is stored', async () => {
    const { db } = stores.one.database
    await insert('fail')(db, rowsOf('u', 7, 8))
    const failing = db.transaction().execute(async (tx) => {
      await insert('fail')(tx, rowsOf('v', 20, 40))
      await expect(insert('fail')(tx, rowsOf('v', 0, 15))).rejects.toThrow(/unique/i)
      // The program goes on, as it does where several statements are sent at once.
      await insert('fail')(tx, rowsOf('v', 50, 60))
    })
    await expect(failing).rejects.toThrow()
    expect(await stored()).toEqual(rowsOf('u', 7, 8))
  })

  test('rows with other values are not confirmed, and stay as they are', async () => {
    const { db } = stores.one.database
    await insert('fail')(db, rowsOf('u', 3, 5))
    const confirm = confirmRows<NameRow>(flavour, 'row_users', COLUMNS, KEY)
    expect(await confirm(db, rowsOf('v', 0, 25))).toBe(23)
    expect(await confirm(db, rowsOf('v', 5, 25))).toBe(20)
    expect((await stored()).filter((row) => row.user_reference_id === 'u')).toEqual(rowsOf('u', 3, 5))
  })
})
