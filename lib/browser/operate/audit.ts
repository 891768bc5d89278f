import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { auditNames, auditPage, auditPageQuery } from '#lib/contract/operate/audit.ts'
import type { ListAddress } from '#lib/contract/operate/list-address.ts'
import type { ConsoleClient } from './console-client.ts'

/** A page of the audit log. The entries of the page before stay until its own are there. */
export const auditLogQuery = (client: ConsoleClient, state: ListAddress) => {
  const query = auditPageQuery(state)
  return queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => client.get(`audit?${query}`, auditPage, signal),
    placeholderData: keepPreviousData,
  })
}

/** Whom and what the log can be filtered by. */
export const auditNamesQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['audit-names'],
    queryFn: ({ signal }) => client.get('audit/names', auditNames, signal),
    staleTime: 60_000,
  })
