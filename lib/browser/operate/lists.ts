import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { listedCurrencies } from '#lib/contract/operate/currencies.ts'
import { serverQuery, type ListAddress } from '#lib/contract/operate/list-address.ts'
import { LIST_PAGES, type ListName, type ListPage } from '#lib/contract/operate/lists.ts'
import { savedViews } from '#lib/contract/operate/views.ts'
import type { ConsoleClient } from './console-client.ts'

/** A page of a list. The rows of the page before stay until its own are there. */
export const listQuery = <L extends ListName>(client: ConsoleClient, list: L, state: ListAddress) => {
  const query = serverQuery(list, state)
  const schema: z.ZodMiniType = LIST_PAGES[list]
  return queryOptions({
    queryKey: [list, 'list', query],
    queryFn: async ({ signal }) => (await client.get(`lists/${list}?${query}`, schema, signal)) as ListPage<L>,
    placeholderData: keepPreviousData,
  })
}

/** The operator's own views of all lists. */
export const viewsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['views'],
    queryFn: async ({ signal }) => (await client.get('views', savedViews, signal)).views,
    staleTime: 60_000,
  })

/** The currencies that are known, for a choice. */
export const knownCurrenciesQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['currencies'],
    queryFn: async ({ signal }) => (await client.get('currencies', listedCurrencies, signal)).currencies,
    staleTime: 300_000,
  })
