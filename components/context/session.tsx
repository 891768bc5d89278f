'use client'

import { createContext, use } from 'react'
import type { Flow, Theme } from '#lib/contract/cashier.ts'

/** What the page knows about its session and this installation. */
export interface SessionView {
  readonly id: string
  readonly flows: readonly Flow[]
  readonly theme: Theme
  readonly country: string | null
  readonly supportUrl: string | null
  readonly returnUrl: string | null
  /** The merchant's name for the account; shown outside a frame. */
  readonly accountLabel: string | null
  /** The name of the merchant's site; absent if the session has none. */
  readonly merchantName?: string
  /** False if the merchant keeps the ledger: there are no balances to show. */
  readonly showsBalances: boolean
  /** A purchase may go to the user's own wallet. */
  readonly ownWallet: boolean
  /** The origins that a provider's page may have. */
  readonly onrampOrigins: readonly string[]
  /** Amounts by currency code or `*`. Above them the user must type the end of a withdrawal's address. */
  readonly confirmAbove: Readonly<Record<string, string>>
  /** Seconds after which a withdrawal that is missing in the gateway's list counts as never made. */
  readonly absenceS: number
  /** The user may cancel a withdrawal that waits. */
  readonly mayCancel: boolean
  /** URL of this installation's explorer, with `{network}` and `{hash}`; null to use the public explorers. */
  readonly explorer: string | null
  /** The gateway offers pages on which the user deposits from another wallet. */
  readonly depositLinks: boolean
  /** What amounts are worth is shown. */
  readonly showsValues: boolean
  /** The least amounts of deposits, by currency id or `code@network` in lower case. */
  readonly depositMinimums: Readonly<Record<string, string>>
  /** The browser requested the page for a frame. */
  readonly framed: boolean
  /** The user's time zone (IANA), as the browser reported it at the launch. */
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
