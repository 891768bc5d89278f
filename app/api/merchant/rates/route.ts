import { LONGEST_RATES_BYTES, ratesRequest } from '#lib/contract/merchant-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const PUT = handler('merchant.rates', async ({ app, request }) => {
  app.requireMerchant(request.headers)
  const input = await readJson(request, ratesRequest, LONGEST_RATES_BYTES)
  return jsonAnswer(200, await app.useCases.tellRates(input))
})
