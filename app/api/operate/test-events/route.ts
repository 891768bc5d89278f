import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.test_events', { role: 'viewer' }, async ({ app }) =>
  jsonAnswer(200, await app.console.listTestEvents()),
)

export const POST = operatorHandler(
  'operate.test_events',
  { role: 'agent', changes: true, audit: { action: 'delivery.test' } },
  async ({ app }) => jsonAnswer(202, await app.useCases.sendTestEvent()),
)
