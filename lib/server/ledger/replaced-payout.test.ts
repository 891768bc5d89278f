/** After a withdrawal's payout failed, the gateway makes another payout for it, under another uuid. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact, sampleRecord, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Fact, ListedRecord } from './facts.ts'
import type { WithdrawalRow } from './rows.ts'

const DAY = 86_400_000
const CALLED = 100 * DAY
const FIRST = 'the payout that failed'
const SECOND = 'the payout that succeeded'

let now = CALLED
let store: Store
beforeEach(async () => {
  now = CALLED
  store = await openStore({ url: 'file::memory:', clock: () => now, deliver: false })
  await store.users.ensure('u', 0)
})
afterEach(() => store.close())

async function withdrawal(more: Partial<WithdrawalRow> = {}): Promise<void> {
  const amount = decimal('10')
  const row = sampleWithdrawal({
    ...{ amount, created_ms: now, called_ms: now, call_ended_ms: now, clock_offset_ms: 0 },
    ...more,
  })
  const booking = { user_reference_id: 'u', currency_id: 'c1', amount }
  await seed(store, {
    bookings: [
      { ...booking, booking: 'adjustment', posting_key: `adjustment:${row.id}` },
      { ...booking, booking: 'hold', posting_key: `hold:${row.id}` },
    ],
    withdrawals: [row],
  })
}

const payout = (transaction_uuid: string, status: Fact['status'], more: Partial<Fact> = {}): Fact =>
  sampleFact({
    ...{ kind: 'payout', transaction_uuid, status, source: 'reconciliation' },
    ...{ amount: decimal('10'), to_address: 'TAddress' },
    ...more,
  })

/** Reads a list with the present state of these records, oldest first. */
async function list(...facts: readonly Fact[]): Promise<void> {
  const records = facts.map((fact): ListedRecord => {
    const { transaction_uuid, status } = fact
    const { user_reference_id } = sampleWithdrawal()
    const { cursor } = sampleRecord()
    const inserted_at = new Date(CALLED).toISOString()
    const currency = { id: 'c1', name: 'Tether', currency_code: 'USDT', symbol: '₮', network: 'Tron' }
    const record = JSON.stringify(fact)
    return { transaction_uuid, user_reference_id, type: 'Payout', status, inserted_at, cursor, record, currency, fact }
  })
  await store.applyRecords('u', records.toReversed(), { ledgerMode: 'embedded', ledgerStartMs: 0, clockOffset: 0 })
}

async function outcome(id = 'w1') {
  expect((await store.snapshot(checkLedger)).faults).toEqual([])
  const { available, held } = await store.ledger.balance('u', 'c1')
  const row = await store.withdrawals.find(id)
  const reports = await store.quarantine.list({ reason: 'late_payout', settled: false, after: 0, limit: 9 })
  return {
    ...{ status: row?.status, uuid: row?.transaction_uuid, available, held },
    reports: reports.map(({ transaction_uuid }) => transaction_uuid),
  }
}

const notPaid = { status: 'failed', uuid: FIRST, available: '10', held: '0', reports: [] }
const paid = { status: 'succeeded', uuid: SECOND, available: '0', held: '0', reports: [SECOND] }

test('it is followed, booked and reported', async () => {
  await withdrawal()
  await list(payout(FIRST, 'failed'))
  expect(await outcome()).toEqual(notPaid)
  await list(payout(FIRST, 'failed'), payout(SECOND, 'processing'))
  expect(await outcome()).toEqual(notPaid)
  await list(payout(FIRST, 'failed'), payout(SECOND, 'succeeded'))
  expect(await outcome()).toEqual(paid)
  await list(payout(FIRST, 'failed'), payout(SECOND, 'succeeded'))
  expect(await outcome()).toEqual(paid)
})

test('the available balance may go below zero', async () => {
  await withdrawal()
  await list(payout(FIRST, 'failed'))
  const spent = { booking: 'adjustment', posting_key: 'adjustment:spent', amount: decimal('-10') } as const
  await seed(store, { bookings: [{ ...spent, user_reference_id: 'u', currency_id: 'c1' }] })
  await applyOneFact(store, payout(SECOND, 'succeeded', { source: 'webhook' }))
  expect(await outcome()).toEqual({ ...paid, available: '-10' })
})

test('an unconfirmed webhook is not followed until the list shows it', async () => {
  await withdrawal()
  await list(payout(FIRST, 'failed'))
  await applyOneFact(store, payout(SECOND, 'succeeded', { source: 'webhook', unconfirmed: true }))
  expect(await outcome()).toEqual(notPaid)
  await list(payout(FIRST, 'failed'), payout(SECOND, 'succeeded'))
  expect(await outcome()).toEqual(paid)
})

test('if the success is known before the failure, the list shows it again', async () => {
  await withdrawal({ transaction_uuid: FIRST })
  await list(payout(FIRST, 'processing'), payout(SECOND, 'succeeded'))
  expect(await outcome()).toMatchObject({ status: 'processing', held: '10' })
  await list(payout(FIRST, 'failed'), payout(SECOND, 'succeeded'))
  expect(await outcome()).toEqual(paid)
})

test('a second withdrawal with the same details comes first', async () => {
  await withdrawal()
  await list(payout(FIRST, 'failed'))
  await withdrawal({ id: 'w2', idempotency_key: 'key-2' })
  await list(payout(SECOND, 'succeeded'))
  expect(await outcome('w2')).toEqual({ ...paid, available: '10', reports: [] })
  expect(await outcome('w1')).toMatchObject({ status: 'failed', uuid: FIRST })
  await list(payout('a third', 'succeeded'))
  expect(await outcome('w1')).toEqual({ ...paid, uuid: 'a third', reports: ['a third'] })
})

test('while a second withdrawal waits for a payout that the gateway named otherwise, nothing is booked', async () => {
  await withdrawal()
  await list(payout(FIRST, 'failed'))
  await withdrawal({ id: 'w2', idempotency_key: 'key-2', transaction_uuid: 'named' })
  await list(payout(SECOND, 'succeeded'))
  expect(await outcome('w1')).toMatchObject({ status: 'failed', reports: [] })
  await list(payout('named', 'succeeded'), payout(SECOND, 'succeeded'))
  expect(await outcome('w2')).toMatchObject({ status: 'succeeded', uuid: 'named' })
  expect(await outcome('w1')).toEqual(paid)
})

test('a payout with other details, from before the call, or over seven days later does not match', async () => {
  await withdrawal()
  await list(payout(FIRST, 'failed'))
  await applyOneFact(store, payout('other amount', 'succeeded', { amount: decimal('9') }))
  await applyOneFact(store, payout('other address', 'succeeded', { to_address: 'TOther' }))
  await applyOneFact(store, payout('before', 'succeeded'), { insertedMs: CALLED - DAY, clockOffset: 0 })
  now = CALLED + 7 * DAY + 1
  await applyOneFact(store, payout('late', 'succeeded'))
  expect(await outcome()).toEqual(notPaid)
})
