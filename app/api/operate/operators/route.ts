import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.operators', { role: 'admin' }, async ({ app }) =>
  jsonAnswer(200, { operators: await app.console.listOperators() }),
)
