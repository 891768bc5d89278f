import { createHash } from 'node:crypto'

/** The posting key of a merchant's adjustment: a reference is booked once. */
export const adjustmentKey = (user: string, reference: string): string => `adjustment:${user}:${reference}`

/**
 * The key after the user was erased: it names nobody, and a repeated call is still recognized. No user has the empty
 * name in it.
 */
export const erasedKey = (key: string): string => `adjustment::${createHash('sha256').update(key).digest('base64url')}`
