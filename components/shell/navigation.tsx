'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { createContext, use, useCallback, useMemo, useState, useTransition, type ReactNode } from 'react'
import type { Flow } from '#lib/contract/cashier.ts'
import { useChosenCurrency } from './chosen-currency.tsx'
import { flowPath } from './flow-path.ts'
import { useSession } from './session.tsx'

type Changes = Readonly<Record<string, string | null>>

interface Navigation {
  /** The flow on the screen, or on its way there. Null on an address that has none. */
  readonly flow: Flow | null
  /** A flow was chosen and is not here yet. */
  readonly pending: boolean
  readonly hrefOf: (flow: Flow) => string
  readonly goTo: (flow: Flow) => void
  /** Something was asked of this address and is not here yet. */
  readonly asking: boolean
  readonly hrefAsking: (changes: Changes) => string
  /** Changes what the address asks for; null takes a name out. `push` makes it a step for the back button. */
  readonly ask: (changes: Changes, how?: 'push' | 'replace') => void
  readonly preload: (flow: Flow) => void
}

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
  const currency = chosen.state === 'ready' ? chosen.currency.id : null
  const [target, setTarget] = useState<Flow | null>(null)
  const [leaving, startLeaving] = useTransition()
  const [asking, startAsking] = useTransition()

  const hrefOf = useCallback(
    (flow: Flow) => {
      return flowPath(id, flow) + (currency === null ? '' : `?${new URLSearchParams({ currency }).toString()}`)
    },
    [id, currency],
  )
  const hrefAsking = useCallback(
    (changes: Changes) => {
      const query = new URLSearchParams(search)
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) query.delete(name)
        else query.set(name, value)
      }
      const text = query.toString()
      return pathname + (text === '' ? '' : `?${text}`)
    },
    [pathname, search],
  )
  const current = flows.find((flow) => flowPath(id, flow) === pathname) ?? null

  const value = useMemo<Navigation>(
    () => ({
      flow: leaving ? target : current,
      pending: leaving && target !== current,
      hrefOf,
      goTo: (flow) => {
        setTarget(flow)
        startLeaving(() => router.push(hrefOf(flow), { scroll: false }))
      },
      asking,
      hrefAsking,
      ask: (changes, how = 'replace') => startAsking(() => router[how](hrefAsking(changes), { scroll: false })),
      preload: (flow) => router.prefetch(hrefOf(flow)),
    }),
    [leaving, target, current, hrefOf, hrefAsking, asking, router],
  )
  return <NavigationContext value={value}>{children}</NavigationContext>
}
