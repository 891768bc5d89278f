'use client'

import { createContext, use } from 'react'
import type { Flow, Theme } from '#lib/contract/cashier.ts'

/** What the page may know of its session and of this installation. */
export interface SessionView {
  readonly id: string
  readonly flows: readonly Flow[]
  readonly theme: Theme
  readonly country: string | null
  readonly supportUrl: string | null
  readonly returnUrl: string | null
  /** Where the merchant keeps the books there are no balances to show. */
  readonly showsBalances: boolean
  /** The browser said that this page goes into a frame. */
  readonly framed: boolean
  /** Of the reader, as an earlier page noted it; IANA. */
  readonly zone: string | null
  /** ISO 8601: deposits from then on are "of this visit". */
  readonly startedAt: string
}

const SessionContext = createContext<SessionView | null>(null)
export const SessionProvider = SessionContext

export function useSession(): SessionView {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession outside SessionProvider')
  return session
}
