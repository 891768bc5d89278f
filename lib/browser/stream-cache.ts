/** Applies events of the stream to the page's query cache. */
import type { QueryClient } from '@tanstack/react-query'
import type { Balance } from '#lib/contract/cashier.ts'
import type { BalanceEvent, StreamEvent, TransactionEvent } from '#lib/contract/stream.ts'
import { addLive, type LiveTransactions } from './live-transactions.ts'
import { keys } from './queries.ts'

export const LIVE_KEY = ['live'] as const

/** Null for a currency that the list lacks: the event does not carry its name, so the list has to be fetched. */
function withBalance(balances: readonly Balance[], event: BalanceEvent): Balance[] | null {
  if (!balances.some(({ currency_id }) => currency_id === event.currency_id)) return null
  return balances.map((balance) => (balance.currency_id === event.currency_id ? { ...balance, ...event } : balance))
}

export function applyStreamEvent(cache: QueryClient, event: StreamEvent): void {
  if (event.type === 'balance') applyBalance(cache, event.data)
  else applyTransaction(cache, event.data)
}

function applyBalance(cache: QueryClient, event: BalanceEvent): void {
  const known = cache.getQueryData<Balance[]>(keys.balances)
  const next = known && withBalance(known, event)
  if (next) cache.setQueryData(keys.balances, next)
  else void cache.invalidateQueries({ queryKey: keys.balances })
}

function applyTransaction(cache: QueryClient, event: TransactionEvent): void {
  cache.setQueryData<LiveTransactions>(LIVE_KEY, (live = []) => addLive(live, event))
  void cache.invalidateQueries({ queryKey: keys.transactions })
  if (event.withdrawal_id === undefined) return
  void cache.invalidateQueries({ queryKey: keys.withdrawal(event.withdrawal_id) })
}

/** After a gap in the stream: fetches everything again that changes on the server. */
export function refetchAll(cache: QueryClient): void {
  for (const queryKey of [keys.balances, keys.transactions, ['withdrawal']]) {
    void cache.invalidateQueries({ queryKey })
  }
}
