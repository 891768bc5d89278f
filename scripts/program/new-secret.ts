/** New secrets for the cashier's variables. */
import { randomBytes } from 'node:crypto'

const MAKE = {
  webhook: () => `whsec_${randomBytes(32).toString('base64')}`,
  'api-key': () => randomBytes(32).toString('base64url'),
  session: () => randomBytes(32).toString('base64url'),
  metrics: () => randomBytes(24).toString('base64url'),
} as const

type SecretKind = keyof typeof MAKE

export const isSecretKind = (kind: string): kind is SecretKind => Object.hasOwn(MAKE, kind)
export const newSecret = (kind: SecretKind): string => MAKE[kind]()
