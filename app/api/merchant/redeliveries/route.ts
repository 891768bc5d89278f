import { redeliveryRequest } from '#lib/contract/merchant-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/** Queues outbound events again. */
export const POST = handler('merchant.redeliver', async ({ app, request }) => {
  app.requireMerchant(request.headers)
  const input = await readJson(request, redeliveryRequest)
  const result = await app.useCases.redeliver(input)
  return jsonAnswer(202, result)
})
