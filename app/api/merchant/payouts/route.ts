import { readPayoutsQuery } from '#lib/server/runtime/http/query.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('merchant.payouts', async ({ app, request, url }) => {
  app.requireMerchant(request.headers)
  const query = readPayoutsQuery(url.searchParams)
  const page = await app.useCases.listPayouts(query)
  return jsonAnswer(200, page)
})
