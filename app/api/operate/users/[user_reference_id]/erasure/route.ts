import { eraseUserRequest } from '#lib/contract/operate/users.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { userOf } from '#lib/server/runtime/http/user-subject.ts'

export const POST = operatorHandler(
  'operate.eraseUser',
  { role: 'admin', changes: true, audit: 'inside', fresh: true },
  async (call) => {
    const input = await readJson(call.request, eraseUserRequest)
    return jsonAnswer(200, await call.app.console.eraseUser(call.operator, userOf(call), input))
  },
)
