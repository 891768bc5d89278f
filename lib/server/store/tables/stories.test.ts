/** A story reads the rows of the story, however many others there are. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleCall, sampleFact, sampleRecord, sampleTransaction, sampleWithdrawal } from '../testing/sample-rows.ts'
import { seed } from '../testing/seed.ts'
import { rowsTouched } from '../testing/statements.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const OTHERS = 20_000

/** Rows of other transactions: of the same user, at the same time, and in quarantine. */
const NOISE = [
  `insert into unplaced_facts (kind, transaction_uuid, facts)
    select 'deposit', 'noise-' || n.i, '[]' from numbers n`,
  `insert into row_users (name, kind, user_reference_id) select 'noise-' || n.i, 'deposit', 'u' from numbers n`,
  `insert into records (user_reference_id, transaction_uuid, type, status, inserted_ms, inserted_at, cursor, record, seen_ms)
    select 'u', 'noise-' || n.i, 'Deposit', 'TXN_NEW', 5, '', '', '{}', 5 from numbers n`,
  `insert into webhooks (received_ms, sent_s, body, outcome, transaction_uuid)
    select 5 + n.i, 0, '{}', case n.i % 2 when 0 then 'seen' else 'applied' end, 'noise-' || n.i from numbers n`,
  `insert into quarantine (reason, received_ms, user_reference_id, transaction_uuid, event, settled_ms)
    select 'stale', 5, 'u', 'noise-' || n.i, '{}', case n.i % 2 when 0 then 5 end from numbers n`,
  `insert into postings (posting_key, user_reference_id, currency_id, kind, created_ms, from_account, to_account, amount)
    select 'credit:deposit:noise-' || n.i, 'u', 'c1', 'credit', 5, 'gateway', 'available', '1' from numbers n`,
  `insert into merchant_events (cursor, entity, data, created_ms)
    select 1000 + n.i, 'deposit:noise-' || n.i, '{}', 5 from numbers n`,
  `insert into withdrawal_calls (user_reference_id, withdrawal_id, purpose, started_ms, ended_ms)
    select 'u', 'noise-' || n.i, 'withdraw', 5, 5 from numbers n`,
] as const

const NUMBERS = `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${String(OTHERS)})`

const uuid = '00000000-0000-4000-8000-00000000000a'
const about = { transaction_uuid: uuid, kind: 'payout' } as const

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, deliver: true })

  test('among many others', async () => {
    const { one } = stores
    await one.users.ensure('u', 1)
    await seed(one, {
      facts: [sampleFact({ ...about })],
      transactions: [sampleTransaction({ ...about, withdrawal_id: 'w1' })],
      withdrawals: [sampleWithdrawal({ transaction_uuid: uuid, postings: 1, funds: 'held' })],
      bookings: [
        { ...{ booking: 'adjustment', posting_key: 'adjustment:u:1', amount: decimal('9') }, ...OWNER },
        { ...{ booking: 'hold', posting_key: 'hold:w1', amount: decimal('1') }, ...OWNER },
      ],
      records: [sampleRecord({ transaction_uuid: uuid })],
      calls: [sampleCall()],
      quarantine: [{ reason: 'stale', event_name: null, user_reference_id: 'u', transaction_uuid: uuid, event: '{}' }],
    })
    const [fact] = await one.transactions.facts('payout', uuid)
    await seed(one, {
      webhooks: ['applied' as const, 'seen' as const].map((outcome) => ({
        ...{ received_ms: fact?.recorded_ms ?? 0, sent_s: 1, body: '{}', outcome, transaction_uuid: uuid },
      })),
    })
    for (const text of NOISE) await sql.raw(withNumbers(text)).execute(one.database.db)
    await sql.raw('analyze').execute(one.database.db)
    const rows = await one.stories.ofTransaction(uuid)
    expect({
      ...{ withdrawals: rows?.withdrawals.length, calls: rows?.calls.length, records: rows?.records.length },
      ...{ webhooks: rows?.webhooks.map(({ outcome }) => outcome), lines: rows?.lines.length },
      postings: rows?.postings.map(({ posting_key }) => posting_key),
    }).toEqual({
      ...{ withdrawals: 1, calls: 1, records: 1, webhooks: ['applied', 'seen'], lines: 1, postings: ['hold:w1'] },
    })
    const began = performance.now()
    for (let n = 0; n < 20; n += 1) await one.stories.ofTransaction(uuid)
    expect((performance.now() - began) / 20).toBeLessThan(100)
    if (flavour === 'postgres') expect(await rowsTouched(one, () => one.stories.ofTransaction(uuid))).toBeLessThan(150)
  })
})

const OWNER = { user_reference_id: 'u', currency_id: 'c1' }

/** The numbers come before the `select` of an `insert`. */
const withNumbers = (text: string): string => text.replace(/\bselect\b/, `${NUMBERS} select`)
