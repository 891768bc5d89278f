/** The cost of a unit of work on PostgreSQL: round trips to the server, and rows read. */
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { BookingRequest } from '../../ledger/accounts.ts'
import type { Fact } from '../../ledger/facts.ts'
import type { Store } from '../store.ts'
import { sampleFact, sampleTransaction } from '../testing/sample-rows.ts'
import { applyOneFact, seed } from '../testing/seed.ts'
import { useStores } from '../testing/use-stores.ts'

const deposit = (index: number): Fact =>
  sampleFact({
    transaction_uuid: `t-${String(index)}`,
    user_reference_id: 'ann',
    status: 'succeeded',
    tx_hash: `hash-${String(index)}`,
  })

type CountedClient = pg.Client & { readonly connectionParameters: { readonly application_name: string } }

/**
 * Counts the statements of calls, and their round trips: statements that were sent while none was under way. Numbers and
 * signals come after the commit, on other connections.
 */
async function countTrips(work: () => Promise<unknown>): Promise<{ statements: number; trips: number }> {
  const counted = { statements: 0, trips: 0 }
  let underWay = 0
  const query = pg.Client.prototype.query as (this: CountedClient, ...given: unknown[]) => Promise<unknown>
  const spy = vi.spyOn(pg.Client.prototype, 'query') as unknown as {
    mockImplementation(run: typeof query): void
    mockRestore(): void
  }
  spy.mockImplementation(function (...given) {
    if (this.connectionParameters.application_name !== 'cashier calls') return query.apply(this, given)
    counted.statements += 1
    if (underWay === 0) counted.trips += 1
    underWay += 1
    return query.apply(this, given).finally(() => (underWay -= 1))
  })
  await work()
  spy.mockRestore()
  return counted
}

describe('units of work on PostgreSQL', () => {
  const stores = useStores('postgres', { partitioned: true, deliver: true })

  test('independent statements share a round trip', async () => {
    await stores.one.users.ensure('ann', 1)
    await applyOneFact(stores.one, deposit(1))
    const counted = await countTrips(() => applyOneFact(stores.one, deposit(2)))
    expect(counted.statements).toBeGreaterThanOrEqual(16)
    // Begin; locks; stored rows; related rows; balances; changes; stream numbers and feed; stream; commit.
    expect(counted.trips).toBeLessThanOrEqual(9)
    const client = await stores.one.database.pool?.connect()
    client?.release()
    // Otherwise the client itself would send them one after the other.
    expect(client?.pipeline).toBe(true)
  })

  test('the first error of a round trip counts, and nothing is stored', async () => {
    await stores.one.users.ensure('ann', 1)
    const booking: BookingRequest = {
      ...{ booking: 'adjustment', posting_key: 'adjustment:ann:1', amount: decimal('1') },
      ...{ user_reference_id: 'ann', currency_id: 'c1' },
    }
    await seed(stores.one, { bookings: [booking] })
    const again = seed(stores.one, {
      bookings: [booking],
      transactions: [sampleTransaction({ transaction_uuid: 't-9' })],
    })
    await expect(again).rejects.toThrow(/duplicate key/)
    expect(await stores.one.transactions.byUuids(['t-9'])).toEqual([])
    // The connection still works.
    await applyOneFact(stores.one, deposit(2))
  })

  /** Rows of the table that were read by sequential scans, as far as the connections have reported them. */
  const scannedRows = async (store: Store, table: string): Promise<number> => {
    const { db } = store.database
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ count: number }>`
      select seq_tup_read as count from pg_stat_user_tables where relname = ${table}`.execute(db)
    return rows[0]?.count ?? 0
  }

  test('a plan that was made for empty tables uses an index after they have grown', async () => {
    const { one } = stores
    await one.users.ensure('ann', 1)
    const load = (index: number): Promise<unknown> =>
      one.transaction(async (tx) => {
        const facts = [deposit(index)]
        await tx.loadRelated(await tx.load({ users: ['ann'], transactions: facts }), facts)
      })
    // PostgreSQL keeps the plan from the sixth execution on.
    for (let index = 0; index < 10; index += 1) await load(index)
    const many = Array.from({ length: 2000 }, (_item, index) => deposit(index))
    await seed(one, {
      facts: many,
      transactions: many.map(({ transaction_uuid, tx_hash }) =>
        sampleTransaction({ transaction_uuid, user_reference_id: 'ann', tx_hash_key: tx_hash }),
      ),
    })
    const before = [await scannedRows(one, 'transactions'), await scannedRows(one, 'unplaced_facts')]
    for (let index = 0; index < 10; index += 1) await load(index)
    expect([await scannedRows(one, 'transactions'), await scannedRows(one, 'unplaced_facts')]).toEqual(before)
  })
})
