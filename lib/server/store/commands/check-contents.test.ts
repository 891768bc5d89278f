import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { LedgerMode } from '../../ledger/accounts.ts'
import { adjustmentKey } from '../../ledger/adjustment-keys.ts'
import { openSnapshot } from '../tables/snapshot.ts'
import {
  sampleCurrency,
  sampleFact,
  sampleProposal,
  sampleQuarantined,
  sampleRecord,
  sampleSession,
  sampleWithdrawal,
} from '../testing/sample-rows.ts'
import { applyOneFact, seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import { contentsFaults, isUnused } from './check-contents.ts'

const DAY = 86_400_000
const START = Date.parse('2026-11-20T12:00:00Z')

/** What was lost, and the faults that it shows as. */
const LOSSES: readonly (readonly [LedgerMode, string, readonly string[]])[] = [
  [
    'merchant',
    'delete from merchant_events',
    ['the feed is empty, but the events 1 to 3 were not deleted by', '1 deliveries without their event'],
  ],
  [
    'merchant',
    'delete from merchant_events where cursor = 1',
    ['the feed lacks 1 of the events 1 to 3, the first is 1', '1 deliveries without their event'],
  ],
  [
    'merchant',
    'delete from merchant_events where cursor = 2',
    ['the feed lacks 1 of the events 1 to 3, the first is 2'],
  ],
  [
    'merchant',
    'delete from merchant_events where cursor = 3',
    ['the feed lacks 1 of the events 1 to 3, the first is 3'],
  ],
  ['merchant', 'update counters set value = 2', ['the feed has event 3, but its counter is at 2']],
  ['merchant', 'delete from counters', ['the counter of the feed is missing']],
  ['merchant', 'delete from feed_epoch', ['the epoch of the feed is missing']],
  ['merchant', 'delete from webhooks', ['webhooks is empty']],
  ['merchant', 'delete from transactions', ['3 rows that lead to a transaction that is not there']],
  ['merchant', "update transactions set facts = '[]'", ['3 transactions without facts']],
  ['merchant', 'delete from stream_events', ['1 users whose stream lacks events']],
  ['merchant', 'delete from stream_events where seq = 2', ['1 users whose stream lacks events']],
  ['merchant', 'update users set stream_seq = 2', ['1 stream events without their user, or after the last']],
  [
    'merchant',
    'delete from users',
    [
      '1 sessions without their user',
      '1 deposit addresses without their user',
      '1 notes about addresses without their user',
      '3 stream events without their user',
    ],
  ],
  [
    'merchant',
    'delete from withdrawals',
    [
      '1 rows that lead to a withdrawal that is not there',
      '1 transactions without the withdrawal',
      '1 payouts without the withdrawal',
      '1 proposals without the withdrawal or payout',
    ],
  ],
  ['merchant', 'delete from payouts', ['2 rows that lead to a payout that is not there']],
  [
    'merchant',
    'delete from quarantine',
    ['1 payouts that nobody owns, without their line', '1 webhooks that were not applied, although quarantine'],
  ],
  ['merchant', 'delete from records', ['1 transactions of the list without their record']],
  ['embedded', 'delete from records', ['1 transactions of the list without their record']],
  [
    'embedded',
    'delete from control_totals',
    [
      '1 differences of control totals in quarantine without their totals',
      '1 compared users with bookings, although there are no control totals',
    ],
  ],
  ['merchant', 'delete from reconciliation', ['1 users, although the start of the ledger is missing']],
  ['merchant', 'delete from onramp_sessions', ['1 transactions without the purchase session']],
  [
    'merchant',
    'delete from row_users',
    [
      '3 transactions without the row that leads to their user',
      '1 withdrawals whose transaction does not lead to their user',
      '2 payouts without the row that leads to their user',
      '1 purchase sessions without the row that leads to their user',
    ],
  ],
  [
    'merchant',
    "update withdrawals set transaction_uuid = 't2'",
    ['1 withdrawals whose transaction does not lead to their user', '1 rows that lead to a withdrawal that is'],
  ],
  ['merchant', 'delete from currencies', ['1 deposit addresses, although', '1 withdrawals, although']],
  ['merchant', 'update deliveries set cursor = 99', ['1 deliveries without their event']],
  [
    'embedded',
    'delete from postings',
    ['1 credited transactions without their postings', '1 withdrawals with funds, but without their postings'],
  ],
  [
    'embedded',
    'delete from withdrawals',
    ['1 rows that lead to', '1 postings of withdrawals without', '1 transactions', '1 payouts', '1 proposals'],
  ],
]

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { partitioned: true, clock: () => now, databaseClock: () => now, deliver: true })

  const contents = () => openSnapshot(stores.url, (snapshot) => snapshot.contents())
  const faults = async () => contentsFaults(await contents())
  const run = (statement: string) => sql.raw(statement).execute(stores.one.database.db)

  async function fill(ledgerMode: LedgerMode): Promise<void> {
    const { one } = stores
    now = START
    await one.sessions.addSession(sampleSession({ created_ms: now }), { hash: 'h', expires_ms: now + 1 })
    await seed(one, {
      currencies: [sampleCurrency],
      webhooks: (['applied', 'unknown_event'] as const).map((outcome) => ({
        ...{ received_ms: now, sent_s: 1, body: '{}' },
        outcome,
      })),
      quarantine: [
        sampleQuarantined({ reason: 'unmatched_payout', transaction_uuid: 't4' }),
        sampleQuarantined({ reason: 'totals_differ', transaction_uuid: 'u c1' }),
        sampleQuarantined({ reason: 'totals_differ', transaction_uuid: 'u c1 gone' }),
      ],
      records: [sampleRecord({ transaction_uuid: 't2' })],
    })
    await run(`insert into control_totals values ('u', 'c1', '1', '1', '0', '[]', 1)`)
    await run(`update users set totals_ms = ${now + 2 * DAY}`)
    await one.reconciliation.keepBooks(ledgerMode, 'i')
    await one.reconciliation.keepLedgerStart(now)
    await run(`insert into deposit_addresses values ('u', 'c1', 'TAddress', 'USDT', 'Tron', 1)`)
    await run(`insert into address_notes values ('u', 'a1', 'Savings', null, 1)`)
    await one.proposals.add(sampleProposal())
    await run(`insert into onramp_sessions (id, user_reference_id, currency_id, currency_code, network, amount,
      fiat_currency, country, status, created_ms, updated_ms)
      values ('o1', 'u', 'c1', 'USDT', 'Tron', '1', 'EUR', 'DE', 'created', 1, 1)`)
    for (const uuid of ['t1', 't2', 't3'])
      await applyOneFact(
        one,
        sampleFact({
          ...{ transaction_uuid: uuid, tx_hash: uuid, status: uuid === 't1' ? 'succeeded' : 'processing' },
          source: uuid === 't2' ? 'reconciliation' : 'webhook',
        }),
        { ledgerMode },
      )
    const books = ledgerMode === 'embedded'
    await seed(one, {
      withdrawals: [sampleWithdrawal({ funds: books ? 'paid' : 'none', postings: books ? 2 : 0, status: 'succeeded' })],
      bookings: books
        ? (['hold', 'payout'] as const).map((booking) => ({
            booking,
            posting_key: `${booking}:w1`,
            user_reference_id: 'u',
            currency_id: 'c1',
            amount: decimal('1'),
          }))
        : [],
    })
    await run("update transactions set withdrawal_id = 'w1' where transaction_uuid = 't2'")
    await run("update transactions set onramp_session_id = 'o1' where transaction_uuid = 't3'")
    await run(`insert into payouts (transaction_uuid, user_reference_id, currency_id, currency_code, network, status,
      inexact, first_seen_ms, updated_ms, owner, withdrawal_id)
      values ('t2', 'u', 'c1', 'USDT', 'Tron', 'processing', 0, 1, 1, 'withdrawal', 'w1'),
        ('t4', 'u', 'c1', 'USDT', 'Tron', 'processing', 0, 1, 1, null, null)`)
    await run("insert into row_users values ('t2', 'paid', 'u'), ('t4', 'paid', 'u'), ('o1', 'session', 'u')")
    await one.events.number()
    await run('delete from deliveries where cursor > 1')
    await one.reconciliation.noteAlive(1)
  }

  test.each(['embedded', 'merchant'] as const)('rows by table and the newest ones, books: %s', async (ledgerMode) => {
    expect(isUnused(await contents())).toBe(true)
    await fill(ledgerMode)
    const found = await contents()
    expect([contentsFaults(found), isUnused(found)]).toEqual([[], false])
    // Unlogged tables may be empty after any restart, and are not compared.
    expect(found.rows.has('rate_limits')).toBe(false)
    expect(found.newestWebhookMs).toBe(now)
    expect(found.feed).toMatchObject({ counter: 3, floor: 0, count: 3, last: 3, newestMs: now })
    expect(Object.fromEntries(found.rows)).toMatchObject({
      transactions: 3,
      users: 1,
      merchant_events: 3,
      postings: ledgerMode === 'embedded' ? 3 : 0,
    })
  })

  test('an adjustment of a user with the name erased is none of an erased user', async () => {
    const posting_key = adjustmentKey('erased', 'r1')
    await stores.one.users.ensure('erased', START)
    await seed(stores.one, {
      bookings: [
        {
          ...{ booking: 'adjustment', posting_key },
          user_reference_id: 'erased',
          currency_id: 'c1',
          amount: decimal('1'),
        },
      ],
    })
    expect((await faults()).filter((fault) => fault.includes('adjustments'))).toEqual([])
  })

  test('a proposal about a payout that a list has given to another user since is whole', async () => {
    const { one } = stores
    await one.reconciliation.keepLedgerStart(now)
    for (const user of ['u', 'v']) await one.users.ensure(user, now)
    const payout = sampleFact({ kind: 'payout', transaction_uuid: 'p1', status: 'succeeded' })
    await applyOneFact(one, payout, { ledgerMode: 'merchant' })
    await one.proposals.add(sampleProposal({ kind: 'owner', subject: 'p1' }))
    expect(await faults()).toEqual([])
    const listed = { ...payout, source: 'reconciliation', user_reference_id: 'v' } as const
    await seed(one, { records: [sampleRecord({ transaction_uuid: 'p1', user_reference_id: 'v' })] })
    await applyOneFact(one, listed, { ledgerMode: 'merchant', insertedMs: now })
    expect((await one.payouts.find('p1'))?.user_reference_id).toBe('v')
    expect(await faults()).toEqual([])
  })

  test.each(LOSSES)('books of %s, after: %s', async (ledgerMode, statement, expected) => {
    await fill(ledgerMode)
    // The foreign key of the payouts would not let a dump without withdrawals be restored at all.
    if (flavour === 'postgres') await run('alter table payouts drop constraint owner_exists')
    else await run('pragma foreign_keys = off')
    await run(statement)
    const found = await faults()
    expect(found).toEqual(expected.map((fault) => expect.stringContaining(fault) as string))
  })

  if (flavour === 'postgres')
    test('a sequence is behind its rows', async () => {
      await fill('merchant')
      const setTo = (id: string, isCalled: boolean) =>
        run(`select setval(pg_get_serial_sequence('quarantine', 'id'), ${id}, ${String(isCalled)}) from quarantine`)
      await setTo('id', false)
      expect(await faults()).toEqual(['1 rows of quarantine whose numbers its sequence gives again'])
      await setTo('id', true)
      expect(await faults()).toEqual([])
    })

  test('what retention deletes is no fault, and leaves no gap, even if the clocks of two instances differ', async () => {
    const { one } = stores
    await fill('merchant')
    await run(`update merchant_events set created_ms = created_ms + ${DAY} where cursor = 2`)
    now += 91 * DAY
    const prune = () => one.transaction((tx) => tx.retention.deleteMerchantEvents(START + DAY, 500))
    expect([await prune(), await faults()]).toEqual([1, []])
    await run('delete from webhooks')
    await one.reconciliation.noteAlive(1)
    expect([await one.transaction((tx) => tx.retention.deleteMerchantEvents(now, 500)), await faults()]).toEqual([
      2,
      [],
    ])
    expect((await contents()).feed).toMatchObject({ counter: 3, floor: 3, count: 0 })
  })
})
