import { readFeedQuery } from '#lib/server/runtime/http/query.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('merchant.events', async ({ app, request, url }) => {
  app.requireMerchant(request.headers)
  const query = readFeedQuery(url.searchParams)
  const feed = await app.useCases.listMerchantEvents(query)
  return jsonAnswer(200, feed)
})
