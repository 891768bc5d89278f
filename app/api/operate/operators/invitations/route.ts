import { invitationOrder } from '#lib/contract/operate/access.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const POST = operatorHandler(
  'operate.invite',
  { role: 'admin', changes: true, audit: 'inside', fresh: true },
  async ({ app, operator, request }) => {
    const {
      operator: invited,
      link,
      expiresMs,
    } = await app.console.inviteOperator(operator, await readJson(request, invitationOrder))
    const { name, role } = invited
    return jsonAnswer(201, { name, role, link, expires_at: new Date(expiresMs).toISOString() })
  },
)
