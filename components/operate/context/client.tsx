'use client'

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, use, useState, type ReactNode } from 'react'
import { createConsoleClient, type ConsoleClient } from '#lib/browser/operate/console-client.ts'
import { meQuery } from '#lib/browser/operate/me.ts'
import { endsSession, isUnanswered } from '#lib/browser/request-failure.ts'

const Context = createContext<ConsoleClient | null>(null)

const STALE_MS = 10_000

/** After a call was refused because the session has ended, the shell asks again who is signed in. */
function createQueryClient(client: ConsoleClient): QueryClient {
  const onError = (error: Error, key: unknown): void => {
    const { queryKey } = meQuery(client)
    if (endsSession(error) && key !== queryKey[0]) void cache.invalidateQueries({ queryKey })
  }
  const cache = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => onError(error, query.queryKey[0]) }),
    mutationCache: new MutationCache({ onError: (error) => onError(error, null) }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        networkMode: 'always',
        retry: (failures, error) => failures < 1 && isUnanswered(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return cache
}

export function ConsoleClientProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(() => createConsoleClient((path, init) => window.fetch(path, init)))
  const [cache] = useState(() => createQueryClient(client))
  return (
    <Context value={client}>
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </Context>
  )
}

export function useConsoleClient(): ConsoleClient {
  const client = use(Context)
  if (!client) throw new Error('useConsoleClient outside ConsoleClientProvider')
  return client
}
