'use client'

import { createContext, use, useCallback, useMemo, useOptimistic, useTransition, type ReactNode } from 'react'
import type { Flow } from '#lib/contract/cashier.ts'
import { useSession } from './session.tsx'
import { flowPath, preloadFlow } from './flows.ts'
import { urlOf, useLocation } from './location.tsx'

type QueryChanges = Readonly<Record<string, string | null>>
/** Search parameters that are added to the chosen currency; `currency` replaces it. */
type FlowQuery = Readonly<Record<string, string>>

interface Navigation {
  /** The flow on the screen, or the one being loaded. Null at a URL without a flow. */
  readonly flow: Flow | null
  /** A flow is being loaded. */
  readonly pending: boolean
  readonly hrefOf: (flow: Flow, query?: FlowQuery) => string
  readonly goTo: (flow: Flow, query?: FlowQuery) => void
  /** A change of the query is being loaded. */
  readonly queryPending: boolean
  readonly hrefWithQuery: (changes: QueryChanges) => string
  /** Sets search parameters of the URL; null removes one. `push` adds a history entry. */
  readonly setQuery: (changes: QueryChanges, how?: 'push' | 'replace') => void
  readonly preload: (flow: Flow) => void
}

const NavigationContext = createContext<Navigation | null>(null)

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext)
  if (!navigation) throw new Error('useNavigation outside NavigationProvider')
  return navigation
}

/** The flow at a path of this session; null if the path has no flow or the session does not have that flow. */
const flowAt = (path: string, id: string, flows: readonly Flow[]): Flow | null =>
  flows.find((flow) => flowPath(id, flow) === path) ?? null

/**
 * Flows and queries change in the browser, which requests no document.
 * `currency`: id of the chosen currency, which the links to the flows keep; null if no currency is offered.
 */
export function NavigationProvider({
  currency,
  children,
}: {
  readonly currency: string | null
  readonly children: ReactNode
}) {
  const { id, flows } = useSession()
  const { url, path, go } = useLocation()
  const [navigating, startNavigation] = useTransition()
  const [queryPending, startQueryChange] = useTransition()
  // A change that starts while another is being loaded builds on it, so that a currency just chosen is not lost.
  const [requested, setRequested] = useOptimistic(url)

  const hrefOf = useCallback(
    (flow: Flow, query: FlowQuery = {}) =>
      urlOf(flowPath(id, flow), new URLSearchParams({ ...(currency !== null && { currency }), ...query }).toString()),
    [id, currency],
  )
  const hrefWithQuery = useCallback(
    (changes: QueryChanges) => {
      const [at = '', kept = ''] = requested.split('?', 2)
      const query = new URLSearchParams(kept)
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) query.delete(name)
        else query.set(name, value)
      }
      return urlOf(at, query.toString())
    },
    [requested],
  )
  const request = useCallback(
    (next: string, how: 'push' | 'replace') => {
      setRequested(next)
      go(next, how)
    },
    [go, setRequested],
  )
  const current = flowAt(path, id, flows)
  const target = flowAt(requested.split('?', 1).join(''), id, flows)

  const value = useMemo<Navigation>(
    () => ({
      flow: navigating ? target : current,
      pending: navigating && target !== current,
      hrefOf,
      goTo: (flow, query) => startNavigation(() => request(hrefOf(flow, query), 'push')),
      queryPending,
      hrefWithQuery,
      setQuery: (changes, how = 'replace') => startQueryChange(() => request(hrefWithQuery(changes), how)),
      preload: preloadFlow,
    }),
    [navigating, target, current, hrefOf, hrefWithQuery, request, queryPending, startNavigation, startQueryChange],
  )
  return <NavigationContext value={value}>{children}</NavigationContext>
}
