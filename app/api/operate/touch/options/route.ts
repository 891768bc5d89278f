import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const POST = operatorHandler(
  'operate.touchOptions',
  { role: 'viewer', changes: true, audit: null },
  async ({ app, operator }) => jsonAnswer(200, await app.console.touchOptions(operator)),
)
