'use client'

import {
  createContext,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react'
import type * as z from 'zod/mini'

/** The address of the page, in the browser's history: no document is loaded for another page. */
interface Address {
  readonly path: string
  readonly query: URLSearchParams
  readonly go: (url: string, how?: 'push' | 'replace') => void
}

const Context = createContext<Address | null>(null)

export function useAddress(): Address {
  const address = use(Context)
  if (!address) throw new Error('useAddress outside AddressProvider')
  return address
}

const here = (): string => window.location.pathname + window.location.search

/** Rendered in the browser only. */
export function AddressProvider({ children }: { readonly children: ReactNode }) {
  const [url, setUrl] = useState(here)
  useEffect(() => {
    const follow = (): void => startTransition(() => setUrl(here()))
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((next: string, how: 'push' | 'replace' = 'push'): void => {
    const { pathname } = window.location
    // The prototype's method: Next replaces the object's own method, which would render the page again.
    if (how === 'push') History.prototype.pushState.call(window.history, null, '', next)
    else History.prototype.replaceState.call(window.history, window.history.state, '', next)
    const follow = (): void => setUrl(here())
    // The page before stays while another loads; a control of the same page shows its new state at once.
    if (window.location.pathname === pathname) follow()
    else startTransition(follow)
    if (how === 'push') window.scrollTo(0, 0)
  }, [])
  const value = useMemo<Address>(() => {
    const [path = '', query = ''] = url.split('?', 2)
    return { path, query: new URLSearchParams(query), go }
  }, [url, go])
  return <Context value={value}>{children}</Context>
}

type State = Readonly<Record<string, string | undefined>>

/**
 * The state of a list in the query of the address, and a function that changes it. A value that the schema refuses
 * counts as missing.
 */
export function useAddressState<Schema extends z.ZodMiniType<State>>(
  schema: Schema,
): readonly [z.output<Schema>, (changes: State, how?: 'push' | 'replace') => void] {
  const { path, query, go } = useAddress()
  const text = query.toString()
  const state = useMemo(() => {
    const given = Object.fromEntries(new URLSearchParams(text))
    const parsed = schema.safeParse(given)
    if (parsed.success) return parsed.data
    const faulty = new Set(parsed.error.issues.map(({ path: [name] }) => name))
    return schema.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !faulty.has(name))))
  }, [schema, text])
  const change = useCallback(
    (changes: State, how: 'push' | 'replace' = 'push'): void => {
      const next = new URLSearchParams(text)
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
      }
      go(next.size === 0 ? path : `${path}?${next}`, how)
    },
    [go, path, text],
  )
  return [state, change]
}

const opensElsewhere = (event: React.MouseEvent): boolean =>
  event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey

/** A link to a page of the console. */
export function ConsoleLink({ href, onClick, ...rest }: ComponentProps<'a'> & { readonly href: string }) {
  const { go } = useAddress()
  return (
    <a
      href={href}
      {...rest}
      onClick={(event) => {
        onClick?.(event)
        if (opensElsewhere(event)) return
        event.preventDefault()
        go(href)
      }}
    />
  )
}
