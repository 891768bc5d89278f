import { redeliveryRequest } from '#lib/contract/merchant-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/** Queues outbound events again. */
export const POST = merchantHandler('merchant.redeliver', 'decide', async ({ app, request }) => {
  const input = await readJson(request, redeliveryRequest)
  const result = await app.useCases.redeliver(input)
  return jsonAnswer(202, result)
})
