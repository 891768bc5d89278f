import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { merchantValues } from '#lib/server/runtime/http/query.ts'
import { userOf, userSubject } from '#lib/server/runtime/http/user-subject.ts'

export const GET = operatorHandler(
  'operate.userStatement',
  { role: 'viewer', audit: { action: 'user_statement.open', about: userSubject } },
  async (call) => {
    const { after } = merchantValues(call.url.searchParams, ['after'])
    return jsonAnswer(200, await call.app.console.userStatement(userOf(call), after ?? null))
  },
)
