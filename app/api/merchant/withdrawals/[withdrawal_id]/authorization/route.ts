import { withdrawalDecisionRequest } from '#lib/contract/merchant-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = handler('merchant.authorization', async ({ app, request, params }) => {
  app.requireMerchant(request.headers)
  const decision = await readJson(request, withdrawalDecisionRequest)
  const withdrawal = await app.useCases.decideWithdrawal(params['withdrawal_id'] ?? '', decision)
  return jsonAnswer(200, withdrawal)
})
