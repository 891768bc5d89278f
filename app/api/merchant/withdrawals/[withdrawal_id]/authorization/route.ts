import { withdrawalDecisionRequest } from '#lib/contract/withdrawal-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = merchantHandler('merchant.authorization', 'decide', async ({ app, request, params }, { by }) => {
  const decision = await readJson(request, withdrawalDecisionRequest)
  const withdrawal = await app.useCases.decideWithdrawal(params['withdrawal_id'] ?? '', decision, by)
  return jsonAnswer(200, withdrawal)
})
