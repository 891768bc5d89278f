import { eraseUserRequest } from '#lib/contract/operate/users.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { auditedUserAct, userOf } from '#lib/server/runtime/http/user-subject.ts'

const NEEDS = { role: 'admin', changes: true, audit: 'inside', fresh: true } as const

export const POST = operatorHandler('operate.eraseUser', NEEDS, async (call) => {
  const { user_reference_id: typed, reason } = await readJson(call.request, eraseUserRequest)
  const audited = auditedUserAct(call, 'user.erase', reason)
  const { app, operator } = call
  return jsonAnswer(200, await app.console.eraseUser(userOf(call), { operator, typed, audited }))
})
