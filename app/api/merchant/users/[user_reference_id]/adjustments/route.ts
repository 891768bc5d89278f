import { adjustmentRequest, userPath } from '#lib/contract/merchant-requests.ts'
import { parseInput, readJson } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/** 201 for a new adjustment, 200 for a repeat of the same adjustment. */
export const POST = merchantHandler('merchant.adjustments', 'adjust', async ({ app, request, params, requestId }) => {
  const { user_reference_id } = parseInput(userPath, params)
  const input = await readJson(request, adjustmentRequest)
  const { created, adjustment } = await app.useCases.adjustBalance(user_reference_id, input, requestId)
  return jsonAnswer(created ? 201 : 200, adjustment)
})
