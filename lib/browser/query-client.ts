/** The page's QueryClient: when it refetches, what it retries, and what happens when the session has ended. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { ConnectionPhase } from './connection.ts'
import { endsSession, isUnanswered } from './request-failure.ts'

export interface QueryClientOptions {
  readonly phase: () => ConnectionPhase
  readonly onResponse: () => void
  readonly onSessionEnded: () => void
}

/** Only while there is no stream. */
const POLL_MS = 30_000
const STALE_MS = 10_000

export function createQueryClient({ phase, onResponse, onSessionEnded }: QueryClientOptions): QueryClient {
  const onError = (error: Error) => {
    if (endsSession(error)) onSessionEnded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: onResponse }),
    mutationCache: new MutationCache({ onError, onSuccess: onResponse }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        networkMode: 'always',
        refetchInterval: (query) =>
          query.queryKey[0] === 'currencies' || query.queryKey[0] === 'deposit-address' || phase() === 'live'
            ? false
            : POLL_MS,
        refetchOnWindowFocus: (query) => (query.queryKey[0] === 'deposit-address' ? false : 'always'),
        retry: (failures, error) => failures < 1 && isUnanswered(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
