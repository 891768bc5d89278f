'use client'

import { createContext, use } from 'react'
import type { ConsoleClient } from '#lib/browser/operate/console-client.ts'

/** Where deliveries are shown: in the console, or in the merchant's own admin. */
export interface DeliveriesAccess {
  readonly client: ConsoleClient
  /** The address of the list. */
  readonly listHref: string
  /** The address of one delivery. */
  readonly hrefOf: (id: string) => string
  readonly mayResend: boolean
  /** The addresses of a transaction and of a user; null where there are no such pages. */
  readonly pages: { readonly transaction: (uuid: string) => string; readonly user: (id: string) => string } | null
}

export const DeliveriesAccessContext = createContext<DeliveriesAccess | null>(null)

export function useDeliveriesAccess(): DeliveriesAccess {
  const access = use(DeliveriesAccessContext)
  if (!access) throw new Error('useDeliveriesAccess outside DeliveriesAccessContext')
  return access
}
