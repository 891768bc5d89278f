import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

/** Reads the whole log and compares its chain. */
export const POST = operatorHandler(
  'operate.auditCheck',
  { role: 'admin', changes: true, audit: { action: 'audit.check' } },
  async ({ app }) => jsonAnswer(200, await app.console.checkAudit()),
)
