import { LONGEST_RATES_BYTES, ratesRequest } from '#lib/contract/merchant-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const PUT = merchantHandler('merchant.rates', 'adjust', async ({ app, request }) => {
  const input = await readJson(request, ratesRequest, LONGEST_RATES_BYTES)
  return jsonAnswer(200, await app.useCases.tellRates(input))
})
