/** Applies events of the stream to the page's query cache. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Balance, Currency } from '#lib/contract/cashier.ts'
import type { BalanceEvent, StreamEvent, TransactionEvent } from '#lib/contract/stream.ts'
import { addLive, type LiveTransactions } from './live-transactions.ts'
import { keys } from './queries.ts'
import { isUnanswered } from './request-failure.ts'

export const LIVE_KEY = ['live'] as const

/** Null if the currency has no balance yet and the page does not know its name: the list must be fetched. */
function withBalance(
  balances: readonly Balance[],
  currencies: readonly Currency[],
  event: BalanceEvent,
): readonly Balance[] | null {
  if (balances.some(({ currency_id }) => currency_id === event.currency_id))
    return balances.map((balance) => (balance.currency_id === event.currency_id ? { ...balance, ...event } : balance))
  const currency = currencies.find(({ id }) => id === event.currency_id)
  if (!currency) return null
  const { currency_code, network } = currency
  return [...balances, { currency_code, network, ...event }]
}

/** Reads the data with this key again. */
type Refetch = (key: QueryKey) => void

export function applyStreamEvent(cache: QueryClient, refetch: Refetch, event: StreamEvent): void {
  if (event.type === 'balance') applyBalance(cache, refetch, event.data)
  else applyTransaction(cache, refetch, event.data)
}

function applyBalance(cache: QueryClient, refetch: Refetch, event: BalanceEvent): void {
  const known = cache.getQueryData<Balance[]>(keys.balances)
  const next = known && withBalance(known, cache.getQueryData<Currency[]>(keys.currencies) ?? [], event)
  if (next) cache.setQueryData(keys.balances, next)
  // An answer on its way may be older than the event, and would replace it.
  if (!next || cache.isFetching({ queryKey: keys.balances }) > 0) refetch(keys.balances)
}

function applyTransaction(cache: QueryClient, refetch: Refetch, event: TransactionEvent): void {
  cache.setQueryData<LiveTransactions>(LIVE_KEY, (live = []) => addLive(live, event))
  refetch(keys.transactions)
  // The balance event may have been lost.
  if (event.status === 'succeeded') refetch(keys.balances)
  if (event.withdrawal_id !== undefined) refetch(keys.withdrawal(event.withdrawal_id))
}

/** Call it after a gap in the stream. Fetches everything again that changes on the server. */
export function refetchAll(cache: QueryClient): void {
  for (const queryKey of [keys.balances, keys.transactions, ['withdrawal']]) {
    void cache.invalidateQueries({ queryKey })
  }
}

/** Call it after a reset of the stream: the database of the events so far may have been replaced. */
export function startOver(cache: QueryClient): void {
  cache.setQueryData<LiveTransactions>(LIVE_KEY, [])
  refetchAll(cache)
}

/** Call it when the server can be reached again. Repeats the queries of the screen that got no response. */
export function refetchUnanswered(cache: QueryClient): void {
  void cache.refetchQueries({ type: 'active', predicate: ({ state }) => isUnanswered(state.error) })
}
