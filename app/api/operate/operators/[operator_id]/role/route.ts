import { roleChange } from '#lib/contract/operate/access.ts'
import { NO_CONTENT } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const PUT = operatorHandler(
  'operate.changeRole',
  { role: 'admin', changes: true, audit: 'inside', fresh: true },
  async ({ app, operator, params, request }) => {
    const { role, reason } = await readJson(request, roleChange)
    await app.console.changeRole(operator, params['operator_id'] ?? '', role, reason)
    return NO_CONTENT
  },
)
