import type * as z from 'zod/mini'
import type { MerchantScope } from '#lib/contract/merchant-scopes.ts'
import type { ProblemCode } from '#lib/contract/problems.ts'

export interface Reply {
  readonly status: number
  readonly description: string
  /** Absent for a reply without a body. */
  readonly schema?: z.core.$ZodType
  readonly example?: unknown
  /** An example of a reply that is a CSV file. */
  readonly csv?: string
}

/** The groups of calls, in the order of the document. */
export const CALL_TAGS = {
  Sessions: 'The cashier opens for a user with the token of a session.',
  Events: 'What changed, as a feed that skips nothing.',
  Ledger: 'What users have, and why.',
  Withdrawals: 'Withdrawals of users, and the payouts of the gateway.',
  Operation: 'Events that could not be applied or delivered, and tests of an installation.',
} as const

export interface DescribedCall {
  readonly id: string
  readonly tag: keyof typeof CALL_TAGS
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below `/api/merchant`. */
  readonly path: string
  /** What the key must be allowed to do. */
  readonly scope: MerchantScope
  readonly summary: string
  readonly description?: string
  readonly query?: z.core.$ZodType
  readonly body?: { readonly name: string; readonly schema: z.core.$ZodType; readonly example: unknown }
  readonly replies: readonly Reply[]
  /** In addition to the problems of every call. */
  readonly problems: readonly ProblemCode[]
}
