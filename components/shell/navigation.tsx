'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { createContext, use, useCallback, useMemo, useOptimistic, useState, useTransition, type ReactNode } from 'react'
import type { Flow } from '#lib/contract/cashier.ts'
import { useChosenCurrency } from './chosen-currency.tsx'
import { flowPath } from './flow-path.ts'
import { useSession } from '../context/session.tsx'

type QueryChanges = Readonly<Record<string, string | null>>
/** Search parameters besides the chosen currency, or in its place. */
type FlowQuery = Readonly<Record<string, string>>

interface Navigation {
  /** The flow on the screen, or the one being loaded. Null at a URL without a flow. */
  readonly flow: Flow | null
  /** A flow is being loaded. */
  readonly pending: boolean
  readonly hrefOf: (flow: Flow, query?: FlowQuery) => string
  readonly goTo: (flow: Flow, query?: FlowQuery) => void
  /** The currency in the URL that is being loaded, where it is another one. */
  readonly nextCurrency: string | null
  /** A change of the query is being loaded. */
  readonly queryPending: boolean
  readonly hrefWithQuery: (changes: QueryChanges) => string
  /** Sets search parameters of the URL; null removes one. `push` adds a history entry. */
  readonly setQuery: (changes: QueryChanges, how?: 'push' | 'replace') => void
  readonly preload: (flow: Flow) => void
}

const urlOf = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)
const pathOf = (url: string): string => url.split('?', 1).join('')
const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.slice(pathOf(url).length))
const currencyIn = (url: string): string | null => queryOf(url).get('currency')

const NavigationContext = createContext<Navigation | null>(null)

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext)
  if (!navigation) throw new Error('useNavigation outside NavigationProvider')
  return navigation
}

export function NavigationProvider({ children }: { readonly children: ReactNode }) {
  const { id, flows } = useSession()
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams().toString()
  const chosen = useChosenCurrency()
  const [target, setTarget] = useState<Flow | null>(null)
  const [navigating, startNavigation] = useTransition()
  const [queryPending, startQueryChange] = useTransition()
  // While one change is being loaded, the next one goes on from it: a currency that was just chosen is not lost.
  const here = urlOf(pathname, search)
  const [requested, setRequested] = useOptimistic(here)
  const nextCurrency = currencyIn(requested) === currencyIn(here) ? null : currencyIn(requested)
  const currency = nextCurrency ?? (chosen.state === 'ready' && chosen.offered ? chosen.currency.id : null)

  const hrefOf = useCallback(
    (flow: Flow, query: FlowQuery = {}) =>
      urlOf(flowPath(id, flow), new URLSearchParams({ ...(currency !== null && { currency }), ...query }).toString()),
    [id, currency],
  )
  const hrefWithQuery = useCallback(
    (changes: QueryChanges) => {
      const query = queryOf(requested)
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) query.delete(name)
        else query.set(name, value)
      }
      return urlOf(pathOf(requested), query.toString())
    },
    [requested],
  )
  const request = useCallback(
    (url: string, how: 'push' | 'replace') => {
      setRequested(url)
      router[how](url, { scroll: false })
    },
    [router, setRequested],
  )
  const current = flows.find((flow) => flowPath(id, flow) === pathname) ?? null

  const value = useMemo<Navigation>(
    () => ({
      flow: navigating ? target : current,
      pending: navigating && target !== current,
      hrefOf,
      goTo: (flow, query) => {
        setTarget(flow)
        startNavigation(() => request(hrefOf(flow, query), 'push'))
      },
      nextCurrency,
      queryPending,
      hrefWithQuery,
      setQuery: (changes, how = 'replace') => startQueryChange(() => request(hrefWithQuery(changes), how)),
      preload: (flow) => router.prefetch(hrefOf(flow)),
    }),
    [
      navigating,
      target,
      current,
      hrefOf,
      hrefWithQuery,
      request,
      nextCurrency,
      queryPending,
      router,
      setTarget,
      startNavigation,
      startQueryChange,
    ],
  )
  return <NavigationContext value={value}>{children}</NavigationContext>
}
