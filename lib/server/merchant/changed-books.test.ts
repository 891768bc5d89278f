/** Transactions that are open at a change of books, by docs/guides/operate.md, "Changing who keeps the ledger". */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { createListEntries } from './list-entries.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact, sampleOnramp, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import type { Fact } from '../ledger/facts.ts'

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
  await store.users.ensure('u', 0)
})
afterEach(() => store.close())

const apply = (ledgerMode: LedgerMode, more: Partial<Fact>) =>
  applyOneFact(store, sampleFact({ amount: decimal('10'), ...more }), { ledgerMode })

const balance = async () => {
  const { available, held } = await store.ledger.balance('u', 'c1')
  return { available, held }
}
const times = async () =>
  (await store.events.feedAfter(0, 9)).map(({ data }) =>
    Date.parse((JSON.parse(data) as { readonly updated_at: string }).updated_at),
  )
const reasons = async () =>
  (await createListEntries(store)('u', { after: null, limit: 9 })).entries.map(({ reason, account }) => [
    reason,
    account,
  ])

const EMPTY = { available: '0', held: '0' }

test.each([
  ['succeeded', EMPTY, [['payout', 'held']]],
  [
    'failed',
    { available: '10', held: '0' },
    [
      ['release', 'held'],
      ['release', 'available'],
    ],
  ],
] as const)('to the merchant: an open withdrawal ends in the ledger as %s', async (status, after, last) => {
  const booking = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('10') }
  await seed(store, {
    bookings: [
      { ...booking, booking: 'adjustment', posting_key: 'adjustment:u:a' },
      { ...booking, booking: 'hold', posting_key: 'hold:w1' },
    ],
    withdrawals: [sampleWithdrawal({ amount: decimal('10'), transaction_uuid: 't1', called_ms: 1000 })],
  })
  await apply('merchant', { kind: 'payout', status })
  expect(await balance()).toEqual(after)
  expect((await reasons()).slice(0, last.length).sort()).toEqual([...last].sort())
})

test('to the merchant: an open deposit is not credited in the ledger', async () => {
  await apply('embedded', { status: 'processing' })
  await apply('merchant', { status: 'succeeded' })
  expect([await balance(), await reasons()]).toEqual([EMPTY, []])
})

test('to the merchant: a deposit that the list had not confirmed is told again when it does, and booked by one', async () => {
  const told = async () =>
    (await store.events.feedAfter(0, 9)).map(({ data }) => (JSON.parse(data) as { status: string }).status)
  await apply('embedded', { status: 'succeeded', unconfirmed: true })
  expect([await told(), await reasons()]).toEqual([['succeeded'], []])
  for (let times = 0; times < 2; times += 1) await apply('merchant', { status: 'succeeded', source: 'reconciliation' })
  expect([await told(), await balance(), await reasons()]).toEqual([['succeeded', 'succeeded'], EMPTY, []])
  // By it a merchant knows the newer state, and the first one was booked by nobody.
  expect(await times()).toEqual([1000, 1001])
  await apply('embedded', { status: 'succeeded', source: 'reconciliation', tx_hash: '0xab' })
  expect(await balance()).toEqual(EMPTY)
})

test.each(['succeeded', 'failed'] as const)(
  'to the ledger: a withdrawal that the merchant approved ends as %s without an entry',
  async (status) => {
    const approved = { funds: 'none', postings: 0, transaction_uuid: 't1', called_ms: 1000 } as const
    await seed(store, {
      withdrawals: [sampleWithdrawal({ amount: decimal('10'), ...approved })],
    })
    await apply('embedded', { kind: 'payout', status })
    expect(await store.withdrawals.find('w1')).toMatchObject({ status })
    expect([await balance(), await reasons()]).toEqual([EMPTY, []])
  },
)

