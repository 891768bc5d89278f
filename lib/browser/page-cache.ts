/** The page's QueryClient: when it reads again, what it tries again, and who is told that the session is over. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { ConnectionPhase } from './connection.ts'
import { endsSession, RequestFailure, type FailureCode } from './request-failure.ts'

export interface PageCacheNeeds {
  readonly phase: () => ConnectionPhase
  readonly onHeard: () => void
  readonly onSessionEnded: () => void
}

/** While there is no stream. */
const POLL_MS = 30_000
const FRESH_MS = 10_000
const TRIES_AGAIN: ReadonlySet<FailureCode> = new Set(['offline', 'timeout'])

export function createPageCache({ phase, onHeard, onSessionEnded }: PageCacheNeeds): QueryClient {
  const onError = (error: Error) => {
    if (endsSession(error)) onSessionEnded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: onHeard }),
    mutationCache: new MutationCache({ onError, onSuccess: onHeard }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: 'always',
        refetchInterval: (query) =>
          query.queryKey[0] === 'currencies' || query.queryKey[0] === 'made-address' || phase() === 'live'
            ? false
            : POLL_MS,
        refetchOnWindowFocus: (query) => (query.queryKey[0] === 'made-address' ? false : 'always'),
        retry: (failures, error) => failures < 1 && error instanceof RequestFailure && TRIES_AGAIN.has(error.code),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
