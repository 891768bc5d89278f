import { queryOptions } from '@tanstack/react-query'
import { dayReply, daysReply, exceptionsReply } from '#lib/contract/operate/exceptions.ts'
import type { ConsoleClient } from './console-client.ts'

/** What needs a person. */
export const exceptionsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ['exceptions'],
    queryFn: ({ signal }) => client.get('exceptions', exceptionsReply, signal),
  })

/** The numbers of the day. @param timeZone IANA */
export const dayNumbersQuery = (client: ConsoleClient, timeZone: string) =>
  queryOptions({
    queryKey: ['day', timeZone],
    queryFn: ({ signal }) => client.get(`day?time_zone=${encodeURIComponent(timeZone)}`, dayReply, signal),
  })

/** What succeeded on the last days. It is read again each minute, and not at each change. */
export const lastDaysQuery = (client: ConsoleClient, timeZone: string) =>
  queryOptions({
    queryKey: ['last-days', timeZone],
    queryFn: ({ signal }) => client.get(`days?time_zone=${encodeURIComponent(timeZone)}`, daysReply, signal),
    refetchInterval: 60_000,
  })
