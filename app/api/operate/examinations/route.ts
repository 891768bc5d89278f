import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const POST = operatorHandler(
  'operate.examine',
  { role: 'admin', changes: true, audit: { action: 'installation.examine' } },
  async ({ app }) => jsonAnswer(200, await app.console.examine()),
)
