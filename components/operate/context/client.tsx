'use client'

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, use, useState, useSyncExternalStore, type ReactNode } from 'react'
import { createAccessGate, type AccessGate, type Asked } from '#lib/browser/operate/access-gate.ts'
import { createConsoleClient, type ConsoleClient } from '#lib/browser/operate/console-client.ts'
import { guardedClient } from '#lib/browser/operate/guarded-client.ts'
import { meQuery } from '#lib/browser/operate/me.ts'
import { endsSession, isUnanswered } from '#lib/browser/request-failure.ts'

/** How the console gets its operator in. */
export interface ConsoleAccess {
  /** Its calls fail at once when nobody is signed in: for signing in itself. */
  readonly plain: ConsoleClient
  /** Where the calls of `useConsoleClient` wait for a sign-in, or for a passkey touch. */
  readonly gate: AccessGate
}

const Context = createContext<(ConsoleAccess & { readonly client: ConsoleClient }) | null>(null)

const STALE_MS = 10_000

/**
 * After a call was refused because the session has ended, the shell asks again who is signed in. Where nobody is, a
 * refused sign-in ends no session.
 */
function createQueryClient(client: ConsoleClient): QueryClient {
  const onError = (error: Error, key: unknown): void => {
    const { queryKey } = meQuery(client)
    if (endsSession(error) && key !== queryKey[0] && cache.getQueryData(queryKey) !== undefined)
      void cache.invalidateQueries({ queryKey })
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

function createAccess() {
  const plain = createConsoleClient((path, init) => window.fetch(path, init))
  const gate = createAccessGate()
  return { plain, gate, client: guardedClient(plain, gate) }
}

export function ConsoleClientProvider({ children }: { readonly children: ReactNode }) {
  const [access] = useState(createAccess)
  const [cache] = useState(() => createQueryClient(access.plain))
  return (
    <Context value={access}>
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </Context>
  )
}

export function useConsoleAccess(): ConsoleAccess {
  const access = use(Context)
  if (!access) throw new Error('useConsoleAccess outside ConsoleClientProvider')
  return access
}

/** What the page asks its operator for now. */
export function useAsked(): Asked | null {
  const { gate } = useConsoleAccess()
  return useSyncExternalStore(gate.subscribe, () => gate.asked)
}

/**
 * The client of the page's data. A call that needs a sign-in, or a further touch of the passkey, asks for it and goes on
 * afterwards; it fails with the refusal if the operator declines.
 */
export function useConsoleClient(): ConsoleClient {
  const access = use(Context)
  if (!access) throw new Error('useConsoleClient outside ConsoleClientProvider')
  return access.client
}
