import { adjustmentRequest, userPath } from '#lib/contract/merchant-requests.ts'
import { parseInput, readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/** 201 for a new adjustment, 200 for a repeat of the same adjustment. */
export const POST = handler('merchant.adjustments', async ({ app, request, params }) => {
  app.requireMerchant(request.headers)
  const { user_reference_id } = parseInput(userPath, params)
  const input = await readJson(request, adjustmentRequest)
  const { created, adjustment } = await app.useCases.adjustBalance(user_reference_id, input)
  return jsonAnswer(created ? 201 : 200, adjustment)
})
