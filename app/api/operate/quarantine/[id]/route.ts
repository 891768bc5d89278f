import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.quarantine_line', { role: 'viewer' }, async ({ app, params, operator }) =>
  jsonAnswer(200, await app.console.quarantineLine(operator, params['id'] ?? '')),
)
