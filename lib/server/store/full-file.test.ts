import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { checkLedger } from './commands/check-ledger.ts'
import type { Store } from './store.ts'
import { sampleFact } from './testing/sample-rows.ts'
import { applyOneFact } from './testing/seed.ts'
import { useStores } from './testing/use-stores.ts'

const stores = useStores('sqlite', { deliver: true })

const TABLES = ['transactions', 'row_users', 'postings', 'balances', 'stream_events', 'users'] as const
const FEED = ['merchant_events', 'deliveries', 'counters'] as const
const contents = ({ database: { db } }: Store): Promise<unknown> =>
  Promise.all([...TABLES, ...FEED].map((table) => db.selectFrom(table).selectAll().execute()))

test('a credit that a full file interrupts, at whatever statement, leaves nothing, and is booked once later', async () => {
  const { one } = stores
  const { db } = one.database
  await one.users.ensure('u', 1)
  const credit = (n: number): Promise<unknown> =>
    applyOneFact(
      one,
      sampleFact({ transaction_uuid: `t${n}`, tx_hash: `h${n}`, amount: decimal('1'), status: 'succeeded' }),
    )
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  const pages = rows[0]?.page_count ?? 0
  let [booked, interrupted] = [0, 0]
  for (let more = 0; more < 60; more += 1) {
    await sql.raw(`pragma max_page_count = ${pages + more}`).execute(db)
    for (let isFull = false; !isFull;) {
      const before = await contents(one)
      isFull = await credit(booked).then(
        () => false,
        () => true,
      )
      if (isFull) expect(await contents(one)).toEqual(before)
      if (isFull) interrupted += 1
      else booked += 1
    }
  }
  const { available } = await one.ledger.balance('u', 'c1')
  expect([interrupted, available]).toEqual([60, String(booked)])
  expect(await one.snapshot(checkLedger)).toMatchObject({ ok: true, postings: booked })
})
