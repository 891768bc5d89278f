import { endSessionsRequest } from '#lib/contract/operate/users.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { auditedUserAct, userOf } from '#lib/server/runtime/http/user-subject.ts'

export const POST = operatorHandler(
  'operate.endUserSessions',
  { role: 'agent', changes: true, audit: 'inside' },
  async (call) => {
    const { session_id, reason } = await readJson(call.request, endSessionsRequest)
    const audited = auditedUserAct(call, 'user.end_sessions', reason, { session_id })
    return jsonAnswer(200, await audited(() => call.app.console.endUserSessions(userOf(call), session_id)))
  },
)
