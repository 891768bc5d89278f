import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  checkedUser,
  endedSessions,
  erasedUser,
  statementPage,
  userView,
  type CheckedUser,
  type EndSessionsRequest,
  type ErasedUser,
} from '#lib/contract/operate/users.ts'
import type { ConsoleClient } from './console-client.ts'

/** Each read is an entry of the audit log. */
const SELDOM = { staleTime: 30_000, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

const pathOf = (user: string, rest = ''): string => `users/${encodeURIComponent(user)}${rest}`

export const userQuery = (client: ConsoleClient, user: string) =>
  queryOptions({
    queryKey: ['user', user],
    queryFn: ({ signal }) => client.get(pathOf(user), userView, signal),
    ...SELDOM,
  })

export const userStatementQuery = (client: ConsoleClient, user: string) =>
  infiniteQueryOptions({
    queryKey: ['user', user, 'statement'],
    queryFn: ({ signal, pageParam }) =>
      client.get(pathOf(user, `/statement?after=${encodeURIComponent(pageParam)}`), statementPage, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    ...SELDOM,
  })

/** Where the browser downloads the statement. */
export const statementFileHref = (user: string): string => `/api/operate/${pathOf(user, '/statement.csv')}`

export const endSessions = (client: ConsoleClient, user: string, request: EndSessionsRequest) =>
  client.send('POST', pathOf(user, '/ended-sessions'), request, endedSessions)

/** While it is running, the same call is made again. */
async function untilEnded<T extends { readonly state: string }>(
  call: () => Promise<T>,
): Promise<Exclude<T, { readonly state: 'running' }>> {
  for (;;) {
    const answer = await call()
    if (answer.state !== 'running') return answer as Exclude<T, { readonly state: 'running' }>
  }
}

export type EndedCheck = Exclude<CheckedUser, { state: 'running' }>
export const checkUser = (client: ConsoleClient, user: string, reason: string): Promise<EndedCheck> =>
  untilEnded(() => client.send('POST', pathOf(user, '/check'), { reason }, checkedUser))

export type EndedErasure = Exclude<ErasedUser, { state: 'running' }>
export const requestErasure = (
  client: ConsoleClient,
  user: string,
  given: { readonly user_reference_id: string; readonly reason: string },
): Promise<EndedErasure> => untilEnded(() => client.send('POST', pathOf(user, '/erasure'), given, erasedUser))
