import type { SignedInOperator } from '#lib/contract/operate/operators.ts'
import type { Operator } from './authenticate-operator.ts'

/** What the page sees of the operator who is signed in. */
export const operatorView = ({ id, name, role, expiresMs, freshUntilMs }: Operator): SignedInOperator => ({
  id,
  name,
  role,
  expires_at: new Date(expiresMs).toISOString(),
  fresh_until: new Date(freshUntilMs).toISOString(),
})
