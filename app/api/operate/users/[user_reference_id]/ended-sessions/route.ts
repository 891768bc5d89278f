import { endSessionsRequest } from '#lib/contract/operate/users.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { userOf } from '#lib/server/runtime/http/user-subject.ts'

export const POST = operatorHandler(
  'operate.endUserSessions',
  { role: 'agent', changes: true, audit: 'inside' },
  async (call) => {
    const input = await readJson(call.request, endSessionsRequest)
    return jsonAnswer(200, await call.app.console.endUserSessions(call.operator, userOf(call), input))
  },
)
