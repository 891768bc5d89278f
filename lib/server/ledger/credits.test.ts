import { afterEach, beforeEach, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact, sampleOnramp } from '../store/testing/sample-rows.ts'
import { applyOneFact } from '../store/testing/seed.ts'
import { aboutEntry } from './about-entry.ts'
import { applyFact } from './apply-fact.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Fact } from './facts.ts'

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
  await store.users.ensure('u', 0)
  await store.onramps.insert(sampleOnramp({ correlation_key: 'k' }))
})
afterEach(() => store.close())

const fact = (kind: 'deposit' | 'onramp', uuid: string, amount: string, more: Partial<Fact> = {}): Fact =>
  sampleFact({
    kind,
    transaction_uuid: uuid,
    status: 'succeeded',
    currency_id: 'c',
    amount: decimal(amount),
    ...more,
  })

/** The balance after these facts, one after the other. */
async function balanceAfter(facts: readonly Fact[]): Promise<string> {
  for (const one of facts) await applyOneFact(store, one)
  expect((await store.snapshot(checkLedger)).faults).toEqual([])
  return (await store.ledger.balance('u', 'c')).available
}

const bought = fact('onramp', 'o1', '1', { tx_hash: '0xa1', correlation_key: 'k' })
const arrived = fact('deposit', 'd1', '0.9', { tx_hash: '0xa1' })
const listed = (more: Partial<Fact> = {}) => fact('deposit', 'd1', '0.9', { source: 'reconciliation', ...more })
const boughtAgain = fact('onramp', 'o2', '2', { tx_hash: '0xa2', correlation_key: 'k' })
const arrivedAgain = fact('deposit', 'd2', '1.8', { tx_hash: '0xa2' })

test.each<[string, readonly Fact[], string]>([
  ['a purchase alone', [bought], '1'],
  ['its deposit afterwards', [bought, arrived], '0.9'],
  ['its deposit before', [arrived, bought], '0.9'],
  [
    'a deposit that the list gives the same key',
    [bought, fact('deposit', 'd3', '0.8', { correlation_key: 'k' })],
    '0.8',
  ],
  ['a deposit that the list gives the same uuid', [bought, fact('deposit', 'o1', '0.7')], '0.7'],
  ['two deposits of one hash', [arrived, fact('deposit', 'd4', '0.5', { tx_hash: '0xA1' })], '1.4'],
  ['two purchases under one key, the second complete before the first', [boughtAgain, arrivedAgain, bought], '2.8'],
  ['a list whose record gets its hash later', [listed(), listed({ tx_hash: '0xa1' }), bought], '0.9'],
  ['the same after the purchase', [bought, listed(), listed({ tx_hash: '0xa1' })], '0.9'],
  ['a list whose record loses its hash', [listed({ tx_hash: '0xa1' }), listed(), bought], '0.9'],
  ['a list whose record gets its key later', [bought, listed(), listed({ correlation_key: 'k' })], '0.9'],
  ['a list that changes the amount of a success', [listed(), listed({ amount: decimal('900') })], '0.9'],
  ['a negative amount in the list', [listed({ amount: decimal('-25') })], '0'],
  ['two complete purchases under one key', [boughtAgain, arrivedAgain, bought, arrived], '2.7'],
])('%s', async (_name, facts, available) => {
  expect(await balanceAfter(facts)).toBe(available)
})

test('a list that contradicts itself is reported once', async () => {
  await balanceAfter([listed(), listed({ amount: decimal('900') }), listed({ amount: decimal('901') })])
  await balanceAfter([
    fact('deposit', 'd6', '1', { source: 'reconciliation', status: 'processing' }),
    fact('deposit', 'd6', '1', { source: 'reconciliation', currency_id: 'c2', currency_code: 'DAI' }),
  ])
  const lines = await store.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
  expect(lines.map(({ reason, transaction_uuid }) => [reason, transaction_uuid])).toEqual([
    ['contradiction', 'd1'],
    ['contradiction', 'd6'],
  ])
})

test('a deposit whose hash was replaced does not match a purchase by its old hash, even in one unit', async () => {
  const facts = [
    fact('deposit', 'd1', '0.9', { status: 'processing', tx_hash: '0xa1' }),
    fact('deposit', 'd1', '0.9', { tx_hash: '0xb1' }),
    bought,
  ]
  await store.transaction(async (tx) => {
    const unit = await tx.load({ users: ['u'], transactions: facts, onrampKeys: ['k'] })
    await tx.loadRelated(unit, facts)
    for (const one of facts) applyFact(unit, one, { ledgerMode: 'embedded', ledgerStartMs: 0, evidence: '{}' })
    await tx.save(unit)
  })
  const together = (await store.ledger.balance('u', 'c')).available
  await store.close()
  store = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
  await store.users.ensure('u', 0)
  await store.onramps.insert(sampleOnramp({ correlation_key: 'k' }))
  expect(await balanceAfter(facts)).toBe(together)
})

