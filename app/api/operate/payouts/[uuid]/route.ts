import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.payout', { role: 'viewer' }, async ({ app, params, operator }) =>
  jsonAnswer(200, await app.console.payoutDecision(operator, params['uuid'] ?? '')),
)