test('to the ledger: an earlier deposit of which the merchant was told is not credited too', async () => {
  await apply('merchant', { status: 'succeeded' })
  await apply('merchant', { status: 'succeeded', source: 'reconciliation', transaction_uuid: 't2' })
  // A repeated event changes nothing.
  await apply('embedded', { status: 'succeeded' })
  for (const transaction_uuid of ['t1', 't2'])
    await apply('embedded', { status: 'succeeded', source: 'reconciliation', transaction_uuid })
  expect([await balance(), await reasons()]).toEqual([EMPTY, []])
})

test('to the ledger: an earlier deposit that the merchant was not told of is credited when the list confirms it', async () => {
  await apply('merchant', { status: 'succeeded', unconfirmed: true })
  await apply('embedded', { status: 'succeeded', source: 'reconciliation' })
  expect([await balance(), await reasons()]).toEqual([{ available: '10', held: '0' }, [['deposit', 'available']]])
})

test('to the ledger: an earlier deposit that the list or an event only completes stays the merchant’s', async () => {
  for (const source of ['reconciliation', 'webhook'] as const) {
    await apply('merchant', { status: 'succeeded', source, transaction_uuid: source })
    await apply('embedded', { status: 'succeeded', source, transaction_uuid: source, tx_hash: `0x${source}` })
  }
  expect([await balance(), await reasons()]).toEqual([EMPTY, []])
})

test.each([
  ['an earlier state', { status: 'processing', source: 'webhook' }],
  ['an earlier state of the list', { status: 'processing', source: 'reconciliation' }],
  ['the event of the success that the list told', { status: 'succeeded', source: 'webhook' }],
] as const)('to the ledger: after an earlier deposit, %s leaves it to the merchant', async (_what, late) => {
  const source = late.status === 'succeeded' ? 'reconciliation' : 'webhook'
  await apply('merchant', { status: 'succeeded', source })
  await apply('embedded', late)
  expect([await balance(), await reasons()]).toEqual([EMPTY, []])
})

test('to the ledger: a deposit of much less than the purchase of which the merchant was told is told', async () => {
  await store.onramps.insert(sampleOnramp())
  const hash = { status: 'succeeded', tx_hash: '0xabc' } as const
  await apply('merchant', { ...hash, kind: 'onramp', correlation_key: 'k1', transaction_uuid: 'o' })
  for (const source of ['webhook', 'reconciliation'] as const)
    await apply('embedded', { ...hash, source, amount: decimal('6') })
  const lines = await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
  expect(lines.map(({ reason, transaction_uuid }) => [reason, transaction_uuid])).toEqual([['contradiction', 'o']])
  expect(await balance()).toEqual({ available: '6', held: '0' })
})

test('to the ledger: the deposit of a purchase of which the merchant was told is credited, once', async () => {
  await store.onramps.insert(sampleOnramp())
  const hash = { status: 'succeeded', tx_hash: '0xabc' } as const
  await apply('merchant', { ...hash, kind: 'onramp', correlation_key: 'k1', transaction_uuid: 'o' })
  for (const source of ['webhook', 'reconciliation'] as const) await apply('embedded', { ...hash, source })
  await apply('embedded', { ...hash, source: 'reconciliation', from_address: 'TFrom' })
  await apply('embedded', {
    ...hash,
    kind: 'onramp',
    correlation_key: 'k1',
    transaction_uuid: 'o',
    from_address: 'TFrom',
  })
  expect([await balance(), await reasons()]).toEqual([{ available: '10', held: '0' }, [['deposit', 'available']]])
})

test('to the ledger: a purchase of which the merchant was told is not credited', async () => {
  await store.onramps.insert(sampleOnramp())
  const purchase = { kind: 'onramp', correlation_key: 'k1', source: 'webhook' } as const
  await apply('merchant', { ...purchase, status: 'succeeded' })
  await apply('embedded', { ...purchase, status: 'succeeded', tx_hash: '0xabc' })
  await apply('embedded', { ...purchase, status: 'processing' })
  expect([await balance(), await reasons()]).toEqual([EMPTY, []])
})
