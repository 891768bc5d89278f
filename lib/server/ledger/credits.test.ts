import { afterEach, beforeEach, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleOnramp } from '../store/testing/sample-rows.ts'
import { applyOneFact } from '../store/testing/seed.ts'
import { checkLedger } from './check-ledger.ts'
import type { Fact } from './facts.ts'

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
  await store.users.ensure('u', 0)
  await store.onramps.insert(sampleOnramp({ correlation_key: 'k' }))
})
afterEach(() => store.close())

const fact = (kind: 'deposit' | 'onramp', uuid: string, amount: string, more: Partial<Fact> = {}): Fact => ({
  kind,
  transaction_uuid: uuid,
  status: 'succeeded',
  source: 'webhook',
  user_reference_id: 'u',
  currency_id: 'c',
  currency_code: 'ETH',
  network: 'Ethereum',
  amount: decimal(amount),
  amount_usd: null,
  to_address: null,
  from_address: null,
  tx_hash: null,
  payment_method: null,
  provider_transaction_id: null,
  from_amount: null,
  from_currency: null,
  correlation_key: null,
  session_reference: null,
  occurred_at: '2026-01-01T00:00:00Z',
  ...more,
})

/** The balance after these facts, one after the other. */
async function balanceAfter(facts: readonly Fact[]): Promise<string> {
  for (const one of facts) await applyOneFact(store, one)
  expect((await checkLedger(store)).faults).toEqual([])
  return (await store.ledger.balance('u', 'c')).available
}

const bought = fact('onramp', 'o1', '1', { tx_hash: '0xa1', correlation_key: 'k' })
const arrived = fact('deposit', 'd1', '0.9', { tx_hash: '0xa1' })
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
  ['two purchases under one key, the second whole before the first', [boughtAgain, arrivedAgain, bought], '2.8'],
  ['and both whole', [boughtAgain, arrivedAgain, bought, arrived], '2.7'],
])('%s', async (_, facts, available) => {
  expect(await balanceAfter(facts)).toBe(available)
})
