import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.exceptions', { role: 'viewer' }, async ({ app }) =>
  jsonAnswer(200, await app.console.listExceptions()),
)
