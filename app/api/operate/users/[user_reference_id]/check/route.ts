import { checkUserRequest } from '#lib/contract/operate/users.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { auditedUserAct, userOf } from '#lib/server/runtime/http/user-subject.ts'

export const POST = operatorHandler(
  'operate.checkUser',
  { role: 'agent', changes: true, audit: 'inside' },
  async (call) => {
    const { reason } = await readJson(call.request, checkUserRequest)
    const audited = auditedUserAct(call, 'user.check', reason)
    return jsonAnswer(200, await call.app.console.checkUser(userOf(call), audited))
  },
)
