import { queryOptions } from '@tanstack/react-query'
import { dayReply, exceptionsReply } from '#lib/contract/operate/exceptions.ts'
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
