import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.proposals', { role: 'viewer' }, async ({ app, operator }) =>
  jsonAnswer(200, await app.console.proposals.list(operator)),
)
