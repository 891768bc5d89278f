import type { SignedInOperator } from '#lib/contract/operate/operators.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.me', { role: 'viewer' }, ({ operator }) => {
  const { id, name, role } = operator
  const view: SignedInOperator = {
    id,
    name,
    role,
    expires_at: new Date(operator.expiresMs).toISOString(),
    fresh_until: new Date(operator.freshUntilMs).toISOString(),
  }
  return Promise.resolve(jsonAnswer(200, view))
})
