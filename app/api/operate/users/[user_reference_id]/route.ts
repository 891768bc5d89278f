import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { refuseQuery } from '#lib/server/runtime/http/query.ts'
import { userOf, userSubject } from '#lib/server/runtime/http/user-subject.ts'

export const GET = operatorHandler(
  'operate.user',
  { role: 'viewer', audit: { action: 'user.open', about: userSubject } },
  async (call) => {
    refuseQuery(call.url.searchParams)
    return jsonAnswer(200, await call.app.console.readUser(userOf(call)))
  },
)
