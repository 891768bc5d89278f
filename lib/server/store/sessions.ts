import type { Kysely } from 'kysely'
import type { Flow, Locale, Theme } from '#lib/contract/cashier.ts'
import type { Tables } from './schema.ts'

/** A session as the merchant asked for it and as every handler of the page sees it. */
export interface CashierSession {
  readonly id: string
  readonly user_reference_id: string
  readonly flows: readonly Flow[]
  readonly locale: Locale | null
  readonly theme: Theme | null
  readonly tokens: Readonly<Record<string, string>> | null
  readonly support_url: string | null
  readonly country: string | null
  readonly currency_ids: readonly string[] | null
  readonly return_url: string | null
  readonly created_ms: number
  readonly last_used_ms: number
}
export type NewSession = Omit<CashierSession, 'last_used_ms'>
/** What became of a launch token: redeemed, or why not. */
export type LaunchOutcome =
  | { readonly outcome: 'launched'; readonly session: CashierSession }
  | { readonly outcome: 'used' | 'expired' | 'unknown' }

export const sessionsOf = (_db: Kysely<Tables>) => ({})
