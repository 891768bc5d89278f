import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { backUpFile } from '../store/commands/backup.ts'
import { copyDatabase } from '../store/commands/copy-database.ts'
import { storedStart } from '../store/commands/stored-start.ts'
import { FLAVOURS, newTestDatabase } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { keepLedgerStart, LedgerStartError } from './ledger-start.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const DAY = 86_400_000

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  test('without LEDGER_START it is a day before the first start, for ever', async () => {
    expect((await storedStart(stores.url)).ledgerStartMs).toBeNull()
    expect(await keepLedgerStart(stores.one, null, NOW)).toBe(NOW - DAY)
    expect(await keepLedgerStart(stores.one, null, NOW + 50 * DAY)).toBe(NOW - DAY)
    expect((await storedStart(stores.url)).ledgerStartMs).toBe(NOW - DAY)
  })

  test('another time than the first is refused, and changes nothing', async () => {
    expect(await keepLedgerStart(stores.one, NOW - 9 * DAY, NOW)).toBe(NOW - 9 * DAY)
    const again = keepLedgerStart(stores.one, NOW, NOW + DAY)
    await expect(again).rejects.toThrow(LedgerStartError)
    await expect(again).rejects.toThrow(
      'LEDGER_START is 2026-11-20T12:00:00.000Z, but this database was started with 2026-11-11T12:00:00.000Z',
    )
    expect(await keepLedgerStart(stores.one, NOW - 9 * DAY, NOW)).toBe(NOW - 9 * DAY)
    expect(await keepLedgerStart(stores.one, null, NOW)).toBe(NOW - 9 * DAY)
  })

  test('of two instances that start at once with different times, one starts', async () => {
    const both = [stores.one, await stores.another()].map((store, at) => keepLedgerStart(store, NOW - at * DAY, NOW))
    const ends = await Promise.allSettled(both)
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('another place', () => {
  const stores = useStores('sqlite')

  test('a backup and a copy of the database keep it', async () => {
    await keepLedgerStart(stores.one, NOW - 9 * DAY, NOW)
    const file = stores.url.slice('file:'.length)
    const folder = mkdtempSync(join(tmpdir(), 'cashier-ledger-start-'))
    const target = await newTestDatabase('postgres', inject('postgresUrl'))
    try {
      await backUpFile(file, join(folder, 'backup.db'))
      expect((await storedStart(`file:${join(folder, 'backup.db')}`)).ledgerStartMs).toBe(NOW - 9 * DAY)
      await copyDatabase(file, target.url, () => Promise.resolve())
      expect((await storedStart(target.url)).ledgerStartMs).toBe(NOW - 9 * DAY)
    } finally {
      await target.remove()
      rmSync(folder, { recursive: true })
    }
  })
})
