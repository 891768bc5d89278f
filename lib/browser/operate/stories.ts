import { queryOptions } from '@tanstack/react-query'
import { storySchema } from '#lib/contract/operate/story.ts'
import type { ConsoleClient } from './console-client.ts'

/** Each read is an entry of the audit log, so a story is read again only when a person asks for it, or acts. */
const SELDOM = { staleTime: 30_000, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** Of a transaction, or of a withdrawal by its own id. */
export const storyQuery = (client: ConsoleClient, of: 'transactions' | 'withdrawals', id: string) =>
  queryOptions({
    queryKey: ['story', of, id],
    queryFn: ({ signal }) => client.get(`stories/${of}/${encodeURIComponent(id)}`, storySchema, signal),
    ...SELDOM,
  })
