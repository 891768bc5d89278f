import { passkeyRevocation } from '#lib/contract/operate/access.ts'
import { NO_CONTENT } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const POST = operatorHandler(
  'operate.revokePasskey',
  { role: 'admin', changes: true, audit: 'inside', fresh: true },
  async ({ app, operator, params, request }) => {
    const { reason } = await readJson(request, passkeyRevocation)
    const { operator_id = '', passkey_id = '' } = params
    await app.console.revokePasskey(operator, operator_id, passkey_id, reason)
    return NO_CONTENT
  },
)
