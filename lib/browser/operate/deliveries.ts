/** Deliveries to the merchant's webhook: the calls of the console, and of the view in the merchant's own admin. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  deliveriesPage,
  deliveryDetail,
  redeliveryPreview,
  redeliveryResult,
  testEventsPage,
} from '#lib/contract/operate/deliveries.ts'
import type { ConsoleClient } from './console-client.ts'

/** The filter of a list as it stands in the address; a missing name filters nothing. */
export type DeliveryFilterText = Readonly<
  Partial<Record<'state' | 'transaction' | 'user' | 'outcome' | 'from' | 'to', string | undefined>>
>

const KEY = 'deliveries'

function queryText(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined && value !== '') query.set(name, value)
  return query.size === 0 ? '' : `?${query}`
}

export const deliveriesQuery = (client: ConsoleClient, filter: DeliveryFilterText, after: string | undefined) => {
  const query = queryText({ ...filter, after })
  return queryOptions({
    queryKey: [KEY, 'list', query],
    queryFn: ({ signal }) => client.get(`deliveries${query}`, deliveriesPage, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
}

export const deliveryQuery = (client: ConsoleClient, id: string) =>
  queryOptions({
    queryKey: [KEY, 'one', id],
    queryFn: ({ signal }) => client.get(`deliveries/${encodeURIComponent(id)}`, deliveryDetail, signal),
    // Each read is an entry of the audit log.
    refetchOnWindowFocus: false,
  })

/** How many a filter would send again, counted anew each time. */
export const previewQuery = (client: ConsoleClient, filter: DeliveryFilterText) => {
  const query = queryText(filter)
  return queryOptions({
    queryKey: [KEY, 'preview', query],
    queryFn: ({ signal }) => client.get(`redeliveries${query}`, redeliveryPreview, signal),
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
}

export const testEventsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: [KEY, 'tests'],
    queryFn: ({ signal }) => client.get('test-events', testEventsPage, signal),
  })

const RESEND_TIMEOUT_MS = 60_000

/** Sends these again. Returns how many are sent. */
export async function resendIds(client: ConsoleClient, ids: readonly string[], asOf: string): Promise<number> {
  const body = { ids, as_of: asOf }
  return (await client.send('POST', 'redeliveries', body, redeliveryResult, RESEND_TIMEOUT_MS)).queued
}

/** Sends all that match again, a part in each call. @param onPart is told how many so far */
export async function resendMatching(
  client: ConsoleClient,
  filter: DeliveryFilterText,
  asOf: string,
  onPart: (queued: number) => void,
): Promise<number> {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))
  let queued = 0
  for (let after: string | null = null; ;) {
    const body = { filter: given, as_of: asOf, after }
    const part: { readonly queued: number; readonly next: string | null } = await client.send(
      'POST',
      'redeliveries',
      body,
      redeliveryResult,
      RESEND_TIMEOUT_MS,
    )
    queued += part.queued
    onPart(queued)
    if (part.next === null) return queued
    after = part.next
  }
}

/** Of every query about deliveries. */
export const DELIVERIES_KEY = [KEY] as const
