import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { operatorView } from '#lib/server/runtime/http/operator-view.ts'

export const GET = operatorHandler('operate.me', { role: 'viewer' }, ({ operator }) =>
  Promise.resolve(jsonAnswer(200, operatorView(operator))),
)
