import { accessChange } from '#lib/contract/operate/access.ts'
import { NO_CONTENT } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const PUT = operatorHandler(
  'operate.changeAccess',
  { role: 'admin', changes: true, audit: 'inside', fresh: true },
  async ({ app, operator, params, request }) => {
    const { enabled, reason } = await readJson(request, accessChange)
    await app.console.setEnabled(operator, params['operator_id'] ?? '', enabled, reason)
    return NO_CONTENT
  },
)
