import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler(
  'operate.withdrawal_decision',
  { role: 'viewer' },
  async ({ app, params, operator }) =>
    jsonAnswer(200, await app.console.withdrawalDecision(operator, params['id'] ?? '')),
)
