'use client'

import { createContext, use } from 'react'
import type { Flow, Theme } from '#lib/contract/cashier.ts'

/** What the page knows of its session and of this installation. */
export interface SessionView {
  readonly id: string
  readonly flows: readonly Flow[]
  readonly theme: Theme
  readonly country: string | null
  readonly supportUrl: string | null
  readonly returnUrl: string | null
  /** Whose account it is, in the merchant's words; shown at top level. */
  readonly accountLabel: string | null
  /** False where the merchant keeps the ledger: there are no balances to show. */
  readonly showsBalances: boolean
  /** A purchase may go to a wallet of the user's own. */
  readonly ownWallet: boolean
  /** Where a provider's page may be. */
  readonly onrampOrigins: readonly string[]
  /** Above these amounts, by currency code or `*`, a withdrawal asks for the end of its address. */
  readonly confirmAbove: Readonly<Record<string, string>>
  /** Seconds after which a withdrawal that the gateway's list does not have was never made. */
  readonly absenceS: number
  /** The explorer of this installation, with `{network}` and `{hash}`; null for the public ones. */
  readonly explorer: string | null
  /** The gateway has pages where another wallet pays. */
  readonly depositLinks: boolean
  /** The browser requested the page for a frame. */
  readonly framed: boolean
  /** The reader's time zone (IANA), as the browser said at the launch. */
  readonly zone: string | null
  /** ISO 8601. */
  readonly startedAt: string
}

const SessionContext = createContext<SessionView | null>(null)
export const SessionProvider = SessionContext

export function useSession(): SessionView {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession outside SessionProvider')
  return session
}
