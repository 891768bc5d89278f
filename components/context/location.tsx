'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { createContext, startTransition, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'

/** The URL of the screen: path and query, such as `/c/…/deposit?currency=…`. */
interface Location {
  readonly url: string
  readonly path: string
  /** The path that the server rendered the page for. */
  readonly renderedPath: string
  readonly query: URLSearchParams
  /** Call it in a transition, so that the previous screen stays until the next one is ready. */
  readonly go: (url: string, how: 'push' | 'replace') => void
}

const LocationContext = createContext<Location | null>(null)

export function useLocation(): Location {
  const location = use(LocationContext)
  if (!location) throw new Error('useLocation outside LocationProvider')
  return location
}

export const useQueryParameter = (name: string): string | null => useLocation().query.get(name)

export const urlOf = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)

/**
 * Keeps the page's history entries without Next's router: when a request of that router fails, it lets the browser
 * navigate, and in a frame the browser's error page would replace the cashier for good.
 */
export function LocationProvider({ children }: { readonly children: ReactNode }) {
  // Next's router stays at the URL of the document.
  const renderedPath = usePathname()
  const search = useSearchParams().toString()
  const [url, setUrl] = useState(urlOf(renderedPath, search))

  useEffect(() => {
    const follow = (): void => startTransition(() => setUrl(window.location.pathname + window.location.search))
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((next: string, how: 'push' | 'replace'): void => {
    // The prototype's method: Next replaces the object's own method, which would render the page again.
    if (how === 'push') History.prototype.pushState.call(window.history, null, '', next)
    else History.prototype.replaceState.call(window.history, window.history.state, '', next)
    setUrl(next)
  }, [])

  const value = useMemo<Location>(() => {
    const [path = '', query = ''] = url.split('?', 2)
    return { url, path, renderedPath, query: new URLSearchParams(query), go }
  }, [url, renderedPath, go])
  return <LocationContext value={value}>{children}</LocationContext>
}