test('an on-ramp is credited by its last event, though only its first event has the correlation key', async () => {
  const early = fact('onramp', 'o1', '7', { status: 'pending', amount: null, correlation_key: 'k' })
  expect(await balanceAfter([early, fact('onramp', 'o1', '7')])).toBe('7')
})

/** Every order of these facts. */
function orders<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length <= 1) return [items]
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

/** One purchase as told by the list, the on-ramp's events and the deposit's events, each with some of the ids. */
const oneStory = [
  fact('onramp', 'o1', '1', { status: 'processing', amount: null, tx_hash: 'A1', correlation_key: 'k' }),
  fact('onramp', 'o1', '1', { correlation_key: 'k' }),
  fact('deposit', 'd1', '0.9', { source: 'reconciliation', correlation_key: 'k' }),
  fact('deposit', 'd1', '0.9', { status: 'processing' }),
  fact('deposit', 'd1', '0.9', { tx_hash: '0xa1' }),
]

test.each(orders(oneStory).map((facts, index) => [index, facts] as const))(
  'a purchase and its deposit are one credit in any order, %i',
  async (_name, facts) => {
    expect(await balanceAfter(facts)).toBe('0.9')
    for (const again of facts) await applyOneFact(store, again)
    expect((await store.ledger.balance('u', 'c')).available).toBe('0.9')
  },
)

const renamed = { currency_id: 'c-new' }
const STORIES_WITH_A_NEW_ID: readonly (readonly Fact[])[] = [
  [bought, { ...arrived, ...renamed }],
  [{ ...bought, ...renamed }, arrived],
  [bought, fact('deposit', 'd1', '0.9', { ...renamed, correlation_key: 'k', source: 'reconciliation' })],
  [
    fact('onramp', 'o1', '1', { status: 'processing', amount: null, correlation_key: 'k' }),
    bought,
    { ...listed(renamed), tx_hash: '0xa1' },
  ],
]

test.each(STORIES_WITH_A_NEW_ID.flatMap(orders).map((facts, index) => [index, facts] as const))(
  'a purchase and its deposit are one credit if the currency gets a new id in between, %i',
  async (_name, facts) => {
    for (const one of [...facts, ...facts]) await applyOneFact(store, one)
    expect((await store.snapshot(checkLedger)).faults).toEqual([])
    const balances = await Promise.all(
      ['c', 'c-new'].map(async (id) => (await store.ledger.balance('u', id)).available),
    )
    expect(balances.toSorted()).toEqual(['0', '0.9'])
  },
)

test('an amount that a JSON number has rounded up to a round one credits what the list says, whichever came first', async () => {
  const exact = decimal('9999999999999999')
  const rounded = { inexact: true, amount: decimal(String(1e16)) } as const
  expect(await balanceAfter([listed({ amount: exact }), { ...arrived, ...rounded }])).toBe(exact)
  const another = { transaction_uuid: 'd2', tx_hash: '0xa2', currency_id: 'c2', currency_code: 'USDC' }
  await balanceAfter([
    { ...arrived, ...rounded, ...another },
    { ...listed({ amount: exact }), ...another },
  ])
  expect((await store.ledger.balance('u', 'c2')).available).toBe(exact)
})

test('the same hash in two currencies is two transfers', async () => {
  await balanceAfter([bought, { ...arrived, currency_id: 'c2', currency_code: 'USDC' }])
  await balanceAfter([{ ...arrived, transaction_uuid: 'd2', currency_id: 'c3', network: 'Ethereum' }])
  const balances = await Promise.all(
    ['c', 'c2', 'c3'].map(async (id) => (await store.ledger.balance('u', id)).available),
  )
  expect(balances).toEqual(['1', '0.9', '0.9'])
})

test('a credit that was replaced, restored and replaced again has a posting for each change', async () => {
  const late = fact('onramp', 'o1', '1', { status: 'processing', amount: null, tx_hash: '0xA1' })
  const withoutHash = fact('onramp', 'o1', '1', { correlation_key: 'k' })
  expect(await balanceAfter([withoutHash, arrived, late])).toBe('0.9')
  const keys = (await store.ledger.userEntries('u', null, 9)).map(({ posting_key }) => posting_key)
  expect(keys).toEqual(['reversal:2:onramp:o1', 'credit:deposit:d1', 'credit:onramp:o1'])
})

test('a later posting has no key that another transaction may have', async () => {
  const rounded = fact('deposit', 'd', '0.1', { inexact: true })
  const exact = fact('deposit', 'd', '0.10000000000000001', { source: 'reconciliation' })
  expect(await balanceAfter([rounded, exact, fact('deposit', 'd:2', '2'), fact('deposit', '2:d', '3')])).toBe(
    '5.10000000000000001',
  )
  const entries = await store.ledger.userEntries('u', null, 9)
  expect(entries.map((entry) => aboutEntry(entry).transaction_uuid)).toEqual(['2:d', 'd:2', 'd', 'd'])
})
