import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { StreamEvent, TransactionEvent } from '#lib/contract/stream.ts'
import { keys } from './queries.ts'
import { RequestFailure, type FailureCode } from './request-failure.ts'
import { applyStreamEvent, LIVE_KEY, refetchAll, refetchUnanswered, startOver } from './stream-cache.ts'

const balance = (currency_id: string, available: string) => ({
  currency_id,
  currency_code: 'USDT',
  network: 'Tron',
  available,
  held: '0',
})

const payout: TransactionEvent = {
  transaction_uuid: null,
  kind: 'payout',
  status: 'unknown',
  amount: '5',
  currency_code: 'USDT',
  network: 'Tron',
  tx_hash: null,
  updated_at: '2026-11-20T10:00:00Z',
  withdrawal_id: 'w1',
}

function cache() {
  const made = new QueryClient()
  made.setQueryData(keys.balances, [balance('a', '1'), balance('b', '2')])
  made.setQueryData(keys.transactionsPage('first=20'), 'page')
  made.setQueryData(keys.withdrawal('w1'), 'w1')
  made.setQueryData(keys.withdrawal('w2'), 'w2')
  made.setQueryData(keys.depositAddress('a'), true)
  const refetched: unknown[] = []
  const apply = (event: StreamEvent): void => applyStreamEvent(made, (key) => refetched.push(key), event)
  const isStale = (key: readonly unknown[]) => made.getQueryState(key)?.isInvalidated
  return { made, isStale, apply, refetched }
}

test('a balance event updates only its currency', () => {
  const { made, apply, refetched } = cache()
  apply({ type: 'balance', data: { currency_id: 'b', available: '7.5', held: '1' } })
  expect(made.getQueryData(keys.balances)).toEqual([balance('a', '1'), { ...balance('b', '7.5'), held: '1' }])
  expect(refetched).toEqual([])
})

test('a balance that is read while an event changes it is read again: the answer may be older than the event', async () => {
  const { made, apply, refetched } = cache()
  const answer = Promise.withResolvers<unknown>()
  const read = made.query({ queryKey: keys.balances, queryFn: () => answer.promise, staleTime: 0 })
  apply({ type: 'balance', data: { currency_id: 'a', available: '5', held: '0' } })
  answer.resolve([balance('a', '1'), balance('b', '2')])
  await read
  expect(made.getQueryData(keys.balances)).toContainEqual(balance('a', '1'))
  expect(refetched).toEqual([keys.balances])
})

test('the first balance of a currency is shown at once, with the name from the list of currencies', () => {
  const { made, apply, refetched } = cache()
  made.setQueryData(keys.currencies, [{ id: 'new', currency_code: 'USDT', network: 'Tron' }])
  apply({ type: 'balance', data: { currency_id: 'new', available: '7', held: '0' } })
  expect(made.getQueryData(keys.balances)).toEqual([balance('a', '1'), balance('b', '2'), balance('new', '7')])
  expect(refetched).toEqual([])
})

test('a balance of an unlisted currency refetches the list', () => {
  const { apply, refetched } = cache()
  apply({ type: 'balance', data: { currency_id: 'new', available: '1', held: '0' } })
  expect(refetched).toEqual([keys.balances])
})

test('a transaction event is stored; lists and withdrawal are refetched, and the balances when it succeeds', () => {
  const { made, apply, refetched } = cache()
  apply({ type: 'transaction', data: payout })
  expect(made.getQueryData(LIVE_KEY)).toEqual([payout])
  expect(refetched).toEqual([keys.transactions, keys.withdrawal('w1')])
  apply({ type: 'transaction', data: { ...payout, status: 'succeeded' } })
  expect(refetched.slice(2)).toEqual([keys.transactions, keys.balances, keys.withdrawal('w1')])
})

test('after a gap everything that changes on the server is refetched; addresses are not', () => {
  const { made, isStale } = cache()
  refetchAll(made)
  const moves = [keys.balances, keys.transactionsPage('first=20'), keys.withdrawal('w1'), keys.withdrawal('w2')]
  expect(moves.map(isStale)).toEqual([true, true, true, true])
  expect(isStale(keys.depositAddress('a'))).toBe(false)
})

test('after a reset the events before it are forgotten: the database may have been replaced', () => {
  const { made, apply, isStale } = cache()
  apply({ type: 'transaction', data: payout })
  startOver(made)
  expect(made.getQueryData(LIVE_KEY)).toEqual([])
  expect(isStale(keys.balances)).toBe(true)
})

test.each<[FailureCode, number]>([
  ['offline', 2],
  ['timeout', 2],
  ['gateway_unavailable', 1],
])(
  'a query on the screen that failed as %s is sent %i times in all once the server can be reached',
  async (code, times) => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
    let asked = 0
    const stop = new QueryObserver(client, {
      queryKey: keys.depositAddress('a'),
      queryFn: () => {
        asked += 1
        throw new RequestFailure(code, { requestId: null })
      },
    }).subscribe(() => undefined)
    await expect.poll(() => client.getQueryState(keys.depositAddress('a'))?.status).toBe('error')
    refetchUnanswered(client)
    await expect.poll(() => client.isFetching()).toBe(0)
    expect(asked).toBe(times)
    stop()
  },
)
