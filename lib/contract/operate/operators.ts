/** Who uses the console, and what they may do there. */
import * as z from 'zod/mini'

/** Each role may do what the roles before it may. */
export const OPERATOR_ROLES = ['viewer', 'agent', 'admin'] as const
export const operatorRole = z.enum(OPERATOR_ROLES)
export type OperatorRole = z.output<typeof operatorRole>

export const mayActAs = (role: OperatorRole, needed: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed)

/** The person who is signed in. */
export const signedInOperator = z.object({
  id: z.string(),
  name: z.string(),
  role: operatorRole,
  /** ISO time at which the session ends if nothing is done. */
  expires_at: z.string(),
  /** ISO time until which acts need no further passkey touch. */
  fresh_until: z.string(),
})
export type SignedInOperator = z.output<typeof signedInOperator>

/** A session ends when the console was not used for this time. */
export const OPERATOR_IDLE_MS = 15 * 60_000
